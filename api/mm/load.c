/* load.c - a driver's load instruction played by a step: checked, then read at
 * once, from memory or from a register of a device. */
#include "api/mm/load.h"

#include <assert.h>

#include "api/core/kernel.h"
#include "api/core/show.h"
#include "api/core/trace_events.h"
#include "api/mm/device_register.h"
#include "api/mm/io_space.h"
#include "api/mm/touch.h"
#include "api/nt/type.h"
#include "sim/base/bits.h"

static void check(struct kernel *kernel, uint64_t from, size_t size)
{
    struct memory *memory = &kernel->machine->memory;

    for (size_t i = 0; i < size; i++) {
        const uint8_t *at = (const uint8_t *)(uintptr_t)(from + i);
        const struct touch touch = touch_now(kernel, from + i, TOUCH_READ);
        bool pageable = memory_is_pageable(memory, at, 1);
        bool may_read = memory_allows(memory, at, 1, MEMORY_READ) ||
                        stack_pool_holds(&kernel->machine->guest_stacks, at, 1);

        if (!may_read || (pageable && touch.raised)) {
            io_space_stop_across(kernel, from + i, false);
            touch_refuse(&touch);
        }
        if (pageable && memory_page_in(memory, at)) {
            touch_opens(kernel, ROUTINE_COUNT);
        }
    }
}

static void record(
    struct kernel *kernel, uint64_t from, size_t size, uint64_t value)
{
    struct trace *trace = &kernel->machine->trace;
    char text[SHOW_VALUE_BYTES];

    if (!trace->off) {
        show_value(kernel, NT_PVOID, &from, text, sizeof(text));
        cpu_trace_now(kernel_cpu(kernel), &api_events[API_EVENT_LOAD],
            trace_text(trace, text), size, value);
    }
}

/* The device's own record says what was read. */
static uint64_t load_from_device(
    struct kernel *kernel, uint64_t physical, size_t size)
{
    const struct device_place place =
        device_find(kernel, physical, size, false);
    uint64_t value = device_peek(&place) & bits_low(8U * (unsigned)size);

    cpu_spend(kernel_cpu(kernel), DEVICE_CYCLES, 1);
    device_was_read(kernel, &place, value);
    return value;
}

uint64_t load_value(struct kernel *kernel, uint64_t from, size_t size)
{
    uint64_t physical, value;

    if (io_space_is_device(kernel, from, false, &physical)) {
        value = load_from_device(kernel, physical, size);
    } else {
        cpu_spend(kernel_cpu(kernel), LOAD_CYCLES, 1);
        check(kernel, from, size);
        value = nt_load((const void *)(uintptr_t)from, size);
        record(kernel, from, size, value);
    }
    cpu_checkpoint(kernel_cpu(kernel));
    return value;
}
