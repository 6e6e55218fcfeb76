/* mapper.c - a driver that locks pageable memory, its stack and what is not
 * there, and looks at pages by a second address; all in its DriverEntry. */
#include <ntddk.h>

#include "scenarios/drivers/mapper/defects.h"

DRIVER_INITIALIZE DriverEntry;

#define TAG 0x7070614D /* Mapp */

enum { BUFFER_BYTES = 6000, PAGES_BYTES = 8192, MARK = 0x5A };

static struct {
    PVOID buffer; /* pageable */
    PMDL mdl;     /* of it */
    PMDL pages;
} mapper;

/* Whether the bytes could be locked. */
static BOOLEAN lock(PMDL mdl, LOCK_OPERATION operation)
{
    if (DEFECT == DEFECT_NO_TRY) {
        MmProbeAndLockPages(mdl, KernelMode, operation);
        return TRUE;
    }
    __try {
        MmProbeAndLockPages(mdl, KernelMode, operation);
    } __except (EXCEPTION_EXECUTE_HANDLER) {
        return FALSE;
    }
    return TRUE;
}

/* Whether what is written at one address is there at the other. */
static BOOLEAN is_alias(volatile UCHAR *one, volatile UCHAR *other)
{
    *one = MARK;
    if (one == other || *other != MARK) {
        return FALSE;
    }
    *other = MARK + 1;
    return *one == MARK + 1;
}

static BOOLEAN use_buffer(VOID)
{
    UCHAR *buffer = mapper.buffer;
    UCHAR *system;
    BOOLEAN right = FALSE;
    KIRQL irql;

    mapper.mdl = IoAllocateMdl(buffer, BUFFER_BYTES, FALSE, FALSE, NULL);
    if (mapper.mdl == NULL || !lock(mapper.mdl, IoWriteAccess)) {
        return FALSE;
    }
    system = MmGetSystemAddressForMdlSafe(mapper.mdl, NormalPagePriority);
    if (system != NULL) {
        KeRaiseIrql(DISPATCH_LEVEL, &irql);
        right = MmGetSystemAddressForMdlSafe(mapper.mdl, HighPagePriority) ==
                    system &&
                is_alias(buffer, system) &&
                is_alias(system + BUFFER_BYTES - 1, buffer + BUFFER_BYTES - 1);
        KeLowerIrql(irql);
    }
    if (DEFECT == DEFECT_LOCK_LEFT) {
        return right;
    }
    MmUnlockPages(mapper.mdl);
    if (DEFECT == DEFECT_STALE && system != NULL) {
        right = *(volatile UCHAR *)system == MARK;
    }
    if (DEFECT != DEFECT_MDL_LEFT) {
        IoFreeMdl(mapper.mdl);
    }
    return right;
}

/* Pages of nonpaged pool have a system address already, and so has what was
 * mapped once: nothing is mapped for those. */
static BOOLEAN use_pool(VOID)
{
    PVOID block = ExAllocatePoolWithTag(NonPagedPool, BUFFER_BYTES, TAG);
    PMDL mdl;
    BOOLEAN right = FALSE;

    if (block == NULL) {
        return FALSE;
    }
    mdl = DEFECT == DEFECT_NO_MDL
              ? NULL
              : IoAllocateMdl(block, BUFFER_BYTES, FALSE, FALSE, NULL);
    if (mdl != NULL) {
        MmBuildMdlForNonPagedPool(mdl);
    }
    if (mdl != NULL || DEFECT == DEFECT_NO_MDL) {
        right = MmGetSystemAddressForMdlSafe(mdl, NormalPagePriority) == block;
        IoFreeMdl(mdl);
    }
    ExFreePoolWithTag(block, TAG);
    return right;
}

/* The locked buffer at addresses that were reserved before. */
static BOOLEAN show_at(PVOID range, PMDL mdl)
{
    UCHAR *system =
        MmMapLockedPagesWithReservedMapping(range, TAG, mdl, MmCached);
    BOOLEAN right;

    if (system == NULL) {
        return FALSE;
    }
    right = is_alias(mapper.buffer, system);
    MmUnmapReservedMapping(range, TAG, mdl);
    return right && !MmIsAddressValid(system);
}

