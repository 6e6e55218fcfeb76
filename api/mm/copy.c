/* copy.c - copies from and to a driver's memory, and text read from it: every
 * byte is checked, and what may not be touched raises at the caller. */
#include "api/mm/copy.h"

#include <assert.h>
#include <string.h>

#include "api/core/exception.h"
#include "api/core/kernel.h"
#include "api/core/missing.h"
#include "api/mm/io_space.h"
#include "api/mm/probing.h"
#include "api/mm/touch.h"

/* Whether one of the pages was not there. */
static bool page_in(struct memory *memory, const uint8_t *address, size_t size)
{
    bool opened = false;
    size_t at = 0;

    while (at < size) {
        opened |= memory_page_in(memory, address + at);
        at += MEMORY_PAGE_BYTES - (uintptr_t)(address + at) % MEMORY_PAGE_BYTES;
    }
    return opened;
}

/* Pageable memory is there below DISPATCH_LEVEL only (IRQL-04). */
static void copy_page_in(struct kernel *kernel, enum routine routine,
    const uint8_t *address, size_t size, bool write)
{
    struct memory *memory = &kernel->machine->memory;
    struct cpu *cpu = kernel_cpu(kernel);
    uint8_t irql = irql_current(kernel, cpu);
    const struct bugcheck_parameter parameter[4] = {
        {.name = "pageable memory"},
        {.value = irql},
        {.value = write},
        {.name = routine_rows[routine].name},
    };

    assert(size > 0); /* of nothing no page is pageable */
    if (irql >= irql_number(kernel, LEVEL_DISPATCH_LEVEL)) {
        rule_stop(kernel, cpu, RULE_MM_PAGED_ACCESS, routine, parameter);
    }
    if (page_in(memory, address, size)) {
        touch_opens(kernel, routine);
    }
}

/* Entries of an event buffer, while no handler runs that they are for
 * (HAL-EVB-05 [C]). */
static _Noreturn void refuse_closed(
    struct kernel *kernel, enum routine routine, bool write)
{
    struct cpu *cpu = kernel_cpu(kernel);
    const struct bugcheck_parameter parameter[4] = {
        {.name = "an event buffer"},
        {.value = irql_current(kernel, cpu)},
        {.value = write},
        {.name = routine_rows[routine].name},
    };

    rule_stop(kernel, cpu, RULE_HAL_EVENT_BUFFER_CLOSED, routine, parameter);
}

/* What nobody models is no matter of a broken rule. */
static void stop_for_missing(struct kernel *kernel, enum routine routine,
    const void *address, bool write)
{
    struct missing_import *import = missing_at(kernel, (uintptr_t)address);

    if (import != NULL) {
        missing_stop(kernel, import, write ? MISSING_WRITTEN : MISSING_READ,
            routine_rows[routine].name);
    }
}

/* Which accesses a routine of the kernel would make of them, and of how many
 * bytes, nobody has written down. */
static void stop_for_device(
    struct kernel *kernel, enum routine routine, const void *address)
{
    uint64_t physical;

    if (io_space_is_device(kernel, (uintptr_t)address, false, &physical)) {
        run_end_stop(kernel, RUN_NOT_MODELLED,
            "%s is given registers of a device, at physical address 0x%llX, "
            "which only a driver's own code can access",
            routine_rows[routine].name, (unsigned long long)physical);
    }
}

/* What may not be touched: raises at the caller, or ends the run. */
static _Noreturn void refuse(struct kernel *kernel, enum routine routine,
    const void *address, size_t size, bool write)
{
    const struct memory *memory = &kernel->machine->memory;
    const struct memory_block *block = memory_find(memory, address);
    struct exception_record record = {.code = STATUS_ACCESS_VIOLATION,
        .routine = routine,
        .address = address,
        .write = write};

    assert(size > 0);
    stop_for_missing(kernel, routine, address, write);
    stop_for_device(kernel, routine, address);
    if (block != NULL && block->context == kernel->event_buffers &&
        !memory_allows(memory, address, 1, MEMORY_READ)) {
        refuse_closed(kernel, routine, write);
    }
    if (block != NULL) {
        /* The first byte past the block is the one that faults. */
        record.address = block->start + block->size;
    }
    exception_raise(kernel, &record);
}

