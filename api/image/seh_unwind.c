/* seh_unwind.c - structured exceptions, second phase: every frame below the
 * target ends, and its termination handlers run. */
#include <assert.h>
#include <stdlib.h>

#include "api/image/seh_walk.h"

struct unwind_target {
    uint64_t frame; /* 0: none, the whole stack ends */
    uint64_t ip;
    uint64_t value; /* that the target finds in RAX */
};

/* Ends the frame. Returns false when its handler says what it may not. */
static bool end_frame(struct seh_activation *activation,
    const struct unwind_target *target, uint32_t scope_index)
{
    struct seh_records *records = activation->records;
    ULONG *flags = &records->record.ExceptionFlags;
    const struct seh_frame *frame = &activation->walk.frame;
    uint32_t disposition;

    if ((frame->step.handler_kind & UNWIND_UHANDLER) == 0) {
        return true;
    }
    if (frame->step.establisher_frame == target->frame) {
        *flags |= EXCEPTION_TARGET_UNWIND;
    }
    records->unwound = frame->context;
    records->unwound.Rax = target->value;
    disposition =
        seh_walk_call(activation, &records->unwound, target->ip, scope_index);
    *flags &= ~(ULONG)(EXCEPTION_TARGET_UNWIND | EXCEPTION_COLLIDED_UNWIND);
    return disposition == ExceptionContinueSearch;
}

/* The frame has been left by an unwind that a termination handler of it did not
 * return to; this one does what that one had not done yet. */
static bool collide(struct seh_activation *activation,
    const struct unwind_target *target, uint32_t scope_index)
{
    activation->records->record.ExceptionFlags |= EXCEPTION_COLLIDED_UNWIND;
    return end_frame(activation, target, scope_index);
}

static _Noreturn void arrive(
    struct seh_activation *activation, const struct unwind_target *target)
{
    const struct seh_ops *ops = activation->walk.ops;
    CONTEXT context = activation->walk.frame.context;

    assert(activation->unwinds && target->frame != 0);
    assert(activation->walk.frame.step.establisher_frame == target->frame);
    context.Rip = target->ip;
    context.Rax = target->value;
    *ops->innermost = activation->walk.uncrossed;
    ops->resume(ops->context, &context);
    abort(); /* resume() returned, against its contract */
}

static enum seh_result end_frames(
    struct seh_activation *activation, const struct unwind_target *target)
{
    struct seh_walk *walk = &activation->walk;
    const struct seh_activation *left;

    for (;;) {
        switch (seh_walk_step(walk)) {
        case SEH_WALK_FRAME:
            if (target->frame != 0 && walk->frame.context.Rsp > target->frame) {
                return SEH_BROKEN; /* the target was no frame */
            }
            if (!end_frame(activation, target, 0)) {
                return SEH_BROKEN;
            }
            break;
        case SEH_WALK_CROSSED:
            left = walk->uncrossed;
            if (!seh_walk_cross(walk)) {
                continue;
            }
            if (!collide(
                    activation, target, left->records->dispatcher.ScopeIndex)) {
                return SEH_BROKEN;
            }
            break;
        case SEH_WALK_END:
            return target->frame == 0 ? SEH_UNHANDLED : SEH_BROKEN;
        case SEH_WALK_BROKEN:
            return SEH_BROKEN;
        }
        if (target->frame != 0 &&
            walk->frame.step.establisher_frame == target->frame) {
            arrive(activation, target);
        }
        seh_walk_up(walk);
    }
}

enum seh_result seh_unwind_from(const struct seh_ops *ops,
    struct seh_activation *uncrossed, uint64_t target_frame, uint64_t target_ip,
    uint64_t return_value, struct seh_records *records)
{
    const struct unwind_target target = {target_frame, target_ip, return_value};
    struct seh_activation activation;
    enum seh_result result;

    if ((target_frame != 0 && !ops->is_code(ops->context, target_ip)) ||
        !seh_activation_begin(&activation, ops, records, uncrossed)) {
        return SEH_BROKEN;
    }
    activation.unwinds = true;
    records->record.ExceptionFlags |=
        EXCEPTION_UNWINDING | (target_frame == 0 ? EXCEPTION_EXIT_UNWIND : 0);
    result = end_frames(&activation, &target);
    *ops->innermost = activation.outer;
    return result;
}

enum seh_result seh_unwind(const struct seh_ops *ops, uint64_t target_frame,
    uint64_t target_ip, EXCEPTION_RECORD *record, uint64_t return_value,
    struct seh_records *records)
{
    const struct unwind_memory *memory = &ops->memory;
    EXCEPTION_RECORD given = {
        .ExceptionCode = STATUS_UNWIND,
        .ExceptionAddress = (PVOID)(uintptr_t)records->context.Rip,
    };

    if (record != NULL && !memory->read(memory->context, (uintptr_t)record,
                              &given, sizeof(given))) {
        return SEH_BROKEN;
    }
    records->record = given;
    return seh_unwind_from(
        ops, *ops->innermost, target_frame, target_ip, return_value, records);
}
