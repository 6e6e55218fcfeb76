/* seh_walk.h - the walk up a guest stack, frame by frame, also out of handlers
 * that are being run. Calls handlers; what they say is for the phases. */
#ifndef API_IMAGE_SEH_WALK_H
#define API_IMAGE_SEH_WALK_H

#include "api/image/seh.h"

struct seh_frame {
    CONTEXT context; /* in the frame */
    CONTEXT caller;  /* after it has been left */
    struct seh_image image;
    const struct image_function *function; /* NULL: a leaf */
    struct unwind_step step;
};

struct seh_walk {
    const struct seh_ops *ops;
    struct seh_frame frame;
    struct seh_activation *uncrossed; /* the next that it would get out of */
    bool first;        /* the frame was interrupted, it did not call */
    unsigned count;    /* frames so far */
    uint64_t above_sp; /* where the next frame must be above */
};

/* A dispatch or an unwind that may be calling guest code. */
struct seh_activation {
    struct seh_activation *outer;
    struct seh_records *records;
    bool unwinds;
    struct seh_walk walk; /* its frame is the one whose handler runs */
};

enum seh_walk_result {
    SEH_WALK_FRAME,   /* walk->frame is whole */
    SEH_WALK_CROSSED, /* the frames below were those of a handler's call */
    SEH_WALK_END,
    SEH_WALK_BROKEN,
};

/* Hangs `activation` on the list, to walk from records->context out of
 * `uncrossed`. Returns false when too many are there already. */
bool seh_activation_begin(struct seh_activation *activation,
    const struct seh_ops *ops, struct seh_records *records,
    struct seh_activation *uncrossed);

/* Completes the frame whose context is set. */
enum seh_walk_result seh_walk_step(struct seh_walk *walk);

/* Goes to the caller of a whole frame. */
void seh_walk_up(struct seh_walk *walk);

/* After SEH_WALK_CROSSED: gets out of the handler that walk->uncrossed calls.
 * Out of a dispatch that is to where its exception was raised; out of an unwind
 * to the frame that it was unwinding, which is whole then, and the result is
 * true. */
bool seh_walk_cross(struct seh_walk *walk);

/* Calls the handler of the activation's frame; `context` is shown to it as the
 * dispatcher's. Returns its disposition. */
uint32_t seh_walk_call(struct seh_activation *activation, CONTEXT *context,
    uint64_t target_ip, uint32_t scope_index);

/* seh_unwind() of records->record, out of what is outside of `uncrossed`. */
enum seh_result seh_unwind_from(const struct seh_ops *ops,
    struct seh_activation *uncrossed, uint64_t target_frame, uint64_t target_ip,
    uint64_t return_value, struct seh_records *records);

#endif
