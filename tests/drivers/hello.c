/* hello.c - the smallest driver that has everything an image can have without
 * imports: code that stays, PAGE and INIT code, and addresses to relocate. */
#include <ntddk.h>

DRIVER_INITIALIZE DriverEntry;
static DRIVER_UNLOAD unload;
static NTSTATUS prepare(PDRIVER_OBJECT driver);

#ifdef ALLOC_PRAGMA
#pragma alloc_text(INIT, DriverEntry)
#pragma alloc_text(PAGE, unload, prepare)
#endif

/* Addresses: the image needs base relocations. */
static PDRIVER_UNLOAD const volatile unloads[] = {unload, NULL};

static NTSTATUS prepare(PDRIVER_OBJECT driver)
{
    PAGED_CODE();
    driver->DriverUnload = unloads[0];
    return STATUS_SUCCESS;
}

static VOID NTAPI unload(PDRIVER_OBJECT driver)
{
    PAGED_CODE();
    UNREFERENCED_PARAMETER(driver);
}

NTSTATUS NTAPI DriverEntry(PDRIVER_OBJECT driver, PUNICODE_STRING path)
{
    UNREFERENCED_PARAMETER(path);
    return KeGetCurrentIrql() == PASSIVE_LEVEL ? prepare(driver)
                                               : STATUS_UNSUCCESSFUL;
}
