/* mdl_routines.c - IoAllocateMdl and its kin: MDLs that describe memory, whole
 * or in part, and lock nothing. */
#include <assert.h>
#include <inttypes.h>
#include <stddef.h>

#include "api/core/kernel.h"
#include "api/core/routine_bodies.h"
#include "api/core/run_end.h"
#include "api/mm/copy.h"
#include "api/mm/io_space.h"
#include "api/mm/mdl.h"
#include "api/mm/physical.h"

enum {
    BUILD_ABSENT = 0x1240,    /* parameter 1 of MEMORY_MANAGEMENT */
    CALLER_NEVER_POOL = 0x42, /* of BAD_POOL_CALLER */
};

#define LONGEST UINT64_C(0xFFFFF000) /* 4 GiB less a page (MDL-02) */

static void warn(struct kernel *kernel, enum rule rule, enum routine routine)
{
    rule_warn(kernel, kernel_cpu(kernel), rule, routine);
}

/* Where the IRP notes another MDL: behind its chain, or instead of that
 * (MDL-02). Raises. A chain that comes back to itself has no end: Windows would
 * look for it for ever. It is compared with one that was passed before, of
 * which there is another after twice as many (Brent). */
static void *chain_end(struct kernel *kernel, IRP *irp, bool append)
{
    const enum routine routine = ROUTINE_IoAllocateMdl;
    void *at = &irp->MdlAddress;
    const MDL *passed = NULL;
    uint64_t count = 0, mark = 1;
    MDL *next;

    copy_in(kernel, routine, &next, at, sizeof(next));
    while (append && next != NULL) {
        if (next == passed) {
            run_end_stop(kernel, RUN_TIMEOUT,
                "IoAllocateMdl comes to no end of the IRP's MDLs: in their "
                "chain the one at 0x%" PRIX64 " comes again",
                (uint64_t)(uintptr_t)next);
        }
        if (++count == mark) {
            passed = next;
            mark *= 2;
        }
        at = &next->Next;
        copy_in(kernel, routine, &next, at, sizeof(next));
    }
    copy_probe(kernel, routine, at, sizeof(next), true);
    return at;
}

PVOID IoAllocateMdl_body(PVOID VirtualAddress, ULONG Length,
    BOOLEAN SecondaryBuffer, BOOLEAN ChargeQuota, PIRP Irp)
{
    struct kernel *kernel = kernel_current();
    void *at = NULL;
    MDL *mdl;

    if ((Irp == NULL && SecondaryBuffer != 0) || ChargeQuota != 0) {
        warn(kernel, RULE_MDL_ARGUMENTS, ROUTINE_IoAllocateMdl);
    }
    if (Irp != NULL) {
        copy_probe(kernel, ROUTINE_IoAllocateMdl, Irp, sizeof(*Irp), true);
        at = chain_end(kernel, Irp, SecondaryBuffer != 0);
    }
    mdl = Length > LONGEST
              ? NULL
              : mdl_new(kernel, MDL_OF_IO, (uintptr_t)VirtualAddress, Length);
    if (mdl != NULL && at != NULL) {
        copy_out(kernel, ROUTINE_IoAllocateMdl, at, &mdl, sizeof(mdl));
    }
    return mdl;
}

/* What is no MDL of IoAllocateMdl's, or the I/O manager's own. */
static _Noreturn void refuse_free(struct kernel *kernel)
{
    const struct bugcheck_parameter parameter[4] = {
        {.value = CALLER_NEVER_POOL}, {.name = "no MDL of IoAllocateMdl"}};

    rule_stop(kernel, kernel_cpu(kernel), RULE_MDL_BAD_FREE, ROUTINE_IoFreeMdl,
        parameter);
}

VOID IoFreeMdl_body(PMDL Mdl)
{
    struct kernel *kernel = kernel_current();
    struct mdl *mdl = mdl_find(kernel, Mdl);

    if (mdl == NULL || mdl->kind != MDL_OF_IO) {
        refuse_free(kernel);
    }
    if (mdl->locked != 0) {
        warn(kernel, RULE_MDL_FREED_LOCKED, ROUTINE_IoFreeMdl);
    }
    mdl_end(kernel, ROUTINE_IoFreeMdl, mdl);
}

SIZE_T MmSizeOfMdl_body(PVOID Base, SIZE_T Length)
{
    return mdl_size((uintptr_t)Base, Length);
}

/* Whether the buffer is there, page by page: registers of a device, too
 * (MDL-13g [C]). */
