/* filter.c - a driver that stands on another one's device, \Device\Held, hands
 * every request on and counts what came of it. */
#include <ntddk.h>

#include "scenarios/drivers/filter/defects.h"
#include "scenarios/drivers/filter/filter.h"
#include "scenarios/drivers/held/held.h"

DRIVER_INITIALIZE DriverEntry;

static PDEVICE_OBJECT own, lower;
static PFILE_OBJECT kept; /* by a mistake */
static volatile LONG requests, successes, errors, pending;

static NTSTATUS complete(PIRP irp, NTSTATUS status, ULONG_PTR information)
{
    irp->IoStatus.Status = status;
    irp->IoStatus.Information = information;
    IoCompleteRequest(irp, IO_NO_INCREMENT);
    return status;
}

static NTSTATUS NTAPI counted(PDEVICE_OBJECT object, PIRP irp, PVOID context)
{
    UNREFERENCED_PARAMETER(object);
    UNREFERENCED_PARAMETER(context);
    InterlockedIncrement(
        NT_SUCCESS(irp->IoStatus.Status) ? &successes : &errors);
    if (irp->PendingReturned) {
        InterlockedIncrement(&pending);
        if (DEFECT != DEFECT_PENDING_FORGOTTEN) {
            IoMarkIrpPending(irp);
        }
    }
    return STATUS_CONTINUE_COMPLETION;
}

static NTSTATUS tell(PIRP irp)
{
    PIO_STACK_LOCATION location = IoGetCurrentIrpStackLocation(irp);
    struct filter_counts *back = irp->AssociatedIrp.SystemBuffer;

    if (location->Parameters.DeviceIoControl.OutputBufferLength <
        sizeof(*back)) {
        return complete(irp, STATUS_BUFFER_TOO_SMALL, 0);
    }
    back->requests = (ULONG)requests;
    back->successes = (ULONG)successes;
    back->errors = (ULONG)errors;
    back->pending = (ULONG)pending;
    return complete(irp, STATUS_SUCCESS, sizeof(*back));
}

static NTSTATUS NTAPI dispatch(PDEVICE_OBJECT object, PIRP irp)
{
    PIO_STACK_LOCATION location = IoGetCurrentIrpStackLocation(irp);
    NTSTATUS status;

    UNREFERENCED_PARAMETER(object);
    if (location->MajorFunction == IRP_MJ_DEVICE_CONTROL &&
        location->Parameters.DeviceIoControl.IoControlCode ==
            IOCTL_FILTER_COUNTS) {
        return tell(irp);
    }
    InterlockedIncrement(&requests);
    if (DEFECT == DEFECT_SKIPPED_ROUTINE) {
        IoSkipCurrentIrpStackLocation(irp);
    } else {
        IoCopyCurrentIrpStackLocationToNext(irp);
    }
    IoSetCompletionRoutine(irp, counted, NULL, TRUE, TRUE, TRUE);
    status = IoCallDriver(lower, irp);
    if (DEFECT == DEFECT_TOUCHED_AFTER && NT_SUCCESS(irp->IoStatus.Status)) {
        InterlockedIncrement(&successes);
    }
    return status;
}

/* Whether the lower device answers a request of the filter's own. */
static NTSTATUS ask(PDEVICE_OBJECT device)
{
    IO_STATUS_BLOCK block;
    KEVENT event;
    UCHAR answer[8];
    NTSTATUS status;
    PIRP irp;

    KeInitializeEvent(&event, NotificationEvent, FALSE);
    irp = IoBuildDeviceIoControlRequest(IOCTL_HELD_QUEUES, device, NULL, 0,
        answer, sizeof(answer), FALSE, &event, &block);
    if (irp == NULL) {
        return STATUS_INSUFFICIENT_RESOURCES;
    }
    status = IoCallDriver(device, irp);
    if (DEFECT == DEFECT_REQUEST_FREED) {
        IoFreeIrp(irp);
    }
    if (status == STATUS_PENDING) {
        KeWaitForSingleObject(&event, Executive, KernelMode, FALSE, NULL);
        status = block.Status;
    }
    return status;
}

static NTSTATUS attach(PDRIVER_OBJECT driver, PDEVICE_OBJECT target)
{
    ULONG type =
        DEFECT == DEFECT_TYPE_LEFT ? FILE_DEVICE_NULL : target->DeviceType;
    NTSTATUS status = IoCreateDevice(driver, 0, NULL, type, 0, FALSE, &own);

    if (!NT_SUCCESS(status)) {
        return status;
    }
    if (DEFECT != DEFECT_FLAGS_LEFT) {
        own->Flags |= target->Flags & (DO_BUFFERED_IO | DO_DIRECT_IO);
    }
    lower = IoAttachDeviceToDeviceStack(own, target);
    if (lower == NULL) {
        IoDeleteDevice(own);
        return STATUS_NO_SUCH_DEVICE;
    }
    return STATUS_SUCCESS;
}

static VOID NTAPI unload(PDRIVER_OBJECT driver)
{
    UNREFERENCED_PARAMETER(driver);
    if (DEFECT != DEFECT_NOT_DETACHED) {
        IoDetachDevice(lower);
    }
    IoDeleteDevice(own);
}

NTSTATUS NTAPI DriverEntry(PDRIVER_OBJECT driver, PUNICODE_STRING path)
{
    UNICODE_STRING name;
    PDEVICE_OBJECT target;
    PFILE_OBJECT file;
    NTSTATUS status;
    ULONG i;

    UNREFERENCED_PARAMETER(path);
    for (i = 0; i <= IRP_MJ_MAXIMUM_FUNCTION; i++) {
        driver->MajorFunction[i] = dispatch;
    }
    driver->DriverUnload = unload;
    RtlInitUnicodeString(&name, L"\\Device\\Held");
    status = IoGetDeviceObjectPointer(&name, FILE_READ_DATA, &file, &target);
    if (!NT_SUCCESS(status)) {
        return status;
    }
    status = ask(target);
    if (NT_SUCCESS(status)) {
        status = attach(driver, target);
    }
    kept = file;
    if (DEFECT == DEFECT_DEVICE_DEREFERENCED) {
        ObDereferenceObject(target);
    } else if (DEFECT != DEFECT_FILE_KEPT) {
        ObDereferenceObject(file);
    }
    return status;
}
