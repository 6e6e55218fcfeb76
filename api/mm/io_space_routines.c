/* io_space_routines.c - MmMapIoSpace and its kin, MmGetPhysicalAddress,
 * MmIsAddressValid. */
#include <assert.h>
#include <stddef.h>

#include "api/core/kernel.h"
#include "api/core/routine_bodies.h"
#include "api/mm/claim.h"
#include "api/mm/io_space.h"
#include "api/mm/page_lock.h"
#include "api/mm/page_protection.h"
#include "api/mm/physical.h"
#include "api/mm/physical_room.h"

/* Parameter 1 of SYSTEM_PTE_MISUSE. */
enum { MISUSE_SIZE = 2, MISUSE_BASE = 3 };

static void warn(struct kernel *kernel, enum rule rule, enum routine routine)
{
    rule_warn(kernel, kernel_cpu(kernel), rule, routine);
}

struct io_request {
    enum routine routine;
    uint64_t address, bytes;
    MEMORY_CACHING_TYPE cache;
    unsigned access;
};

/* Whether an MDL has locked the page of RAM. */
static bool is_locked(const struct kernel *kernel, uint64_t page)
{
    const struct memory *memory = &kernel->machine->memory;

    if (page < FRAMES_REGION) {
        return physical_room_of(kernel, page) != NULL;
    }
    return page_lock_count(
               kernel, (uintptr_t)memory->base +
                           (page - FRAMES_REGION) * MEMORY_PAGE_BYTES) > 0;
}

/* RAM that nobody has locked, and pages that have another cache type already
 * (MMIO-04 [C], MMIO-05b [C]). */
static void check_pages(struct kernel *kernel, const struct io_request *request,
    uint64_t first, uint32_t count)
{
    const struct claim *other = kernel->claims->first;
    bool unlocked = false, mixed = false;

    for (uint32_t i = 0; i < count; i++) {
        unlocked |=
            io_space_is_ram(kernel, first + i) && !is_locked(kernel, first + i);
    }
    for (; other != NULL; other = other->next) {
        mixed |= other->kind != CLAIM_USER_MAPPING &&
                 other->cache != request->cache &&
                 first < other->first + other->pages &&
                 other->first < first + count;
    }
    if (unlocked) {
        warn(kernel, RULE_MM_MAPS_RAM, request->routine);
    }
    if (mixed) {
        warn(kernel, RULE_MM_CACHE_MIXED, request->routine);
    }
}

static PVOID map(struct kernel *kernel, const struct io_request *request)
{
    struct memory *memory = &kernel->machine->memory;
    uint64_t offset = request->address % MEMORY_PAGE_BYTES;
    uint64_t pages =
        (offset + request->bytes + MEMORY_PAGE_BYTES - 1) / MEMORY_PAGE_BYTES;
    struct claim given = {.kind = CLAIM_IO_SPACE,
        .bytes = request->bytes,
        .first = request->address / MEMORY_PAGE_BYTES,
        .pages = (uint32_t)pages,
        .cache = request->cache,
        .writable = (request->access & MEMORY_WRITE) != 0};

    if (pages > FRAMES_MOST) {
        return NULL;
    }
    check_pages(kernel, request, given.first, given.pages);
    given.block = memory_alloc(memory, (size_t)pages * MEMORY_PAGE_BYTES, 0);
    if (given.block == NULL) {
        return NULL;
    }
    given.address = (uintptr_t)given.block + offset;
    if (!io_space_show(
            kernel, given.block, given.first, given.pages, request->access)) {
        memory_free(memory, given.block);
        return NULL;
    }
    claim_add(kernel, &given);
    return (PVOID)(uintptr_t)given.address;
}

static PVOID map_checked(
    struct kernel *kernel, const struct io_request *request)
{
    if (request->bytes == 0) { /* Q9 [C] */
        warn(kernel, RULE_MM_ZERO_BYTES, request->routine);
        return NULL;
    }
    return request->bytes > (uint64_t)FRAMES_MOST * MEMORY_PAGE_BYTES
               ? NULL
               : map(kernel, request);
}

PVOID MmMapIoSpace_body(ULONGLONG PhysicalAddress, SIZE_T NumberOfBytes,
    MEMORY_CACHING_TYPE CacheType)
{
    const struct io_request request = {.routine = ROUTINE_MmMapIoSpace,
        .address = PhysicalAddress,
        .bytes = NumberOfBytes,
        .cache = CacheType,
        .access = MEMORY_READ | MEMORY_WRITE};

    return map_checked(kernel_current(), &request);
}

/* A protection that says nothing, too much, or that nobody may touch it gives
 * no mapping (MMIO-07b [C]). */
PVOID MmMapIoSpaceEx_body(
    ULONGLONG PhysicalAddress, SIZE_T NumberOfBytes, ULONG Protect)
{
    struct io_request request = {.routine = ROUTINE_MmMapIoSpaceEx,
        .address = PhysicalAddress,
        .bytes = NumberOfBytes};
    struct page_protection said;

    if (!page_protection_read(Protect, &said) || said.base == PAGE_NOACCESS) {
        return NULL;
    }
    request.cache = said.cache;
    request.access = said.access;
    return map_checked(kernel_current(), &request);
}

VOID MmUnmapIoSpace_body(PVOID BaseAddress, SIZE_T NumberOfBytes)
{
    struct kernel *kernel = kernel_current();
    struct claim *claim =
        claim_find(kernel, CLAIM_IO_SPACE, (uintptr_t)BaseAddress);
    const struct bugcheck_parameter parameter[4] = {
        {.value = claim == NULL ? MISUSE_BASE : MISUSE_SIZE},
        {.value = (uintptr_t)BaseAddress}, {.value = NumberOfBytes}};

    if (claim == NULL || claim->bytes != NumberOfBytes) {
        rule_stop(kernel, kernel_cpu(kernel), RULE_MM_UNMAP_IO_SPACE,
            ROUTINE_MmUnmapIoSpace, parameter);
    }
    claim_end(kernel, ROUTINE_MmUnmapIoSpace, claim);
}

BOOLEAN MmIsAddressValid_body(PVOID VirtualAddress)
{
    struct kernel *kernel = kernel_current();
    uint64_t physical;

    return memory_is_resident(&kernel->machine->memory, VirtualAddress, 1) ||
           physical_is_stack(kernel, (uintptr_t)VirtualAddress) ||
           io_space_is_device(
               kernel, (uintptr_t)VirtualAddress, false, &physical);
}

ULONGLONG MmGetPhysicalAddress_body(PVOID BaseAddress)
{
    struct kernel *kernel = kernel_current();
    const struct memory *memory = &kernel->machine->memory;
    uint64_t address = (uintptr_t)BaseAddress;
    uint64_t page = physical_page(kernel, address);

    if (page == PHYSICAL_NONE || memory_is_pageable(memory, BaseAddress, 1)) {
        warn(kernel, RULE_MM_PHYSICAL_OF_NOTHING, ROUTINE_MmGetPhysicalAddress);
    }
    if (page == PHYSICAL_NONE || !MmIsAddressValid_body(BaseAddress)) {
        return 0;
    }
    return page * MEMORY_PAGE_BYTES + address % MEMORY_PAGE_BYTES;
}