void copy_probe(struct kernel *kernel, enum routine routine,
    const void *address, size_t size, bool write)
{
    const struct memory *memory = &kernel->machine->memory;
    unsigned access = write ? MEMORY_WRITE : MEMORY_READ;

    assert(routine < ROUTINE_COUNT); /* a caller's pointer, no instruction's */
    if (memory_allows_unpaged(memory, address, size, access)) { /* usual */
        probing_judge(kernel, routine, address, size);
    } else if (memory_allows(memory, address, size, access)) {
        copy_page_in(kernel, routine, address, size, write);
        probing_judge(kernel, routine, address, size);
    } else if (!stack_pool_holds(
                   &kernel->machine->guest_stacks, address, size)) {
        refuse(kernel, routine, address, size, write);
    }
}

/* The kernel's end of a copy: the other one is what is checked. */
static bool is_ours(const struct kernel *kernel, const void *address)
{
    return !memory_is_region(&kernel->machine->memory, (uintptr_t)address);
}

void copy_in(struct kernel *kernel, enum routine routine, void *to,
    const void *from, size_t size)
{
    assert(is_ours(kernel, to));
    copy_probe(kernel, routine, from, size, false);
    if (size > 0) { /* with nothing to copy NULL is fine */
        memcpy(to, from, size);
    }
}

void copy_out(struct kernel *kernel, enum routine routine, void *to,
    const void *from, size_t size)
{
    assert(is_ours(kernel, from));
    copy_probe(kernel, routine, to, size, true);
    if (size > 0) {
        memcpy(to, from, size);
    }
}

void copy_out_later(struct kernel *kernel, enum routine routine, void *to,
    const void *from, size_t size)
{
    struct memory *memory = &kernel->machine->memory;

    if (memory_allows(memory, to, size, MEMORY_WRITE) &&
        memory_is_pageable(memory, to, size)) {
        page_in(memory, to, size);
    } else {
        copy_probe(kernel, routine, to, size, true);
    }
    if (size > 0) {
        memmove(to, from, size);
    }
}

void copy_move(struct kernel *kernel, enum routine routine, void *to,
    const void *from, size_t size)
{
    copy_probe(kernel, routine, from, size, false);
    copy_probe(kernel, routine, to, size, true);
    if (size > 0) {
        memmove(to, from, size);
    }
}

static bool read_by_copy(void *context, void *to, uint64_t address, size_t size)
{
    const struct copy_text_source *source = context;

    copy_in(source->kernel, source->routine, to,
        (const void *)(uintptr_t)address, size);
    return true;
}

struct guest_reader copy_text_reader(struct copy_text_source *source)
{
    return (struct guest_reader){.context = source, .read = read_by_copy};
}

size_t copy_text_length(struct kernel *kernel, enum routine routine,
    const void *address, size_t unit, size_t most)
{
    struct copy_text_source source = {kernel, routine};
    const struct guest_reader reader = copy_text_reader(&source);
    uint8_t piece[2 * GUEST_TEXT_PIECE];
    size_t length = 0;

    assert(unit * GUEST_TEXT_PIECE <= sizeof(piece));
    while (length < most) {
        size_t wanted =
            most - length < GUEST_TEXT_PIECE ? most - length : GUEST_TEXT_PIECE;
        size_t got = guest_text_read(&reader,
            (uint64_t)(uintptr_t)address + length * unit, unit, piece, wanted);

        assert(got <= wanted); /* the reader raises, it does not fail */
        length += got;
        if (got < wanted) {
            break;
        }
    }
    return length;
}
