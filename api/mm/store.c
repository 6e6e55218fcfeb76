/* store.c - a driver's store instruction played by a step: checked, then
 * written at once; up to 8 bytes that are aligned are one store on Windows'
 * processors, too (PCW-CRE-18). */
#include "api/mm/store.h"

#include <assert.h>
#include <string.h>

#include "api/core/kernel.h"
#include "api/core/show.h"
#include "api/core/trace_events.h"
#include "api/mm/device_register.h"
#include "api/mm/io_space.h"
#include "api/mm/touch.h"
#include "api/nt/type.h"

static bool may_write(const struct kernel *kernel, const uint8_t *at)
{
    const struct memory *memory = &kernel->machine->memory;

    return memory_allows(memory, at, 1, MEMORY_WRITE) ||
           stack_pool_holds(&kernel->machine->guest_stacks, at, 1);
}

static void check(struct kernel *kernel, uint64_t to, size_t size,
    const struct answer_store *store)
{
    struct memory *memory = &kernel->machine->memory;

    for (size_t i = 0; i < size; i++) {
        const uint8_t *at = (const uint8_t *)(uintptr_t)(to + i);
        struct touch touch = touch_now(kernel, to + i, TOUCH_WRITE);
        bool pageable = memory_is_pageable(memory, at, 1);

        if ((!may_write(kernel, at) && !io_space_is_hole(kernel, to + i)) ||
            (pageable && touch.raised)) {
            touch.store = *store;
            io_space_stop_across(kernel, to + i, true);
            touch_refuse(&touch);
        }
        if (pageable && memory_page_in(memory, at)) {
            touch_opens(kernel, ROUTINE_COUNT);
        }
    }
}

static void record(
    struct kernel *kernel, uint64_t to, const void *from, size_t size)
{
    struct cpu *cpu = kernel_cpu(kernel);
    struct trace *trace = &kernel->machine->trace;
    bool number = size == 1 || size == 2 || size == 4 || size == 8;
    char text[SHOW_VALUE_BYTES];

    if (trace->off) {
        return;
    }
    show_value(kernel, NT_PVOID, &to, text, sizeof(text));
    if (number) {
        cpu_trace_now(cpu, &api_events[API_EVENT_STORE],
            trace_text(trace, text), size, nt_load(from, size));
    } else {
        cpu_trace_now(cpu, &api_events[API_EVENT_STORE_BYTES],
            trace_text(trace, text), size);
    }
}

/* Page by page: what goes to physical memory that is nobody's is dropped
 * (MMIO-04 [C]). */
static void write_checked(
    const struct kernel *kernel, uint64_t to, const uint8_t *from, size_t size)
{
    while (size > 0) {
        size_t rest = MEMORY_PAGE_BYTES - to % MEMORY_PAGE_BYTES;
        size_t part = size < rest ? size : rest;

        if (!io_space_is_hole(kernel, to)) {
            memcpy((void *)(uintptr_t)to, from, part);
        }
        to += part;
        from += part;
        size -= part;
    }
}

/* The device's own record says what was stored. */
static void store_to_device(
    struct kernel *kernel, uint64_t physical, const void *from, size_t size)
{
    const struct device_place place = device_find(kernel, physical, size, true);

    cpu_spend(kernel_cpu(kernel), DEVICE_CYCLES, 1);
    if (place.reg != NULL) {
        device_write(kernel, &place, nt_load(from, size));
    }
    cpu_checkpoint(kernel_cpu(kernel));
}

static void store_for(struct kernel *kernel, uint64_t to, const void *from,
    size_t size, const struct answer_store *store)
{
    uint64_t physical;

    assert(size >= 1 && size <= 65536);
    if (io_space_is_device(kernel, to, true, &physical)) {
        store_to_device(kernel, physical, from, size);
        return;
    }
    cpu_spend(kernel_cpu(kernel), STORE_CYCLES, 1);
    check(kernel, to, size, store);
    write_checked(kernel, to, from, size);
    record(kernel, to, from, size);
    cpu_checkpoint(kernel_cpu(kernel));
}

void store_bytes(
    struct kernel *kernel, uint64_t to, const void *from, size_t size)
{
    static const struct answer_store none = {.routine = NULL};

    store_for(kernel, to, from, size, &none);
}

void store_answer(
    struct kernel *kernel, const struct answer_store *store, const void *from)
{
    assert(store->routine != NULL && store->argument > 0);
    store_for(kernel, store->at, from, store->size, store);
}