static bool is_there(
    const struct kernel *kernel, uint64_t address, uint64_t length)
{
    const struct memory *memory = &kernel->machine->memory;
    uint64_t end = address + length, physical;

    while (address < end) {
        uint64_t rest = MEMORY_PAGE_BYTES - address % MEMORY_PAGE_BYTES;
        uint64_t piece = rest < end - address ? rest : end - address;

        if (!memory_is_resident(
                memory, (const void *)(uintptr_t)address, piece) &&
            !io_space_is_device(kernel, address, false, &physical)) {
            return false;
        }
        address += piece;
    }
    return true;
}

/* What MmBuildMdlForNonPagedPool is given but is not there, or not for good
 * (MDL-05b). */
static void check_nonpaged(struct kernel *kernel, const MDL *at, const MDL *mdl)
{
    const enum routine routine = ROUTINE_MmBuildMdlForNonPagedPool;
    const struct memory *memory = &kernel->machine->memory;
    const struct bugcheck_parameter absent[4] = {
        {.value = BUILD_ABSENT}, {.value = (uintptr_t)at}};
    uint64_t address = mdl_address(mdl);
    const void *bytes = (const void *)(uintptr_t)address;

    if (physical_is_stack(kernel, address)) {
        warn(kernel, RULE_MDL_BUILD_PAGED, routine);
        return;
    }
    if (!is_there(kernel, address, mdl->ByteCount)) {
        rule_stop(
            kernel, kernel_cpu(kernel), RULE_MDL_BUILD_ABSENT, routine, absent);
    }
    if (memory_is_pageable(memory, bytes, mdl->ByteCount)) {
        warn(kernel, RULE_MDL_BUILD_PAGED, routine);
    }
}

VOID MmBuildMdlForNonPagedPool_body(PMDL MemoryDescriptorList)
{
    const enum routine routine = ROUTINE_MmBuildMdlForNonPagedPool;
    struct kernel *kernel = kernel_current();
    MDL mdl = mdl_read(kernel, routine, MemoryDescriptorList);
    const struct mdl *kept = mdl_find(kernel, MemoryDescriptorList);

    if ((mdl.MdlFlags & MDL_SOURCE_IS_NONPAGED_POOL) != 0 ||
        (kept != NULL && kept->locked != 0)) {
        warn(kernel, RULE_MDL_BUILT, routine);
        return;
    }
    check_nonpaged(kernel, MemoryDescriptorList, &mdl);
    mdl_write_pages(kernel, routine, MemoryDescriptorList, mdl_address(&mdl),
        mdl.ByteCount);
    mdl.MdlFlags |= MDL_SOURCE_IS_NONPAGED_POOL;
    mdl.MappedSystemVa = (PVOID)(uintptr_t)mdl_address(&mdl);
    copy_out(kernel, routine, MemoryDescriptorList, &mdl, sizeof(mdl));
}

/* The part of a source that a partial MDL is about. */
struct part {
    uint64_t address, length;
    uint64_t skipped; /* bytes of the source before it */
};

/* Whether it lies in the source, which is built; a rule is broken otherwise. */
static bool part_is_right(
    struct kernel *kernel, const MDL *source, const struct part *part)
{
    const int built =
        MDL_PAGES_LOCKED | MDL_SOURCE_IS_NONPAGED_POOL | MDL_PARTIAL;
    bool right = (source->MdlFlags & built) != 0 &&
                 part->address >= mdl_address(source) &&
                 part->skipped + part->length <= source->ByteCount;

    if (!right) {
        warn(kernel, RULE_MDL_PARTIAL_SOURCE, ROUTINE_IoBuildPartialMdl);
    }
    return right;
}

/* The numbers of its pages, from MDL to MDL. */
static void copy_pages(struct kernel *kernel, const MDL *from, MDL *to,
    uint64_t first, uint32_t count)
{
    const uint64_t *source = (const uint64_t *)(const void *)(from + 1) + first;
    uint64_t *target = (uint64_t *)(void *)(to + 1);

    for (uint32_t i = 0; i < count; i++) {
        copy_move(kernel, ROUTINE_IoBuildPartialMdl, &target[i], &source[i],
            sizeof(*target));
    }
}

