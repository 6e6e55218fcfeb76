/* copy_memory.c - MmCopyMemory: bytes of any address, virtual or physical, as
 * far as they are there (MMIO-44a). */
#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "api/core/kernel.h"
#include "api/core/routine_bodies.h"
#include "api/mm/copy.h"
#include "api/mm/given_memory.h"
#include "api/mm/io_space.h"
#include "api/mm/physical.h"

enum { COPY_PHYSICAL = 1, COPY_VIRTUAL = 2 };

/* Whether the physical page is memory and not I/O space. */
static bool is_memory(const struct kernel *kernel, uint64_t page)
{
    const struct given_range *range = given_memory_in(kernel, page);

    return range == NULL ? io_space_is_ram(kernel, page)
                         : range->kind == GIVEN_RAM;
}

/* The bytes of so many at the physical address, all in one page; NULL: they are
 * not memory. */
static const uint8_t *physical_bytes(struct kernel *kernel, uint64_t address)
{
    uint64_t page = address / MEMORY_PAGE_BYTES;
    const struct given_range *range = given_memory_in(kernel, page);
    const uint8_t *bytes;

    if (!is_memory(kernel, page)) {
        return NULL;
    }
    bytes = range == NULL ? frames_bytes(&kernel->machine->memory, page)
                          : given_memory_bytes(kernel, range, page);
    return bytes == NULL ? NULL : bytes + address % MEMORY_PAGE_BYTES;
}

/* The same of the virtual address; what is paged out is brought in. */
static const uint8_t *virtual_bytes(
    struct kernel *kernel, uint64_t address, size_t size)
{
    struct memory *memory = &kernel->machine->memory;
    const uint8_t *at = (const uint8_t *)(uintptr_t)address;

    if (stack_pool_holds(&kernel->machine->guest_stacks, at, size)) {
        return at;
    }
    if (!memory_allows(memory, at, size, MEMORY_READ) ||
        !is_memory(kernel, frames_number(memory, at))) {
        return NULL;
    }
    if (memory_is_pageable(memory, at, size)) {
        memory_page_in(memory, at);
    }
    return at;
}

/* Copies page by page until one is not there: how many bytes it was. */
static uint64_t copy_bytes(struct kernel *kernel, uint8_t *to, uint64_t from,
    uint64_t size, bool physical)
{
    uint64_t done = 0;

    while (done < size) {
        uint64_t at = from + done;
        uint64_t rest = MEMORY_PAGE_BYTES - at % MEMORY_PAGE_BYTES;
        size_t piece = (size_t)(rest < size - done ? rest : size - done);
        const uint8_t *bytes = physical ? physical_bytes(kernel, at)
                                        : virtual_bytes(kernel, at, piece);

        if (bytes == NULL) {
            break;
        }
        memmove(to + done, bytes, piece);
        done += piece;
    }
    return done;
}

NTSTATUS MmCopyMemory_body(PVOID TargetAddress, ULONGLONG SourceAddress,
    SIZE_T NumberOfBytes, ULONG Flags, PULONG64 NumberOfBytesTransferred)
{
    const enum routine routine = ROUTINE_MmCopyMemory;
    struct kernel *kernel = kernel_current();
    SIZE_T done;

    copy_probe(kernel, routine, NumberOfBytesTransferred,
        sizeof(*NumberOfBytesTransferred), true);
    if (Flags != COPY_PHYSICAL && Flags != COPY_VIRTUAL) {
        return STATUS_INVALID_PARAMETER;
    }
    if (memory_is_pageable(
            &kernel->machine->memory, TargetAddress, NumberOfBytes)) {
        rule_warn(kernel, kernel_cpu(kernel), RULE_MM_COPY_TARGET, routine);
    }
    copy_probe(kernel, routine, TargetAddress, NumberOfBytes, true);
    done = copy_bytes(kernel, TargetAddress, SourceAddress, NumberOfBytes,
        Flags == COPY_PHYSICAL);
    copy_out(kernel, routine, NumberOfBytesTransferred, &done, sizeof(done));
    return done == NumberOfBytes ? STATUS_SUCCESS : STATUS_ACCESS_VIOLATION;
}
