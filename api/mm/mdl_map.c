/* mdl_map.c - MmMapLockedPagesSpecifyCache and its kin: the pages of an MDL at
 * a second address, where they are the same pages. */
#include <assert.h>
#include <stddef.h>

#include "api/core/kernel.h"
#include "api/core/routine_bodies.h"
#include "api/core/run_end.h"
#include "api/mm/copy.h"
#include "api/mm/given_memory.h"
#include "api/mm/mdl.h"
#include "api/mm/mdl_map.h"
#include "api/mm/mdl_user.h"
#include "api/mm/page_protection.h"
#include "api/mm/physical.h"
#include "api/mm/reserved_mapping.h"

enum {
    MODE_KERNEL = 0,
    MAP_UNLOCKED = 0x1233, /* parameter 1 of MEMORY_MANAGEMENT */
    NOT_MAPPED = 6,        /* of SYSTEM_PTE_MISUSE */
};

#define MAPPING_NO_WRITE UINT32_C(0x80000000) /* of a priority (MDL-08c) */

static void warn(struct kernel *kernel, enum rule rule, enum routine routine)
{
    rule_warn(kernel, kernel_cpu(kernel), rule, routine);
}

bool map_request_show(struct kernel *kernel, const struct map_request *request,
    uint8_t *block, uint32_t pages)
{
    struct memory *memory = &kernel->machine->memory;
    const uint64_t *numbers = (const uint64_t *)(const void *)(request->at + 1);

    for (uint32_t i = 0; i < pages; i++) {
        uint64_t number;

        copy_in(kernel, request->routine, &number, &numbers[i], sizeof(number));
        if (given_memory_in(kernel, number) != NULL) {
            run_end_stop(kernel, RUN_NOT_MODELLED,
                "%s of memory that the scenario gives, at physical address "
                "0x%llX, is not modelled",
                routine_rows[request->routine].name,
                (unsigned long long)number * MEMORY_PAGE_BYTES);
        }
        if (!frames_show(
                memory, block + (size_t)i * MEMORY_PAGE_BYTES, number)) {
            return false;
        }
    }
    return true;
}

/* A block that shows the MDL's pages; NULL: there is no room. */
static uint8_t *new_mapping(
    struct kernel *kernel, const struct map_request *request)
{
    struct memory *memory = &kernel->machine->memory;
    uint32_t pages =
        mdl_pages(mdl_address(&request->mdl), request->mdl.ByteCount);
    uint8_t *block;

    copy_probe(kernel, request->routine, request->at + 1,
        pages * sizeof(uint64_t), false);
    block = pages == 0
                ? NULL
                : memory_alloc(memory, (size_t)pages * MEMORY_PAGE_BYTES, 0);
    if (block == NULL) {
        return NULL;
    }
    if (!map_request_show(kernel, request, block, pages) ||
        (request->read_only &&
            !memory_set(memory, block, pages, MEMORY_READ, false))) {
        memory_free(memory, block);
        return NULL;
    }
    return block;
}

void map_request_check_locked(
    struct kernel *kernel, const struct map_request *request)
{
    const struct bugcheck_parameter parameter[4] = {{.value = MAP_UNLOCKED},
        {.value = physical_page(kernel, mdl_address(&request->mdl))}};
    const struct mdl *kept = request->kept;
    bool holds = kept != NULL && (kept->locked != 0 || kept->holds_pages ||
                                     request->mdl.ByteCount == 0);

    if (!holds && (request->mdl.MdlFlags & MDL_PARTIAL) == 0) {
        rule_stop(kernel, kernel_cpu(kernel), RULE_MDL_MAP_UNLOCKED,
            request->routine, parameter);
    }
}

/* Maps it, and says so in the MDL. NULL: there is no room. */
static void *map(struct kernel *kernel, struct map_request *request)
{
    MDL *mdl = &request->mdl;
    bool stack = physical_is_stack(kernel, mdl_address(mdl));
    struct mdl *kept = mdl_keep(kernel, request->at, MDL_OF_DRIVER);
    uint8_t *block;

    /* A stack's page is where it is: the driver gets its own address. */
    block = stack ? NULL : new_mapping(kernel, request);
    if (block == NULL && !stack) {
        return NULL;
    }
    kept->mapping = block;
    kept->mapped = true;
    kept->mapped_at =
        stack ? mdl_address(mdl) : (uintptr_t)block + mdl->ByteOffset;
    mdl->MappedSystemVa = (PVOID)(uintptr_t)kept->mapped_at;
    mdl->MdlFlags |= MDL_MAPPED_TO_SYSTEM_VA;
    if ((mdl->MdlFlags & MDL_PARTIAL) != 0) {
        mdl->MdlFlags |= MDL_PARTIAL_HAS_BEEN_MAPPED;
    }
    copy_out(kernel, request->routine, request->at, mdl, sizeof(*mdl));
    return mdl->MappedSystemVa;
}

bool map_request_is_shown(const struct map_request *request)
{
    return (request->mdl.MdlFlags & MDL_MAPPED_TO_SYSTEM_VA) != 0 ||
           (request->kept != NULL && request->kept->mapped);
}

/* The system address of the MDL's buffer; NULL: there is no room. */
static void *map_checked(struct kernel *kernel, struct map_request *request)
{
    const MDL *mdl = &request->mdl;

    if ((mdl->MdlFlags & MDL_SOURCE_IS_NONPAGED_POOL) != 0) {
        warn(kernel, RULE_MDL_MAP_KIND, request->routine);
        return mdl->MappedSystemVa;
    }
    if (map_request_is_shown(request)) {
        warn(kernel, RULE_MDL_MAP_TWICE, request->routine);
        return mdl->MappedSystemVa;
    }
    map_request_check_locked(kernel, request);
    return map(kernel, request);
}

