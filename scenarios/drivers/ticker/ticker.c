/* ticker.c - a driver that takes the PMU's interrupt by a routine of its own,
 * as drivers did before Windows 10 1903: it counts how often every processor
 * has retired so many instructions. */
#include <ntddk.h>

#include "scenarios/drivers/control_device.h"
#include "scenarios/drivers/ticker/defects.h"
#include "scenarios/drivers/ticker/ticks.h"

DRIVER_INITIALIZE DriverEntry;
static DRIVER_UNLOAD unload;
static DRIVER_DISPATCH create, close, control;

#ifdef ALLOC_PRAGMA
#pragma alloc_text(INIT, DriverEntry, control_device_make)
#pragma alloc_text(PAGE, unload, create, close)
#endif

#define DEVICE_NAME L"\\Device\\Ticker"
#define LINK_NAME L"\\DosDevices\\Ticker"

static NTSTATUS complete(PIRP irp, NTSTATUS status, ULONG_PTR information)
{
    irp->IoStatus.Status = status;
    irp->IoStatus.Information = information;
    IoCompleteRequest(irp, IO_NO_INCREMENT);
    return status;
}

static NTSTATUS handle(PIO_STACK_LOCATION location, PVOID buffer, ULONG *back)
{
    ULONG input = location->Parameters.DeviceIoControl.InputBufferLength;
    ULONG output = location->Parameters.DeviceIoControl.OutputBufferLength;

    *back = 0;
    switch (location->Parameters.DeviceIoControl.IoControlCode) {
    case IOCTL_TICKER_START:
        return input < sizeof(struct ticker_start) ? STATUS_INVALID_PARAMETER
                                                   : ticks_start(buffer);
    case IOCTL_TICKER_STOP:
        return ticks_stop();
    case IOCTL_TICKER_READ:
        if (input < sizeof(ULONG) || output < sizeof(ULONG)) {
            return STATUS_BUFFER_TOO_SMALL;
        }
        *back = sizeof(ULONG);
        return ticks_read(buffer);
    default:
        return STATUS_INVALID_DEVICE_REQUEST;
    }
}

static NTSTATUS NTAPI control(PDEVICE_OBJECT object, PIRP irp)
{
    ULONG back;
    NTSTATUS status = handle(IoGetCurrentIrpStackLocation(irp),
        irp->AssociatedIrp.SystemBuffer, &back);

    UNREFERENCED_PARAMETER(object);
    return complete(irp, status, NT_SUCCESS(status) ? back : 0);
}

static NTSTATUS NTAPI create(PDEVICE_OBJECT object, PIRP irp)
{
    UNREFERENCED_PARAMETER(object);
    PAGED_CODE();
    return complete(irp, STATUS_SUCCESS, 0);
}

static NTSTATUS NTAPI close(PDEVICE_OBJECT object, PIRP irp)
{
    UNREFERENCED_PARAMETER(object);
    PAGED_CODE();
    (void)ticks_stop();
    return complete(irp, STATUS_SUCCESS, 0);
}

static VOID NTAPI unload(PDRIVER_OBJECT driver)
{
    PAGED_CODE();
    control_device_remove(driver, LINK_NAME);
}

NTSTATUS NTAPI DriverEntry(PDRIVER_OBJECT driver, PUNICODE_STRING path)
{
    UNREFERENCED_PARAMETER(path);
    if (!ticks_are_possible()) {
        return STATUS_NOT_SUPPORTED;
    }
    driver->MajorFunction[IRP_MJ_CREATE] = create;
    driver->MajorFunction[IRP_MJ_CLOSE] = close;
    driver->MajorFunction[IRP_MJ_DEVICE_CONTROL] = control;
    driver->DriverUnload = unload;
    return control_device_make(driver, DEVICE_NAME, LINK_NAME, TRUE);
}
