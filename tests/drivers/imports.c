/* imports.c - a driver that calls both images of the kernel: it holds the
 * counters of the machine from its load to its unload. */
#include <ntddk.h>

DRIVER_INITIALIZE DriverEntry;
static DRIVER_UNLOAD unload;

#ifdef ALLOC_PRAGMA
#pragma alloc_text(INIT, DriverEntry)
#pragma alloc_text(PAGE, unload)
#endif

static struct {
    HANDLE set;
    PDRIVER_UNLOAD unload; /* an address to relocate */
} driver_state = {NULL, unload};

static VOID NTAPI unload(PDRIVER_OBJECT driver)
{
    PAGED_CODE();
    UNREFERENCED_PARAMETER(driver);
    (void)HalFreeHardwareCounters(driver_state.set);
}

NTSTATUS NTAPI DriverEntry(PDRIVER_OBJECT driver, PUNICODE_STRING path)
{
    HARDWARE_COUNTER none;
    ULONG count = 0;
    NTSTATUS status;

    UNREFERENCED_PARAMETER(path);
    status = KeQueryHardwareCounterConfiguration(&none, 1, &count);
    if (!NT_SUCCESS(status)) {
        return status;
    }
    driver->DriverUnload = driver_state.unload;
    return HalAllocateHardwareCounters(NULL, 0, NULL, &driver_state.set);
}
