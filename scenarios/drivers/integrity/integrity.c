/* integrity.c - a driver as memory integrity wants one: its code cannot be
 * written, its memory not executed. */
#include <ntddk.h>

#include "scenarios/drivers/integrity/defects.h"

DRIVER_INITIALIZE DriverEntry;
static DRIVER_UNLOAD unload;

#ifdef ALLOC_PRAGMA
#pragma alloc_text(INIT, DriverEntry)
#endif

#define TAG 0x67746E49 /* Intg */

enum { BLOCK_BYTES = 64 };

#if DEFECT == DEFECT_WRITE_EXECUTE
#pragma comment(linker, "/section:.patched,ERW")
static volatile ULONG patched __attribute__((section(".patched"))) = 1;
#endif
#if DEFECT == DEFECT_INIT_WRITABLE
#pragma comment(linker, "/section:INIT,ERWD")
#endif
#if DEFECT == DEFECT_IMPORT_TABLE
#pragma comment(linker, "/merge:.rdata=.text")
#endif

#if DEFECT == DEFECT_COOKIE_MISSING || DEFECT == DEFECT_COOKIE_ZERO
/* IMAGE_LOAD_CONFIG_DIRECTORY64, in place of the one that drivers are linked
 * with. */
extern const char __guard_fids_table, __guard_fids_count, __guard_flags;
static const void *const check = DriverEntry;
static ULONG_PTR cookie;
extern const struct load_config {
    ULONG size;
    ULONG others[21];
    const ULONG_PTR *cookie;
    ULONG_PTR handlers[2];
    const void *guard[5];
} _load_config_used;
const struct load_config _load_config_used = {
    .size = sizeof(_load_config_used),
    .cookie = DEFECT == DEFECT_COOKIE_ZERO ? &cookie : NULL,
    .guard = {&check, &check, &__guard_fids_table, &__guard_fids_count,
        &__guard_flags},
};
#endif

static struct {
    DECLSPEC_ALIGN(64) NPAGED_LOOKASIDE_LIST list;
    PVOID block;
} held;

static PVOID make_block(VOID)
{
    if (DEFECT == DEFECT_POOL_FLAG) {
        return ExAllocatePool2(POOL_FLAG_NON_PAGED_EXECUTE, BLOCK_BYTES, TAG);
    }
    return ExAllocatePoolWithTag(
        DEFECT == DEFECT_POOL ? NonPagedPool : NonPagedPoolNx, BLOCK_BYTES,
        TAG);
}

static VOID make_list(VOID)
{
    ExInitializeNPagedLookasideList(&held.list, NULL, NULL,
        DEFECT == DEFECT_LIST ? 0 : POOL_NX_ALLOCATION, BLOCK_BYTES, TAG, 0);
}

static VOID NTAPI unload(PDRIVER_OBJECT driver)
{
    UNREFERENCED_PARAMETER(driver);
    ExDeleteNPagedLookasideList(&held.list);
    ExFreePoolWithTag(held.block, TAG);
}

NTSTATUS NTAPI DriverEntry(PDRIVER_OBJECT driver, PUNICODE_STRING path)
{
    UNREFERENCED_PARAMETER(path);
#if DEFECT == DEFECT_WRITE_EXECUTE
    patched++;
#endif
    held.block = make_block();
    if (held.block == NULL) {
        return STATUS_INSUFFICIENT_RESOURCES;
    }
    make_list();
    driver->DriverUnload = unload;
    return STATUS_SUCCESS;
}