/* The address in the current process, of nonpaged pool's MDL, too; raises. */
static void *map_user(
    struct kernel *kernel, const struct map_request *request, PVOID wanted)
{
    const struct mdl_user_request user = {.routine = request->routine,
        .at = request->at,
        .mdl = request->mdl,
        .read_only = request->read_only,
        .wanted = (uintptr_t)wanted};

    if ((request->mdl.MdlFlags & MDL_SOURCE_IS_NONPAGED_POOL) == 0) {
        map_request_check_locked(kernel, request);
    }
    return mdl_user_map(kernel, &user);
}

struct map_request map_request_of(
    struct kernel *kernel, enum routine routine, MDL *at)
{
    return (struct map_request){.routine = routine,
        .at = at,
        .mdl = mdl_read(kernel, routine, at),
        .kept = mdl_find(kernel, at)};
}

PVOID MmMapLockedPagesSpecifyCache_body(PMDL MemoryDescriptorList,
    KPROCESSOR_MODE AccessMode, MEMORY_CACHING_TYPE CacheType,
    PVOID RequestedAddress, ULONG BugCheckOnFailure, ULONG Priority)
{
    const enum routine routine = ROUTINE_MmMapLockedPagesSpecifyCache;
    struct kernel *kernel = kernel_current();
    struct map_request request =
        map_request_of(kernel, routine, MemoryDescriptorList);

    (void)CacheType; /* of pages that have one already (MDL-08c) */
    request.read_only = (Priority & MAPPING_NO_WRITE) != 0;
    if (AccessMode != MODE_KERNEL) {
        return map_user(kernel, &request, RequestedAddress);
    }
    if (BugCheckOnFailure != 0) {
        warn(kernel, RULE_MDL_MAP_MAY_STOP, routine);
    }
    return map_checked(kernel, &request);
}

PVOID MmMapLockedPages_body(
    PMDL MemoryDescriptorList, KPROCESSOR_MODE AccessMode)
{
    const enum routine routine = ROUTINE_MmMapLockedPages;
    static const struct bugcheck_parameter none[4];
    struct kernel *kernel = kernel_current();
    struct map_request request =
        map_request_of(kernel, routine, MemoryDescriptorList);
    void *address;

    warn(kernel, RULE_MDL_MAP_OBSOLETE, routine);
    if (AccessMode != MODE_KERNEL) {
        return map_user(kernel, &request, NULL);
    }
    address = map_checked(kernel, &request);
    if (address == NULL) {
        rule_stop(
            kernel, kernel_cpu(kernel), RULE_MDL_MAP_FAILED, routine, none);
    }
    return address;
}

static _Noreturn void refuse_unmap(
    struct kernel *kernel, const MDL *at, const void *address)
{
    const struct bugcheck_parameter parameter[4] = {{.value = NOT_MAPPED},
        {.value = (uintptr_t)at}, {.value = (uintptr_t)address}};

    rule_stop(kernel, kernel_cpu(kernel), RULE_MDL_UNMAP,
        ROUTINE_MmUnmapLockedPages, parameter);
}

VOID MmUnmapLockedPages_body(PVOID BaseAddress, PMDL MemoryDescriptorList)
{
    const enum routine routine = ROUTINE_MmUnmapLockedPages;
    const int gone = MDL_MAPPED_TO_SYSTEM_VA | MDL_PARTIAL_HAS_BEEN_MAPPED;
    struct kernel *kernel = kernel_current();
    struct map_request request =
        map_request_of(kernel, routine, MemoryDescriptorList);
    struct mdl *kept = request.kept;

    if (mdl_user_unmap(
            kernel, routine, MemoryDescriptorList, (uintptr_t)BaseAddress)) {
        return;
    }
    if ((request.mdl.MdlFlags &
            (MDL_SOURCE_IS_NONPAGED_POOL | MDL_PARENT_MAPPED_SYSTEM_VA)) != 0) {
        warn(kernel, RULE_MDL_MAP_KIND, routine);
        return;
    }
    if (kept == NULL || !kept->mapped ||
        kept->mapped_at != (uintptr_t)BaseAddress ||
        reserved_mapping_has(kernel, kept)) {
        refuse_unmap(kernel, MemoryDescriptorList, BaseAddress);
    }
    request.mdl.MdlFlags &= (CSHORT)~gone;
    copy_out(kernel, routine, MemoryDescriptorList, &request.mdl, sizeof(MDL));
    mdl_unmap(kernel, routine, kept);
    if (kept->kind == MDL_OF_DRIVER && kept->locked == 0) {
        mdl_forget(kernel, kept);
    }
}

NTSTATUS MmProtectMdlSystemAddress_body(
    PMDL MemoryDescriptorList, ULONG NewProtect)
{
    const enum routine routine = ROUTINE_MmProtectMdlSystemAddress;
    struct kernel *kernel = kernel_current();
    struct memory *memory = &kernel->machine->memory;
    struct map_request request =
        map_request_of(kernel, routine, MemoryDescriptorList);
    struct page_protection said;

    /* Nothing goes with it (MDL-12). */
    if (!page_protection_read(NewProtect, &said) || said.base != NewProtect) {
        return STATUS_INVALID_PAGE_PROTECTION;
    }
    if (request.kept == NULL || request.kept->mapping == NULL) {
        return STATUS_NOT_MAPPED_VIEW;
    }
    page_protection_set(kernel, (uintptr_t)request.kept->mapping,
        memory_find(memory, request.kept->mapping)->pages, said.access);
    return STATUS_SUCCESS;
}
