/* page_fault.c - what is special about native code: jumps, guards of stacks,
 * what the system shares, sections that are gone. The rest is touch.c's. */
#include "api/image/page_fault.h"

#include <string.h>

#include "api/core/kernel.h"
#include "api/image/guest.h"
#include "api/image/image.h"
#include "api/image/shared_data.h"
#include "api/mm/touch.h"

#define NULL_BYTES UINT64_C(0x10000) /* never anybody's */

enum { ERROR_WRITE = 1 << 1, ERROR_FETCH = 1 << 4 };

/* A jump left no trace but the return address, so its caller is the place. */
static _Noreturn void null_stop(
    struct guest_frame *frame, const struct touch *touch)
{
    uint64_t sp = frame->registers.general[GUEST_RSP];
    uint64_t caller;

    if (guest_on_stack(touch->kernel, sp, sizeof(caller))) {
        memcpy(&caller, (const void *)(uintptr_t)sp, sizeof(caller));
        if (image_is_code(touch->kernel, caller)) {
            frame->registers.rip = caller;
            frame->by_call = true;
        }
    }
    touch_stop(touch, RULE_CODE_JUMP_NULL, "NULL");
}

/* In a live block, but in a part of an image that is no longer there. */
static bool is_discarded(const struct touch *touch)
{
    const struct memory *memory = &touch->kernel->machine->memory;
    const uint8_t *at = (const uint8_t *)(uintptr_t)touch->address;
    const struct memory_block *block = memory_near(memory, at);
    const struct image *image = image_at(touch->kernel, touch->address);

    return block != NULL && !block->freed && at < block->start + block->size &&
           image != NULL && image->discarded &&
           !memory_allows(memory, at, 1, MEMORY_READ);
}

void page_fault(struct guest_frame *frame)
{
    struct kernel *kernel = frame->kernel;
    const struct touch touch = touch_now(kernel, frame->trap.address,
        (frame->trap.error & ERROR_FETCH) != 0   ? TOUCH_EXECUTE
        : (frame->trap.error & ERROR_WRITE) != 0 ? TOUCH_WRITE
                                                 : TOUCH_READ);

    if (touch.access == TOUCH_EXECUTE && touch.address < NULL_BYTES) {
        null_stop(frame, &touch);
    }
    if (stack_pool_is_guard(&kernel->machine->guest_stacks, touch.address)) {
        guest_stack_stop(kernel);
    }
    if (touch.access == TOUCH_READ && shared_data_read(frame)) {
        return;
    }
    if (is_discarded(&touch)) {
        touch_stop(&touch, RULE_IMAGE_DISCARDED, "a discarded section");
    }
    touch_refuse(&touch);
}
