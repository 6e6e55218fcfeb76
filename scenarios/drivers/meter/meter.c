/* meter.c - a driver that says how long jobs take: its device, and what
 * programs ask of it. Its figures are made by DPCs, of each processor (load.c)
 * and of timers (trend.c). */
#include <ntddk.h>

#include "scenarios/drivers/meter/meter.h"

#include "scenarios/drivers/control_device.h"
#include "scenarios/drivers/meter/defects.h"
#include "scenarios/drivers/meter/load.h"
#include "scenarios/drivers/meter/trend.h"

DRIVER_INITIALIZE DriverEntry;
static DRIVER_UNLOAD unload;
static DRIVER_DISPATCH create_or_close, control;
static NTSTATUS start(VOID);
static VOID stop(VOID);

#ifdef ALLOC_PRAGMA
#pragma alloc_text(INIT, DriverEntry, control_device_make, start)
#pragma alloc_text(PAGE, unload, stop, create_or_close, control)
#endif

#define DEVICE_NAME L"\\Device\\Meter"
#define LINK_NAME L"\\DosDevices\\Meter"

static NTSTATUS complete(PIRP irp, NTSTATUS status)
{
    irp->IoStatus.Status = status;
    irp->IoStatus.Information = 0;
    IoCompleteRequest(irp, IO_NO_INCREMENT);
    return status;
}

static NTSTATUS NTAPI control(PDEVICE_OBJECT object, PIRP irp)
{
    PIO_STACK_LOCATION location = IoGetCurrentIrpStackLocation(irp);
    ULONG input = location->Parameters.DeviceIoControl.InputBufferLength;
    const ULONG *job = irp->AssociatedIrp.SystemBuffer;

    UNREFERENCED_PARAMETER(object);
    PAGED_CODE();
    switch (location->Parameters.DeviceIoControl.IoControlCode) {
    case IOCTL_METER_BEGIN:
        return complete(irp,
            input < sizeof(*job) ? STATUS_INVALID_PARAMETER : load_begin(*job));
    case IOCTL_METER_END:
        return complete(irp,
            input < sizeof(*job) ? STATUS_INVALID_PARAMETER : load_end(*job));
    default:
        return complete(irp, STATUS_INVALID_DEVICE_REQUEST);
    }
}

static NTSTATUS NTAPI create_or_close(PDEVICE_OBJECT object, PIRP irp)
{
    UNREFERENCED_PARAMETER(object);
    PAGED_CODE();
    return complete(irp, STATUS_SUCCESS);
}

/* The timers' DPCs read what the processors' write. */
static NTSTATUS start(VOID)
{
    NTSTATUS status = load_start();

    if (!NT_SUCCESS(status)) {
        return status;
    }
    status = trend_start();
    if (!NT_SUCCESS(status)) {
        load_stop();
    }
    return status;
}

static VOID stop(VOID)
{
    PAGED_CODE();
    if (DEFECT == DEFECT_SUMMED_LATE) {
        load_stop();
    }
    trend_stop();
    if (DEFECT != DEFECT_SUMMED_LATE) {
        load_stop();
    }
}

static VOID NTAPI unload(PDRIVER_OBJECT driver)
{
    PAGED_CODE();
    control_device_remove(driver, LINK_NAME);
    stop();
}

/* The device comes last: whoever opens it finds everything. */
NTSTATUS NTAPI DriverEntry(PDRIVER_OBJECT driver, PUNICODE_STRING path)
{
    NTSTATUS status;

    UNREFERENCED_PARAMETER(path);
    driver->MajorFunction[IRP_MJ_CREATE] = create_or_close;
    driver->MajorFunction[IRP_MJ_CLOSE] = create_or_close;
    driver->MajorFunction[IRP_MJ_DEVICE_CONTROL] = control;
    driver->DriverUnload = unload;
    status = start();
    if (!NT_SUCCESS(status)) {
        return status;
    }
    status = control_device_make(driver, DEVICE_NAME, LINK_NAME, FALSE);
    if (!NT_SUCCESS(status)) {
        stop();
    }
    return status;
}
