/* deliver.h - an exception that a driver's native code raised, or that a
 * kernel call raised at it, given to the driver's own handlers. */
#ifndef API_IMAGE_DELIVER_H
#define API_IMAGE_DELIVER_H

#include <stdint.h>

#include "api/image/seh.h"

struct exception_frame;
struct guest_frame;
struct guest_registers;
struct kernel;

/* struct exception_frame's deliver for a guest_frame. Goes on in the driver's
 * code, or stops the machine when nobody handles the exception. */
void deliver_exception(struct kernel *kernel, struct exception_frame *frame);

/* Records below what the driver has on its stack, with its context: where an
 * instruction has raised an exception, or of the call that it has made as if
 * that had. What handlers call begins below them. `raised`: a copy of its
 * registers, until the frame goes on or deliver_end(). */
struct seh_records *deliver_records(
    struct guest_frame *frame, const struct guest_registers *raised);

/* Nobody has gone on in the frame: it has its registers back. */
void deliver_end(struct guest_frame *frame);

/* The operations of seh.h that walk up the stack from `frame`, which may be any
 * of any strand, and run nothing. Valid as long as it. */
void deliver_walk(struct seh_ops *ops, struct guest_frame *frame);

/* All of them, on the running strand. Valid as long as `frame`. */
void deliver_operations(struct seh_ops *ops, struct guest_frame *frame);

#endif
