/* mdl_lock.c - MmProbeAndLockPages, MmUnlockPages. */
#include <assert.h>
#include <stddef.h>

#include "api/core/exception.h"
#include "api/core/kernel.h"
#include "api/core/routine_bodies.h"
#include "api/mm/copy.h"
#include "api/mm/mdl.h"
#include "api/mm/physical.h"
#include "api/mm/probing.h"

enum { MODE_USER = 1, UNLOCKED = 1 };

static _Noreturn void raise_violation(
    struct kernel *kernel, const MDL *mdl, bool write)
{
    const struct exception_record record = {
        .code = STATUS_ACCESS_VIOLATION,
        .routine = ROUTINE_MmProbeAndLockPages,
        .address = (const void *)(uintptr_t)mdl_address(mdl),
        .write = write,
    };

    exception_raise(kernel, &record);
}

/* Raises what touching the buffer would raise, for a program's as for a
 * driver's pointer (MDL-06a, MDL-06c). */
static void probe(
    struct kernel *kernel, const MDL *mdl, KPROCESSOR_MODE mode, bool write)
{
    const void *address = (const void *)(uintptr_t)mdl_address(mdl);

    if (mode == MODE_USER && !physical_is_user(kernel, (uintptr_t)address)) {
        raise_violation(kernel, mdl, write);
    }
    if (mode == MODE_USER) {
        probing_add(kernel, address, mdl->ByteCount);
    }
    copy_probe(
        kernel, ROUTINE_MmProbeAndLockPages, address, mdl->ByteCount, write);
}

VOID MmProbeAndLockPages_body(
    PMDL MemoryDescriptorList, KPROCESSOR_MODE AccessMode, ULONG Operation)
{
    const enum routine routine = ROUTINE_MmProbeAndLockPages;
    struct kernel *kernel = kernel_current();
    bool write = Operation != IO_READ_ACCESS;
    MDL mdl = mdl_read(kernel, routine, MemoryDescriptorList);
    struct mdl *kept = mdl_find(kernel, MemoryDescriptorList);

    if ((mdl.MdlFlags & MDL_SOURCE_IS_NONPAGED_POOL) != 0 ||
        (kept != NULL && (kept->locked != 0 || kept->holds_pages))) {
        rule_warn(kernel, kernel_cpu(kernel), RULE_MDL_BUILT, routine);
        return;
    }
    probe(kernel, &mdl, AccessMode, write);
    copy_probe(kernel, routine, MemoryDescriptorList,
        mdl_size(mdl_address(&mdl), mdl.ByteCount), true);
    kept = mdl_keep(kernel, MemoryDescriptorList, MDL_OF_DRIVER);
    mdl_lock(kernel, kept, mdl_address(&mdl), mdl.ByteCount);
    mdl_write_pages(kernel, routine, MemoryDescriptorList, mdl_address(&mdl),
        mdl.ByteCount);
    mdl.MdlFlags |=
        (CSHORT)(MDL_PAGES_LOCKED | (write ? MDL_WRITE_OPERATION : 0));
    copy_out(kernel, routine, MemoryDescriptorList, &mdl, sizeof(mdl));
}

/* Nothing that it locks, or what the I/O manager unlocks itself. */
static _Noreturn void refuse(
    struct kernel *kernel, const MDL *at, const MDL *mdl)
{
    const struct bugcheck_parameter parameter[4] = {{.value = UNLOCKED},
        {.value = (uintptr_t)at},
        {.value = mdl_pages(mdl_address(mdl), mdl->ByteCount)}};

    rule_stop(kernel, kernel_cpu(kernel), RULE_MDL_UNLOCK,
        ROUTINE_MmUnlockPages, parameter);
}

VOID MmUnlockPages_body(PMDL MemoryDescriptorList)
{
    const enum routine routine = ROUTINE_MmUnlockPages;
    const int gone =
        MDL_PAGES_LOCKED | MDL_MAPPED_TO_SYSTEM_VA | MDL_WRITE_OPERATION;
    struct kernel *kernel = kernel_current();
    MDL mdl = mdl_read(kernel, routine, MemoryDescriptorList);
    struct mdl *kept = mdl_find(kernel, MemoryDescriptorList);
    bool locks = kept != NULL && (kept->locked != 0 || mdl.ByteCount == 0);

    if (!locks &&
        (mdl.MdlFlags & (MDL_SOURCE_IS_NONPAGED_POOL | MDL_PARTIAL)) != 0) {
        rule_warn(kernel, kernel_cpu(kernel), RULE_MDL_UNLOCK_KIND, routine);
        return;
    }
    if (!locks || kept->kind == MDL_OF_REQUESTER) {
        refuse(kernel, MemoryDescriptorList, &mdl);
    }
    mdl.MdlFlags &= (CSHORT)~gone;
    copy_out(kernel, routine, MemoryDescriptorList, &mdl, sizeof(mdl));
    mdl_unlock(kernel, routine, kept);
    if (kept->kind == MDL_OF_DRIVER) {
        mdl_forget(kernel, kept);
    }
}
