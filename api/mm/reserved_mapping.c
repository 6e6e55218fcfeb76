/* reserved_mapping.c - MmAllocateMappingAddress and its kin: addresses that are
 * reserved once and show one MDL after another. */
#include "api/mm/reserved_mapping.h"

#include <assert.h>
#include <stddef.h>

#include "api/core/kernel.h"
#include "api/core/place.h"
#include "api/core/routine_bodies.h"
#include "api/mm/claim.h"
#include "api/mm/copy.h"
#include "api/mm/mdl.h"
#include "api/mm/mdl_map.h"

/* Parameter 1 of SYSTEM_PTE_MISUSE. */
enum misuse {
    NEVER_MAPPED = 0x6,
    NOTHING_ASKED = 0x100,
    FREED_BY_OTHER = 0x101,
    FREED_EMPTY = 0x102,
    FREED_MAPPED = 0x103,
    MAPPED_BY_OTHER = 0x104,
    MAPPED_NOWHERE = 0x105,
    MAPPED_TWICE = 0x107,
    UNMAPPED_BY_OTHER = 0x108,
    UNMAPPED_NOWHERE = 0x109,
    UNMAPPED_MORE_THAN_THERE = 0x10A,
    UNMAPPED_NOT_MAPPED = 0x10B,
    UNMAPPED_IN_PART = 0x10C,
};

static _Noreturn void stop(struct kernel *kernel, enum routine routine,
    enum misuse misuse, uint64_t second, uint64_t third, uint64_t fourth)
{
    const struct bugcheck_parameter parameter[4] = {{.value = misuse},
        {.value = second}, {.value = third}, {.value = fourth}};

    rule_stop(
        kernel, kernel_cpu(kernel), RULE_MDL_RESERVED, routine, parameter);
}

/* The range in whose first page the address lies: drivers have either its
 * beginning or that of what is mapped there (MDL-14d [C]). */
static struct claim *range_at(const struct kernel *kernel, const void *address)
{
    return claim_find(kernel, CLAIM_RESERVED,
        (uintptr_t)address / MEMORY_PAGE_BYTES * MEMORY_PAGE_BYTES);
}

/* The one that shows the MDL; NULL: none does. */
static struct claim *range_of(struct kernel *kernel, uint64_t mdl)
{
    struct claim *claim = kernel->claims->first;

    while (
        claim != NULL && (claim->kind != CLAIM_RESERVED || claim->mdl != mdl)) {
        claim = claim->next;
    }
    return claim;
}

static void empty(struct kernel *kernel, struct claim *claim)
{
    struct memory *memory = &kernel->machine->memory;

    claim->mdl = 0;
    claim->mapped_pages = 0;
    frames_hide(memory, claim->block, claim->pages);
}

PVOID MmAllocateMappingAddress_body(SIZE_T NumberOfBytes, ULONG PoolTag)
{
    const enum routine routine = ROUTINE_MmAllocateMappingAddress;
    struct kernel *kernel = kernel_current();
    struct memory *memory = &kernel->machine->memory;
    uint64_t pages = NumberOfBytes / MEMORY_PAGE_BYTES +
                     (NumberOfBytes % MEMORY_PAGE_BYTES != 0);
    struct claim given = {
        .kind = CLAIM_RESERVED, .bytes = NumberOfBytes, .tag = PoolTag};

    if (pages == 0) {
        stop(kernel, routine, NOTHING_ASKED, 0, PoolTag, place_current(kernel));
    }
    if (pages > UINT32_MAX) {
        return NULL;
    }
    given.pages = (uint32_t)pages;
    given.block = memory_alloc(memory, pages * MEMORY_PAGE_BYTES, 0);
    if (given.block == NULL) {
        return NULL;
    }
    given.address = (uintptr_t)given.block;
    run_needs(kernel,
        memory_set(memory, given.block, pages, MEMORY_NONE, false)
            ? claim_add(kernel, &given)
            : NULL,
        "reserved addresses");
    return given.block;
}

VOID MmFreeMappingAddress_body(PVOID BaseAddress, ULONG PoolTag)
{
    const enum routine routine = ROUTINE_MmFreeMappingAddress;
    struct kernel *kernel = kernel_current();
    struct claim *claim =
        claim_find(kernel, CLAIM_RESERVED, (uintptr_t)BaseAddress);

    if (claim == NULL) {
        stop(kernel, routine, FREED_EMPTY, (uintptr_t)BaseAddress, PoolTag, 0);
    }
    if (claim->tag != PoolTag) {
        stop(kernel, routine, FREED_BY_OTHER, claim->address, PoolTag,
            claim->tag);
    }
    if (claim->mdl != 0) {
        stop(kernel, routine, FREED_MAPPED, claim->address, PoolTag,
            claim->pages);
    }
    claim_end(kernel, routine, claim);
}

/* What stops the machine, whatever the MDL is. */
static struct claim *range_to_map(
    struct kernel *kernel, enum routine routine, PVOID address, ULONG tag)
{
    struct claim *claim =
        claim_find(kernel, CLAIM_RESERVED, (uintptr_t)address);

    if (claim == NULL) {
        stop(kernel, routine, MAPPED_NOWHERE, (uintptr_t)address, tag, 0);
    }
    if (claim->tag != tag) {
        stop(kernel, routine, MAPPED_BY_OTHER, claim->address, tag, claim->tag);
    }
    if (claim->mdl != 0) {
        stop(kernel, routine, MAPPED_TWICE, claim->address, claim->address,
            claim->address + (claim->pages - 1) * (uint64_t)MEMORY_PAGE_BYTES);
    }
    return claim;
}