static void make_partial(
    const MDL *source, MDL *target, const struct part *part)
{
    int mapped = source->MdlFlags &
                 (MDL_MAPPED_TO_SYSTEM_VA | MDL_SOURCE_IS_NONPAGED_POOL);

    target->MdlFlags = MDL_PARTIAL;
    target->Process = source->Process;
    target->StartVa = (PVOID)(uintptr_t)(part->address / MEMORY_PAGE_BYTES *
                                         MEMORY_PAGE_BYTES);
    target->ByteOffset = (ULONG)(part->address % MEMORY_PAGE_BYTES);
    target->ByteCount = (ULONG)part->length;
    if (mapped != 0) {
        target->MdlFlags |= (CSHORT)mapped;
        target->MappedSystemVa =
            (uint8_t *)source->MappedSystemVa + part->skipped;
    }
    if ((mapped & MDL_MAPPED_TO_SYSTEM_VA) != 0) {
        target->MdlFlags |= MDL_PARENT_MAPPED_SYSTEM_VA;
    }
}

VOID IoBuildPartialMdl_body(
    PMDL SourceMdl, PMDL TargetMdl, PVOID VirtualAddress, ULONG Length)
{
    const enum routine routine = ROUTINE_IoBuildPartialMdl;
    static const struct bugcheck_parameter none[4];
    struct kernel *kernel = kernel_current();
    const MDL source = mdl_read(kernel, routine, SourceMdl);
    MDL target = mdl_read(kernel, routine, TargetMdl);
    struct part part = {.address = (uintptr_t)VirtualAddress,
        .skipped = (uintptr_t)VirtualAddress - mdl_address(&source),
        .length = Length};
    uint32_t pages;

    if (Length == 0) {
        part.length = source.ByteCount - part.skipped;
    }
    if (!part_is_right(kernel, &source, &part)) {
        return;
    }
    pages = mdl_pages(part.address, part.length);
    if ((uint64_t)target.Size < sizeof(MDL) + pages * sizeof(uint64_t)) {
        rule_stop(kernel, kernel_cpu(kernel), RULE_MDL_TARGET_TOO_SMALL,
            routine, none);
    }
    make_partial(&source, &target, &part);
    copy_pages(kernel, SourceMdl, TargetMdl,
        (source.ByteOffset + part.skipped) / MEMORY_PAGE_BYTES, pages);
    copy_out(kernel, routine, TargetMdl, &target, sizeof(target));
}

/* Whole pages at the beginning, which are the driver's no longer. */
static void pass_pages(struct kernel *kernel, MDL *at, MDL *mdl, uint32_t count)
{
    struct mdl *kept = mdl_find(kernel, at);
    uint64_t *numbers = (uint64_t *)(void *)(at + 1);
    uint32_t left = mdl_pages(mdl_address(mdl), mdl->ByteCount);

    for (uint32_t i = 0; i < count && kept != NULL && kept->locked != 0; i++) {
        page_lock_drop(kernel, kept->locked);
        kept->locked += MEMORY_PAGE_BYTES;
        kept->locked_pages--;
        if (kept->locked_pages == 0) {
            kept->locked = 0;
        }
    }
    if (left > 0) {
        copy_move(kernel, ROUTINE_MmAdvanceMdl, numbers, numbers + count,
            left * sizeof(*numbers));
    }
}

NTSTATUS MmAdvanceMdl_body(PMDL Mdl, ULONG NumberOfBytes)
{
    const enum routine routine = ROUTINE_MmAdvanceMdl;
    struct kernel *kernel = kernel_current();
    MDL mdl = mdl_read(kernel, routine, Mdl);
    struct mdl *kept = mdl_find(kernel, Mdl);
    uint64_t address = mdl_address(&mdl);
    uint64_t to = address + NumberOfBytes;

    if (NumberOfBytes > mdl.ByteCount) {
        return STATUS_INVALID_PARAMETER_2;
    }
    mdl.StartVa =
        (PVOID)(uintptr_t)(to / MEMORY_PAGE_BYTES * MEMORY_PAGE_BYTES);
    mdl.ByteOffset = (ULONG)(to % MEMORY_PAGE_BYTES);
    mdl.ByteCount -= NumberOfBytes;
    if ((mdl.MdlFlags &
            (MDL_MAPPED_TO_SYSTEM_VA | MDL_SOURCE_IS_NONPAGED_POOL)) != 0) {
        mdl.MappedSystemVa = (uint8_t *)mdl.MappedSystemVa + NumberOfBytes;
    }
    copy_probe(kernel, routine, Mdl, sizeof(mdl), true);
    if (kept != NULL && kept->mapped) {
        kept->mapped_at += NumberOfBytes;
    }
    pass_pages(kernel, Mdl, &mdl,
        (uint32_t)(to / MEMORY_PAGE_BYTES - address / MEMORY_PAGE_BYTES));
    copy_out(kernel, routine, Mdl, &mdl, sizeof(mdl));
    return STATUS_SUCCESS;
}
