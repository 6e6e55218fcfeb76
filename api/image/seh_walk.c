/* seh_walk.c - walking up the frames of a driver's stack; they must go up, so
 * that every walk ends. */
#include "api/image/seh_walk.h"

#include <assert.h>

bool seh_activation_begin(struct seh_activation *activation,
    const struct seh_ops *ops, struct seh_records *records,
    struct seh_activation *uncrossed)
{
    unsigned depth = 0;

    for (const struct seh_activation *at = *ops->innermost; at != NULL;
         at = at->outer) {
        depth++;
    }
    assert((uintptr_t)records % _Alignof(struct seh_records) == 0);
    if (depth >= SEH_NESTED_MAX) {
        return false;
    }
    *activation = (struct seh_activation){
        .outer = *ops->innermost,
        .records = records,
        .walk = {.ops = ops, .uncrossed = uncrossed, .first = true},
    };
    activation->walk.frame.context = records->context;
    *ops->innermost = activation;
    return true;
}

static const struct image_function *find_function(
    const struct seh_image *image, uint64_t address)
{
    uint64_t rva = address - image->base;
    size_t low = 0, high = image->function_count;

    assert(rva < image->size);
    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (rva < image->function[middle].begin) {
            high = middle;
        } else if (rva >= image->function[middle].end) {
            low = middle + 1;
        } else {
            return &image->function[middle];
        }
    }
    return NULL;
}

/* What code outside of all images is to a walk; SEH_WALK_FRAME: a leaf. */
static enum seh_walk_result outside(const struct seh_walk *walk)
{
    const struct seh_ops *ops = walk->ops;
    const CONTEXT *context = &walk->frame.context;

    if (walk->first) {
        return SEH_WALK_FRAME; /* a jump to nowhere: its caller's return is on
                                  the stack */
    }
    if (!ops->on_stack(ops->context, context->Rsp)) {
        return SEH_WALK_END;
    }
    if (walk->uncrossed != NULL) {
        return SEH_WALK_CROSSED;
    }
    return ops->is_code(ops->context, context->Rip) ? SEH_WALK_FRAME
                                                    : SEH_WALK_BROKEN;
}

/* A handler is given its frame's address and trusts it. */
static bool frame_is_sound(const struct seh_walk *walk)
{
    const struct seh_ops *ops = walk->ops;
    const struct seh_frame *frame = &walk->frame;
    uint64_t establisher = frame->step.establisher_frame;

    return frame->step.handler == 0 ||
           (establisher % 8 == 0 && establisher >= frame->context.Rsp &&
               establisher < frame->caller.Rsp &&
               ops->on_stack(ops->context, establisher) &&
               ops->is_code(ops->context, frame->step.handler));
}

enum seh_walk_result seh_walk_step(struct seh_walk *walk)
{
    const struct seh_ops *ops = walk->ops;
    struct seh_frame *frame = &walk->frame;
    const CONTEXT *context = &frame->context;
    enum seh_walk_result result;

    frame->function = NULL;
    frame->image = (struct seh_image){.base = 0};
    if (++walk->count > SEH_FRAME_MAX || context->Rsp <= walk->above_sp ||
        context->Rsp % 8 != 0) {
        return SEH_WALK_BROKEN;
    }
    if (ops->image_at(ops->context, context->Rip, &frame->image)) {
        frame->function = find_function(&frame->image, context->Rip);
    } else {
        result = outside(walk);
        if (result != SEH_WALK_FRAME) {
            return result;
        }
    }
    frame->caller = *context;
    if (!ops->on_stack(ops->context, context->Rsp) ||
        !unwind_virtual(&ops->memory, frame->image.base, frame->function,
            &frame->caller, &frame->step) ||
        !frame_is_sound(walk)) {
        return SEH_WALK_BROKEN;
    }
    return SEH_WALK_FRAME;
}

void seh_walk_up(struct seh_walk *walk)
{
    walk->above_sp = walk->frame.context.Rsp;
    walk->frame.context = walk->frame.caller;
    walk->first = false;
}

bool seh_walk_cross(struct seh_walk *walk)
{
    const struct seh_activation *crossed = walk->uncrossed;

    assert(crossed != NULL);
    assert(crossed->walk.ops->innermost == walk->ops->innermost);
    assert(!walk->first && walk->frame.function == NULL);
    if (crossed->unwinds) {
        walk->frame = crossed->walk.frame;
        walk->uncrossed = crossed->walk.uncrossed;
        return true;
    }
    walk->above_sp = walk->frame.context.Rsp;
    walk->frame.context = crossed->records->context;
    walk->first = true;
    walk->uncrossed = crossed->outer;
    return false;
}

uint32_t seh_walk_call(struct seh_activation *activation, CONTEXT *context,
    uint64_t target_ip, uint32_t scope_index)
{
    const struct seh_ops *ops = activation->walk.ops;
    const struct seh_frame *frame = &activation->walk.frame;
    struct seh_records *records = activation->records;
    uint64_t entry = frame->image.function_address +
                     (uint64_t)(frame->function - frame->image.function) *
                         sizeof(RUNTIME_FUNCTION);
    const uint64_t argument[4] = {(uintptr_t)&records->record,
        frame->step.establisher_frame, (uintptr_t)context,
        (uintptr_t)&records->dispatcher};

    assert(frame->function != NULL && frame->step.handler != 0);
    assert((size_t)(frame->function - frame->image.function) <
           frame->image.function_count);
    assert(context == &records->context || context == &records->unwound);
    records->dispatcher = (DISPATCHER_CONTEXT){
        .ControlPc = frame->context.Rip,
        .ImageBase = frame->image.base,
        .FunctionEntry = (PRUNTIME_FUNCTION)(uintptr_t)entry,
        .EstablisherFrame = frame->step.establisher_frame,
        .TargetIp = target_ip,
        .ContextRecord = &records->unwound,
        .LanguageHandler = (PVOID)(uintptr_t)frame->step.handler,
        .HandlerData = (PVOID)(uintptr_t)frame->step.handler_data,
        .ScopeIndex = scope_index,
    };
    return (uint32_t)ops->call(ops->context, frame->step.handler, argument);
}