static BOOLEAN use_range(VOID)
{
    PVOID range = MmAllocateMappingAddress(BUFFER_BYTES + PAGE_SIZE, TAG);
    PMDL mdl = IoAllocateMdl(mapper.buffer, BUFFER_BYTES, FALSE, FALSE, NULL);
    BOOLEAN right = FALSE;

    if (range != NULL && mdl != NULL && lock(mdl, IoWriteAccess)) {
        right = show_at(range, mdl);
        MmUnlockPages(mdl);
    }
    if (mdl != NULL) {
        IoFreeMdl(mdl);
    }
    if (range != NULL && DEFECT != DEFECT_RANGE_LEFT) {
        MmFreeMappingAddress(range, TAG);
    }
    return right;
}

static BOOLEAN use_stack(VOID)
{
    UCHAR bytes[64];
    PMDL mdl = IoAllocateMdl(bytes, sizeof(bytes), FALSE, FALSE, NULL);
    volatile UCHAR *system;
    BOOLEAN right = FALSE;

    if (mdl == NULL) {
        return FALSE;
    }
    if (DEFECT == DEFECT_STACK_BUILT) {
        MmBuildMdlForNonPagedPool(mdl);
    } else if (lock(mdl, IoModifyAccess)) {
        system = MmGetSystemAddressForMdlSafe(mdl, NormalPagePriority);
        if (system != NULL) {
            bytes[5] = MARK;
            right = system[5] == MARK;
        }
        MmUnlockPages(mdl);
    }
    IoFreeMdl(mdl);
    return right;
}

/* Nobody's memory cannot be locked. */
static BOOLEAN use_nothing(VOID)
{
    PMDL mdl =
        IoAllocateMdl((PVOID)(ULONG_PTR)0x10000, 100, FALSE, FALSE, NULL);
    BOOLEAN locked;

    if (mdl == NULL) {
        return FALSE;
    }
    locked = lock(mdl, IoReadAccess);
    if (locked) {
        MmUnlockPages(mdl);
    }
    IoFreeMdl(mdl);
    return !locked;
}

static VOID free_pages(VOID)
{
    if (DEFECT != DEFECT_PAGES_LEFT && DEFECT != DEFECT_MAPPING_LEFT) {
        MmFreePagesFromMdl(mapper.pages);
        ExFreePool(mapper.pages);
    }
}

static BOOLEAN use_pages(VOID)
{
    PHYSICAL_ADDRESS low, high, skip;
    volatile UCHAR *one;
    BOOLEAN right;

    low.QuadPart = 0;
    high.QuadPart = 0xFFFFFFFF;
    skip.QuadPart = 0;
    mapper.pages = MmAllocatePagesForMdl(low, high, skip, PAGES_BYTES);
    if (mapper.pages == NULL) {
        return FALSE;
    }
    one = MmMapLockedPagesSpecifyCache(
        mapper.pages, KernelMode, MmCached, NULL, FALSE, NormalPagePriority);
    right = one != NULL && one[PAGES_BYTES - 1] == 0;
    if (one != NULL && DEFECT != DEFECT_MAPPING_LEFT) {
        one[PAGES_BYTES - 1] = MARK;
        MmUnmapLockedPages((PVOID)one, mapper.pages);
    }
    free_pages();
    return right;
}

static VOID NTAPI unload(PDRIVER_OBJECT driver)
{
    UNREFERENCED_PARAMETER(driver);
    if (DEFECT != DEFECT_LOCK_LEFT) {
        ExFreePoolWithTag(mapper.buffer, TAG);
    }
}

NTSTATUS NTAPI DriverEntry(PDRIVER_OBJECT driver, PUNICODE_STRING path)
{
    UNREFERENCED_PARAMETER(path);
    driver->DriverUnload = unload;
    mapper.buffer = ExAllocatePoolWithTag(PagedPool, BUFFER_BYTES, TAG);
    if (mapper.buffer == NULL) {
        return STATUS_INSUFFICIENT_RESOURCES;
    }
    if (use_buffer() && use_pool() && use_range() && use_stack() &&
        use_nothing() && use_pages()) {
        return STATUS_SUCCESS;
    }
    ExFreePoolWithTag(mapper.buffer, TAG);
    return STATUS_UNSUCCESSFUL;
}