/* An MDL that is not for this; a rule event says so (MDL-14d [C]). */
static bool is_refused(struct kernel *kernel, const struct map_request *request)
{
    bool is_pool = (request->mdl.MdlFlags & MDL_SOURCE_IS_NONPAGED_POOL) != 0;

    if (!is_pool && !map_request_is_shown(request)) {
        return false;
    }
    rule_warn(kernel, kernel_cpu(kernel),
        is_pool ? RULE_MDL_MAP_KIND : RULE_MDL_MAP_TWICE, request->routine);
    return true;
}

PVOID MmMapLockedPagesWithReservedMapping_body(PVOID MappingAddress,
    ULONG PoolTag, PMDL MemoryDescriptorList, MEMORY_CACHING_TYPE CacheType)
{
    const enum routine routine = ROUTINE_MmMapLockedPagesWithReservedMapping;
    struct kernel *kernel = kernel_current();
    struct map_request request =
        map_request_of(kernel, routine, MemoryDescriptorList);
    MDL *mdl = &request.mdl;
    uint32_t pages = mdl_pages(mdl_address(mdl), mdl->ByteCount);
    struct claim *claim =
        range_to_map(kernel, routine, MappingAddress, PoolTag);

    (void)CacheType; /* of pages that have one already (MDL-08c) */
    if (is_refused(kernel, &request)) {
        return NULL;
    }
    map_request_check_locked(kernel, &request);
    copy_probe(kernel, routine, request.at + 1, pages * sizeof(uint64_t), true);
    request.kept = mdl_keep(kernel, request.at, MDL_OF_DRIVER);
    if (pages == 0 || pages > claim->pages) {
        return NULL;
    }
    if (!memory_set(&kernel->machine->memory, claim->block, pages,
            MEMORY_READ | MEMORY_WRITE, false) ||
        !map_request_show(kernel, &request, claim->block, pages)) {
        empty(kernel, claim);
        return NULL;
    }
    claim->mdl = (uintptr_t)request.at;
    claim->mapped_pages = pages;
    request.kept->mapped = true;
    request.kept->mapped_at = claim->address + mdl->ByteOffset;
    mdl->MappedSystemVa = (PVOID)(uintptr_t)claim->address;
    mdl->MdlFlags |= MDL_MAPPED_TO_SYSTEM_VA;
    copy_out(kernel, routine, request.at, mdl, sizeof(*mdl));
    return (PVOID)(uintptr_t)request.kept->mapped_at;
}

/* Whether just this is what the MDL is mapped in, or the machine stops. */
static void check_unmap(struct kernel *kernel, const struct claim *claim,
    ULONG tag, const struct map_request *request)
{
    const enum routine routine = ROUTINE_MmUnmapReservedMapping;
    uint32_t pages =
        mdl_pages(mdl_address(&request->mdl), request->mdl.ByteCount);

    if (claim->tag != tag) {
        stop(kernel, routine, UNMAPPED_BY_OTHER, claim->address, tag,
            claim->tag);
    }
    if (pages > claim->pages) {
        stop(kernel, routine, UNMAPPED_MORE_THAN_THERE, claim->address,
            claim->pages, pages);
    }
    if (claim->mapped_pages < pages) {
        stop(kernel, routine, UNMAPPED_NOT_MAPPED, claim->address, tag, pages);
    }
    if (claim->mapped_pages > pages) {
        stop(kernel, routine, UNMAPPED_IN_PART, claim->address, tag, pages);
    }
    if (claim->mdl != (uintptr_t)request->at) {
        stop(kernel, routine, NEVER_MAPPED, (uintptr_t)request->at,
            claim->address, pages);
    }
}

VOID MmUnmapReservedMapping_body(
    PVOID BaseAddress, ULONG PoolTag, PMDL MemoryDescriptorList)
{
    const enum routine routine = ROUTINE_MmUnmapReservedMapping;
    struct kernel *kernel = kernel_current();
    struct map_request request =
        map_request_of(kernel, routine, MemoryDescriptorList);
    struct claim *claim = range_at(kernel, BaseAddress);

    if (claim == NULL) {
        stop(kernel, routine, UNMAPPED_NOWHERE, (uintptr_t)BaseAddress, PoolTag,
            0);
    }
    check_unmap(kernel, claim, PoolTag, &request);
    assert(request.kept != NULL && request.kept->mapped);
    request.mdl.MdlFlags &= (CSHORT)~MDL_MAPPED_TO_SYSTEM_VA;
    copy_out(kernel, routine, MemoryDescriptorList, &request.mdl, sizeof(MDL));
    empty(kernel, claim);
    mdl_unmap(kernel, routine, request.kept);
    if (request.kept->kind == MDL_OF_DRIVER && request.kept->locked == 0) {
        mdl_forget(kernel, request.kept);
    }
}

bool reserved_mapping_has(struct kernel *kernel, const struct mdl *mdl)
{
    return range_of(kernel, mdl->stored.address) != NULL;
}

void reserved_mapping_lost(
    struct kernel *kernel, enum routine routine, const struct mdl *mdl)
{
    struct claim *claim = range_of(kernel, mdl->stored.address);

    if (claim != NULL) {
        rule_warn_about(kernel, kernel_cpu(kernel), RULE_MDL_RESERVED_LOST,
            routine, claim->place);
        empty(kernel, claim);
    }
}

bool reserved_mapping_is_empty(const struct kernel *kernel, uint64_t address)
{
    const struct claim *claim = kernel->claims->first;

    while (
        claim != NULL && (claim->kind != CLAIM_RESERVED ||
                             address - claim->address >=
                                 (uint64_t)claim->pages * MEMORY_PAGE_BYTES)) {
        claim = claim->next;
    }
    return claim != NULL;
}
