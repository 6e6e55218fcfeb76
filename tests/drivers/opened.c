/* opened.c - drivers whose device cannot be opened: PENDS keeps the request for
 * ever, GAPS has no routine for it. */
#include <ntddk.h>

DRIVER_INITIALIZE DriverEntry;

#if defined(PENDS)
static DRIVER_DISPATCH open_device;

static NTSTATUS NTAPI open_device(PDEVICE_OBJECT device, PIRP irp)
{
    UNREFERENCED_PARAMETER(device);
    IoMarkIrpPending(irp);
    return STATUS_PENDING;
}
#elif defined(GAPS)
#define open_device NULL
#endif

NTSTATUS NTAPI DriverEntry(PDRIVER_OBJECT driver, PUNICODE_STRING path)
{
    PDEVICE_OBJECT device;

    UNREFERENCED_PARAMETER(path);
    driver->MajorFunction[IRP_MJ_CREATE] = open_device;
    return IoCreateDevice(
        driver, 0, NULL, FILE_DEVICE_UNKNOWN, 0, FALSE, &device);
}
