/* page_fault.c - whose address it was, and which rule that breaks. */
#include "api/image/page_fault.h"

#include <string.h>

#include "api/image/guest.h"
#include "api/image/image.h"
#include "api/image/shared_data.h"
#include "api/kernel.h"

#define KERNEL_ADDRESS UINT64_C(0x0000800000000000) /* this and above */
#define NULL_BYTES UINT64_C(0x10000)                /* never anybody's */

enum {
    ERROR_WRITE = 1 << 1,
    ERROR_FETCH = 1 << 4,
    ACCESS_READ = 0, /* as in bug check parameters */
    ACCESS_WRITE = 1,
    ACCESS_EXECUTE = 8,
};

struct touch {
    struct guest_frame *frame;
    struct kernel *kernel;
    struct cpu *cpu;
    uint64_t address;
    uint8_t access;
    bool raised; /* at DISPATCH_LEVEL or above */
};

static _Noreturn void touch_stop(
    const struct touch *touch, enum rule rule, const char *what)
{
    const struct bugcheck_parameter parameter[4] = {
        {.name = what},
        {.value = irql_current(touch->kernel, touch->cpu)},
        {.value = touch->access},
        {.name = "the driver's code"},
    };

    rule_stop(touch->kernel, touch->cpu, rule, ROUTINE_COUNT, parameter);
}

/* A jump left no trace but the return address, so its caller is the place. */
static _Noreturn void null_stop(const struct touch *touch)
{
    struct guest_frame *frame = touch->frame;
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

/* A page of a block of guest memory, or the guard behind it. */
static _Noreturn void block_stop(
    const struct touch *touch, const struct memory_block *block)
{
    const struct memory *memory = &touch->kernel->machine->memory;
    const uint8_t *at = (const uint8_t *)(uintptr_t)touch->address;
    const struct image *image = image_at(touch->kernel, touch->address);

    if (block->freed) {
        touch_stop(touch, RULE_MM_USE_AFTER_FREE, "freed memory");
    }
    if (at >= block->start + block->size) {
        touch_stop(touch, RULE_MM_OVERRUN, "end of a block");
    }
    if (image != NULL && image->discarded &&
        !memory_allows(memory, at, 1, MEMORY_READ)) {
        touch_stop(touch, RULE_IMAGE_DISCARDED, "a discarded section");
    }
    if (touch->raised && memory_is_pageable(memory, at, 1)) {
        touch_stop(touch, RULE_MM_PAGED_ACCESS, "pageable memory");
    }
    if (touch->access == ACCESS_EXECUTE) {
        touch_stop(touch, RULE_MM_NO_EXECUTE, "data");
    }
    touch_stop(touch, RULE_MM_READ_ONLY, "read-only memory");
}

static void user_address(const struct touch *touch)
{
    const struct exception_record record = {
        .code = STATUS_ACCESS_VIOLATION,
        .routine = ROUTINE_COUNT,
        .address = (const void *)(uintptr_t)touch->address,
        .write = touch->access == ACCESS_WRITE,
    };

    if (touch->raised) {
        touch_stop(touch, RULE_MM_RAISED_ACCESS, "no memory");
    }
    exception_raise(touch->kernel, &record);
}

void page_fault(struct guest_frame *frame)
{
    struct kernel *kernel = frame->kernel;
    struct cpu *cpu = kernel_cpu(kernel);
    const struct machine *machine = kernel->machine;
    const struct touch touch = {
        .frame = frame,
        .kernel = kernel,
        .cpu = cpu,
        .address = frame->trap.address,
        .access = (frame->trap.error & ERROR_FETCH) != 0   ? ACCESS_EXECUTE
                  : (frame->trap.error & ERROR_WRITE) != 0 ? ACCESS_WRITE
                                                           : ACCESS_READ,
        .raised = irql_current(kernel, cpu) >=
                  irql_number(kernel, LEVEL_DISPATCH_LEVEL),
    };
    const struct memory_block *block =
        memory_near(&machine->memory, (const void *)(uintptr_t)touch.address);

    if (touch.access == ACCESS_EXECUTE && touch.address < NULL_BYTES) {
        null_stop(&touch);
    }
    if (stack_pool_is_guard(&machine->guest_stacks, touch.address)) {
        guest_stack_stop(kernel);
    }
    if (touch.access == ACCESS_READ && shared_data_read(frame)) {
        return;
    }
    if (block != NULL) {
        block_stop(&touch, block);
    }
    if (touch.address < KERNEL_ADDRESS &&
        !memory_is_region(&machine->memory, touch.address)) {
        user_address(&touch);
    }
    touch_stop(&touch,
        touch.raised ? RULE_MM_RAISED_ACCESS : RULE_MM_BAD_ADDRESS,
        "no memory");
}
