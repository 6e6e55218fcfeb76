/* touch.c - an address that a driver's code may not touch: which rule that
 * breaks. */
#include "api/mm/touch.h"

#include <assert.h>

#include "api/core/exception.h"
#include "api/core/kernel.h"
#include "api/core/thread.h"
#include "api/mm/io_space.h"
#include "api/mm/reserved_mapping.h"

#define KERNEL_ADDRESS UINT64_C(0x0000800000000000) /* this and above */

struct touch touch_now(
    struct kernel *kernel, uint64_t address, enum touch_access access)
{
    struct cpu *cpu = kernel_cpu(kernel);

    return (struct touch){
        .kernel = kernel,
        .cpu = cpu,
        .address = address,
        .access = access,
        .raised = irql_is_raised(kernel, cpu),
    };
}

void touch_opens(struct kernel *kernel, enum routine routine)
{
    if (thread_current(kernel)->after_flush) {
        rule_warn(kernel, kernel_cpu(kernel), RULE_IO_SHUTDOWN_PAGED, routine);
    }
}

_Noreturn void touch_stop(
    const struct touch *touch, enum rule rule, const char *what)
{
    const struct bugcheck_parameter parameter[4] = {
        {.name = what},
        {.value = irql_current(touch->kernel, touch->cpu)},
        {.value = touch->access},
        {.name = touch->store.routine == NULL ? "the driver's code"
                                              : touch->store.routine},
    };
    char subject[RULE_SUBJECT_BYTES];

    assert(touch->cpu == kernel_cpu(touch->kernel));
    answer_store_show(&touch->store, subject, sizeof(subject));
    rule_stop_of(touch->kernel, touch->cpu, rule, ROUTINE_COUNT,
        rule_rows[rule].code, parameter, subject);
}

/* An address of the kernel's that nobody may touch. */
static _Noreturn void nobodys(const struct touch *touch, const char *what)
{
    touch_stop(touch,
        touch->raised ? RULE_MM_RAISED_ACCESS : RULE_MM_BAD_ADDRESS, what);
}

/* A page of a block of guest memory, or the guard behind it. */
static _Noreturn void block_stop(
    const struct touch *touch, const struct memory_block *block)
{
    const struct memory *memory = &touch->kernel->machine->memory;
    const uint8_t *at = (const uint8_t *)(uintptr_t)touch->address;
    uint64_t physical;

    assert(touch->address / MEMORY_PAGE_BYTES >=
           (uintptr_t)block->start / MEMORY_PAGE_BYTES);
    if (block->freed) {
        touch_stop(touch, RULE_MM_USE_AFTER_FREE, "freed memory");
    }
    if (at >= block->start + block->size) {
        touch_stop(touch, RULE_MM_OVERRUN, "end of a block");
    }
    if (block->context == touch->kernel->event_buffers &&
        !memory_allows(memory, at, 1, MEMORY_READ)) {
        touch_stop(touch, RULE_HAL_EVENT_BUFFER_CLOSED, "an event buffer");
    }
    if (!memory_allows(memory, at, 1, MEMORY_READ) &&
        !io_space_is_device(touch->kernel, touch->address, false, &physical)) {
        nobodys(touch, reserved_mapping_is_empty(touch->kernel, touch->address)
                           ? "reserved addresses"
                           : "no access");
    }
    if (touch->raised && memory_is_pageable(memory, at, 1)) {
        touch_stop(touch, RULE_MM_PAGED_ACCESS, "pageable memory");
    }
    if (touch->access == TOUCH_EXECUTE) {
        touch_stop(touch, RULE_MM_NO_EXECUTE, "data");
    }
    touch_stop(touch, RULE_MM_READ_ONLY, "read-only memory");
}

static _Noreturn void user_address(const struct touch *touch)
{
    const struct exception_record record = {
        .code = STATUS_ACCESS_VIOLATION,
        .routine = ROUTINE_COUNT,
        .address = (const void *)(uintptr_t)touch->address,
        .write = touch->access == TOUCH_WRITE,
        .store = touch->store,
    };

    if (touch->raised) {
        touch_stop(touch, RULE_MM_RAISED_ACCESS, "no memory");
    }
    exception_raise(touch->kernel, &record);
}

_Noreturn void touch_refuse(const struct touch *touch)
{
    const struct memory *memory = &touch->kernel->machine->memory;
    const struct memory_block *block =
        memory_near(memory, (const void *)(uintptr_t)touch->address);

    if (memory_is_user(memory, touch->address)) {
        user_address(touch);
    }
    if (block != NULL) {
        block_stop(touch, block);
    }
    if (touch->address < KERNEL_ADDRESS &&
        !memory_is_region(memory, touch->address)) {
        user_address(touch);
    }
    nobodys(touch, "no memory");
}

void touch_by_program(struct kernel *kernel, uint64_t address, size_t size,
    enum touch_access access)
{
    const struct memory *memory = &kernel->machine->memory;

    for (size_t i = 0; i < size; i++) {
        const struct touch touch = touch_now(kernel, address + i, access);

        if (!memory_is_user(memory, address + i) &&
            (memory_is_region(memory, address + i) ||
                address + i >= KERNEL_ADDRESS)) {
            user_address(&touch);
        }
    }
}
