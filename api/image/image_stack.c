/* image_stack.c - a thread's call stack as far as drivers' native code is on
 * it, walked by the images' unwind data; between them the steps of actors. */
#include "api/image/image_stack.h"

#include <assert.h>
#include <string.h>

#include "api/core/kernel.h"
#include "api/core/place.h"
#include "api/core/thread.h"
#include "api/image/deliver.h"
#include "api/image/guest.h"
#include "api/image/image.h"
#include "api/image/image_place.h"
#include "api/image/seh_walk.h"

/* The driver's registers for who walks up from `place`, where it is: behind a
 * call as they were at the call. */
static void registers_at(
    CONTEXT *context, const struct guest_frame *frame, uint64_t place)
{
    const struct guest_registers *registers = guest_registers_of(frame);

    *context = (CONTEXT){.ContextFlags = CONTEXT_FULL};
    memcpy(&context->Rax, registers->general, sizeof(registers->general));
    context->Rip = place;
    if (frame->by_call) {
        context->Rsp += sizeof(uint64_t);
    }
}

/* Those of one call of the kernel's into drivers' code; none where that has
 * called a handler of the kernel's own. */
static size_t of_frame(
    struct guest_frame *frame, uint64_t *address, size_t most)
{
    struct kernel *kernel = frame->kernel;
    uint64_t place = image_place_of(frame);
    struct seh_walk walk = {.first = true};
    struct seh_ops ops;
    size_t count = 0;

    assert(most > 0);
    if (frame->by_dispatcher && image_ever_at(kernel, place) == NULL) {
        return 0;
    }
    address[count++] = place;
    if (image_at(kernel, place) == NULL) {
        return count;
    }
    deliver_walk(&ops, frame);
    walk.ops = &ops;
    registers_at(&walk.frame.context, frame, place);
    while (count < most && seh_walk_step(&walk) == SEH_WALK_FRAME) {
        seh_walk_up(&walk);
        if (image_at(kernel, walk.frame.context.Rip) == NULL) {
            break;
        }
        address[count++] = image_call_site(kernel, walk.frame.context.Rip);
    }
    memory_page_out(&kernel->machine->memory);
    return count;
}

size_t image_callers(struct kernel *kernel, uint64_t *address, size_t most)
{
    const struct thread *thread;
    struct guest_frame *frame = guest_innermost(kernel);

    if (frame == NULL) {
        return 0;
    }
    thread = thread_current(kernel);
    return frame == thread->covered ? 0 : of_frame(frame, address, most);
}

/* Adds a step, which is 0 when nobody knows it. */
static size_t add_step(
    uint32_t step, struct place_call *call, size_t count, size_t most)
{
    if (step != 0 && count < most) {
        call[count++] = (struct place_call){.step = step};
    }
    return count;
}

size_t image_stack(struct kernel *kernel, struct strand *strand,
    struct place_call *call, size_t most)
{
    const struct thread *thread = thread_of(strand);
    struct guest_frame *frame = thread->guest;
    uint32_t inner = thread->step;
    size_t count = 0;

    for (; frame != NULL && count < most; frame = frame->outer) {
        uint64_t address[PLACE_STACK];
        size_t found;

        assert(frame->kernel == kernel && frame->strand == strand);
        if (frame->step != inner) {
            count = add_step(inner, call, count, most);
        }
        inner = frame->step;
        found = of_frame(frame, address, PLACE_STACK);
        for (size_t i = 0; i < found && count < most; i++) {
            call[count++] = (struct place_call){.address = address[i]};
        }
    }
    return add_step(inner, call, count, most);
}
