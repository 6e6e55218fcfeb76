/* seh.h - structured exception handling of x64 images: dispatch, unwind and
 * __C_specific_handler ("x64 exception handling"). Knows nothing of loaders,
 * threads or signals: how guest code is found, called and resumed is given.
 *
 * Guest code that is called may raise again, and its exception is another
 * seh_dispatch() inside; those that are under way hang on ops->innermost. */
#ifndef API_IMAGE_SEH_H
#define API_IMAGE_SEH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/image/unwind.h"
#include "api/nt/context.h"

enum {
    SEH_FRAME_MAX = 1024, /* frames of one walk up the stack */
    SEH_NESTED_MAX = 32,  /* dispatches and unwinds inside each other */
};

struct seh_activation;

struct seh_image {
    uint64_t base;
    const struct image_function *function; /* ascending, not overlapping */
    size_t function_count;
    uint64_t function_address; /* of the same table in guest memory */
    uint32_t size;             /* bytes from base */
};

struct seh_ops {
    void *context;
    struct unwind_memory memory;
    bool (*image_at)(void *context, uint64_t address, struct seh_image *image);
    /* Within the guest stack that runs, below the outermost guest frame; for
     * a callback of the kernel's that is the callback's. What call() runs is
     * on the same stack, below the records of its exception. */
    bool (*on_stack)(void *context, uint64_t sp);
    bool (*is_code)(void *context, uint64_t address);
    /* Runs guest code: a language handler, a filter, a __finally. It returns to
     * an address outside of all images. */
    uint64_t (*call)(
        void *context, uint64_t address, const uint64_t argument[4]);
    /* Goes on in the guest and does not return. The host frames of activations
     * that no longer hang on `innermost` are given up. */
    void (*resume)(void *context, const CONTEXT *to);
    /* A pointer for each guest stack, at first NULL. */
    struct seh_activation **innermost;
};

/* What is handed to guest code: it lies in guest memory, on the stack below the
 * exception, at a multiple of 16. The caller fills in `record` and `context`
 * and clears the rest. */
struct seh_records {
    EXCEPTION_RECORD record;
    CONTEXT context, unwound;
    DISPATCHER_CONTEXT dispatcher;
    EXCEPTION_POINTERS pointers;
    EXCEPTION_RECORD cause; /* what a noncontinuable exception came from */
};

enum seh_result {
    SEH_CONTINUE,  /* records->context is to be resumed */
    SEH_UNHANDLED, /* records->record says what; the stack has ended */
    SEH_BROKEN,    /* stack, unwind data or a disposition are bad */
};

/* Looks for a handler from records->context upwards. A handler that executes
 * goes on through ops->resume(), and then this does not return. */
enum seh_result seh_dispatch(
    const struct seh_ops *ops, struct seh_records *records);

/* RtlUnwindEx: runs termination handlers from records->context up to the frame
 * `target_frame` and resumes it at `target_ip` with RAX `return_value`; does
 * not return when it succeeds. `record` is a guest address and is copied; NULL:
 * STATUS_UNWIND. target_frame 0 is an exit unwind of the whole stack, which
 * ends in SEH_UNHANDLED. */
enum seh_result seh_unwind(const struct seh_ops *ops, uint64_t target_frame,
    uint64_t target_ip, EXCEPTION_RECORD *record, uint64_t return_value,
    struct seh_records *records);

/* No EXCEPTION_DISPOSITION; the dispatcher takes it as SEH_BROKEN. */
#define SEH_DISPOSITION_BROKEN UINT32_MAX

/* __C_specific_handler, the language handler that images import. The pointers
 * must be those that the dispatcher gave; others are not looked at. Returns an
 * EXCEPTION_DISPOSITION, or SEH_DISPOSITION_BROKEN. */
uint32_t seh_c_specific_handler(const struct seh_ops *ops,
    EXCEPTION_RECORD *record, uint64_t frame, CONTEXT *context,
    DISPATCHER_CONTEXT *dispatcher);

#endif
