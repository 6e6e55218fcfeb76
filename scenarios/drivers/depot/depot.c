/* depot.c - a driver that keeps things by their size and says what it has: its
 * device, and what programs ask of it. Its figures are guarded by a lock
 * (ledger.c) and counted by a work item (census.c). */
#include <ntddk.h>

#include "scenarios/drivers/depot/depot.h"

#include "scenarios/drivers/control_device.h"
#include "scenarios/drivers/depot/census.h"
#include "scenarios/drivers/depot/ledger.h"
#include "scenarios/drivers/depot/store.h"

DRIVER_INITIALIZE DriverEntry;
static DRIVER_UNLOAD unload;
static DRIVER_DISPATCH create_or_close, control;
static NTSTATUS start_counters(PDEVICE_OBJECT device);

#ifdef ALLOC_PRAGMA
#pragma alloc_text(INIT, DriverEntry, control_device_make, start_counters)
#pragma alloc_text(PAGE, unload, create_or_close, control)
#endif

#define DEVICE_NAME L"\\Device\\Depot"
#define LINK_NAME L"\\DosDevices\\Depot"

static NTSTATUS complete(PIRP irp, NTSTATUS status, ULONG_PTR information)
{
    irp->IoStatus.Status = status;
    irp->IoStatus.Information = information;
    IoCompleteRequest(irp, IO_NO_INCREMENT);
    return status;
}

static NTSTATUS handle_put(PVOID buffer)
{
    return store_put(buffer);
}

static NTSTATUS handle_get(PVOID buffer)
{
    ULONG *place = buffer;

    return store_get(*place, place);
}

static NTSTATUS handle_drop(PVOID buffer)
{
    return store_drop(*(const ULONG *)buffer);
}

static const struct control_row {
    ULONG code;
    ULONG input, output; /* bytes at least */
    NTSTATUS (*handle)(PVOID buffer);
} control_rows[] = {
    {IOCTL_DEPOT_PUT, sizeof(struct depot_put), 0, handle_put},
    {IOCTL_DEPOT_GET, sizeof(ULONG), sizeof(ULONG), handle_get},
    {IOCTL_DEPOT_DROP, sizeof(ULONG), 0, handle_drop},
};

static NTSTATUS NTAPI control(PDEVICE_OBJECT object, PIRP irp)
{
    PIO_STACK_LOCATION location = IoGetCurrentIrpStackLocation(irp);
    ULONG code = location->Parameters.DeviceIoControl.IoControlCode;
    const struct control_row *row = control_rows;
    NTSTATUS status;

    UNREFERENCED_PARAMETER(object);
    PAGED_CODE();
    while (row->code != code) {
        if (++row == control_rows + RTL_NUMBER_OF(control_rows)) {
            return complete(irp, STATUS_INVALID_DEVICE_REQUEST, 0);
        }
    }
    if (location->Parameters.DeviceIoControl.InputBufferLength < row->input) {
        return complete(irp, STATUS_INVALID_PARAMETER, 0);
    }
    if (location->Parameters.DeviceIoControl.OutputBufferLength < row->output) {
        return complete(irp, STATUS_BUFFER_TOO_SMALL, 0);
    }
    status = row->handle(irp->AssociatedIrp.SystemBuffer);
    return complete(irp, status, NT_SUCCESS(status) ? row->output : 0);
}

/* What is there stays: it is the driver's, not the handle's. */
static NTSTATUS NTAPI create_or_close(PDEVICE_OBJECT object, PIRP irp)
{
    UNREFERENCED_PARAMETER(object);
    PAGED_CODE();
    return complete(irp, STATUS_SUCCESS, 0);
}

/* The work item is of the device, which is deleted last. */
static VOID NTAPI unload(PDRIVER_OBJECT driver)
{
    UNICODE_STRING link_name;

    PAGED_CODE();
    RtlInitUnicodeString(&link_name, LINK_NAME);
    IoDeleteSymbolicLink(&link_name);
    census_stop();
    ledger_unregister();
    IoDeleteDevice(driver->DeviceObject);
}

static NTSTATUS start_counters(PDEVICE_OBJECT device)
{
    NTSTATUS status = ledger_register();

    if (!NT_SUCCESS(status)) {
        return status;
    }
    status = census_start(device);
    if (!NT_SUCCESS(status)) {
        ledger_unregister();
    }
    return status;
}

/* The device comes first, for the work item is of it; nobody opens it before
 * DriverEntry has returned. */
NTSTATUS NTAPI DriverEntry(PDRIVER_OBJECT driver, PUNICODE_STRING path)
{
    UNICODE_STRING link_name;
    NTSTATUS status;

    UNREFERENCED_PARAMETER(path);
    driver->MajorFunction[IRP_MJ_CREATE] = create_or_close;
    driver->MajorFunction[IRP_MJ_CLOSE] = create_or_close;
    driver->MajorFunction[IRP_MJ_DEVICE_CONTROL] = control;
    driver->DriverUnload = unload;
    store_start();
    status = control_device_make(driver, DEVICE_NAME, LINK_NAME, FALSE);
    if (!NT_SUCCESS(status)) {
        return status;
    }
    status = start_counters(driver->DeviceObject);
    if (!NT_SUCCESS(status)) {
        RtlInitUnicodeString(&link_name, LINK_NAME);
        IoDeleteSymbolicLink(&link_name);
        IoDeleteDevice(driver->DeviceObject);
    }
    return status;
}
