/* unwind.h - one step up the stack of x64 code, by its image's unwind data
 * ("x64 exception handling"). Knows nothing of handlers' meaning, of tables of
 * functions or of exceptions.
 *
 * Nothing is trusted: codes, code bytes and stack are read through the caller's
 * accessor, and a broken one is an error. */
#ifndef API_IMAGE_UNWIND_H
#define API_IMAGE_UNWIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/nt/context.h"
#include "api/pe/pe.h"

struct unwind_memory {
    void *context;
    /* Copies `size` guest bytes at `address`; false when one is unreadable. */
    bool (*read)(void *context, uint64_t address, void *to, size_t size);
};

enum { UNWIND_EHANDLER = 1, UNWIND_UHANDLER = 2, UNWIND_CHAINED = 4 };

struct unwind_step {
    uint64_t establisher_frame; /* of the function that was left */
    uint64_t handler;           /* its language-specific handler; 0: none */
    uint64_t handler_data;      /* what follows the handler's address */
    uint8_t handler_kind;       /* UNWIND_EHANDLER, UNWIND_UHANDLER */
};

/* Makes `context`, which runs `function` of the image at `base`, its caller's.
 * NULL is a function without a row: a leaf. Prologue and epilogue have no
 * handler. Returns false when memory or unwind data are broken, and then
 * nothing has changed. */
bool unwind_virtual(const struct unwind_memory *memory, uint64_t base,
    const struct image_function *function, CONTEXT *context,
    struct unwind_step *step);

#endif
