/* layers.c - a driver that stands on other drivers' devices, and sends them
 * requests of its own, as a program asks for, mistakes too: what the I/O
 * manager makes of it is seen by the program. */
#include <ntddk.h>

#include "scenarios/drivers/layers/layers.h"
#include "scenarios/drivers/layers/requests.h"

/* Of ntifs.h. */
NTKERNELAPI PDEVICE_OBJECT NTAPI IoGetAttachedDevice(PDEVICE_OBJECT device);
NTKERNELAPI PDEVICE_OBJECT NTAPI IoGetLowerDeviceObject(PDEVICE_OBJECT device);

DRIVER_INITIALIZE DriverEntry;

static PDEVICE_OBJECT control, upper, lower;
static ULONG pass; /* LAYERS_* */
static struct layers_seen seen;
static WORK_QUEUE_ITEM later;

static NTSTATUS complete(PIRP irp, NTSTATUS status, ULONG_PTR information)
{
    irp->IoStatus.Status = status;
    irp->IoStatus.Information = information;
    IoCompleteRequest(irp, IO_NO_INCREMENT);
    return status;
}

static VOID NTAPI cancelled(PDEVICE_OBJECT object, PIRP irp)
{
    UNREFERENCED_PARAMETER(object);
    UNREFERENCED_PARAMETER(irp);
}

static VOID note(PDEVICE_OBJECT object, PIRP irp)
{
    PIO_STACK_LOCATION below = IoGetNextIrpStackLocation(irp);

    seen.routines++;
    seen.status = irp->IoStatus.Status;
    seen.information = irp->IoStatus.Information;
    seen.pending = irp->PendingReturned;
    seen.device = object != NULL;
    seen.zeroed = below->MajorFunction == 0 && below->Control == 0 &&
                  below->CompletionRoutine == NULL;
}

static NTSTATUS NTAPI goes_on(PDEVICE_OBJECT object, PIRP irp, PVOID context)
{
    KIRQL before;

    UNREFERENCED_PARAMETER(context);
    note(object, irp);
    if (irp->PendingReturned && (pass & LAYERS_FORGETS) == 0) {
        IoMarkIrpPending(irp);
    }
    if ((pass & LAYERS_RAISES) != 0) {
        KeRaiseIrql(DISPATCH_LEVEL, &before);
    }
    return STATUS_SUCCESS;
}

#ifdef ALLOC_PRAGMA
static NTSTATUS NTAPI paged(PDEVICE_OBJECT object, PIRP irp, PVOID context);
#pragma alloc_text(PAGE, paged)
#endif

static NTSTATUS NTAPI paged(PDEVICE_OBJECT object, PIRP irp, PVOID context)
{
    return goes_on(object, irp, context);
}

static NTSTATUS NTAPI stops(PDEVICE_OBJECT object, PIRP irp, PVOID context)
{
    note(object, irp);
    if (irp->PendingReturned) {
        KeSetEvent(context, IO_NO_INCREMENT, FALSE);
    }
    return STATUS_MORE_PROCESSING_REQUIRED;
}

static VOID set_routine(PIRP irp)
{
    IoSetCompletionRoutine(irp, (pass & LAYERS_PAGED) != 0 ? paged : goes_on,
        NULL, (pass & LAYERS_ON_ERROR_ALONE) == 0, TRUE, TRUE);
}

static NTSTATUS pass_and_wait(PIRP irp)
{
    KEVENT event;

    KeInitializeEvent(&event, NotificationEvent, FALSE);
    IoCopyCurrentIrpStackLocationToNext(irp);
    IoSetCompletionRoutine(irp, stops, &event, TRUE, TRUE, TRUE);
    if (IoCallDriver(lower, irp) == STATUS_PENDING) {
        KeWaitForSingleObject(&event, Executive, KernelMode, FALSE, NULL);
    }
    return complete(irp, irp->IoStatus.Status, irp->IoStatus.Information);
}

static NTSTATUS pass_skipped(PIRP irp)
{
    if ((pass & LAYERS_SKIP_MARKED) != 0) {
        IoMarkIrpPending(irp);
    }
    IoSkipCurrentIrpStackLocation(irp);
    if ((pass & LAYERS_SKIP_ROUTINE) != 0) {
        set_routine(irp);
    }
    if ((pass & LAYERS_CANCELABLE) != 0) {
        IoSetCancelRoutine(irp, cancelled);
    }
    return IoCallDriver(lower, irp);
}

static VOID NTAPI send_later(PVOID context)
{
    IoCopyCurrentIrpStackLocationToNext((PIRP)context);
    IoCallDriver(lower, context);
}

/* Whose it is, and that it is a part at all. */
static BOOLEAN is_part_of(PIRP part, PIRP irp)
{
    return part->AssociatedIrp.MasterIrp == irp &&
           (part->Flags & IRP_ASSOCIATED_IRP) != 0 &&
           part->Tail.Overlay.Thread == irp->Tail.Overlay.Thread;
}

/* The request is completed when the part of it is, which nobody handles. */
static NTSTATUS pass_part(PIRP irp)
{
    PIRP part = IoMakeAssociatedIrp(irp, lower->StackSize);

    if (part == NULL) {
        return complete(irp, STATUS_INSUFFICIENT_RESOURCES, 0);
    }
    if (!is_part_of(part, irp)) {
        return complete(irp, STATUS_UNSUCCESSFUL, 0);
    }
    IoMarkIrpPending(irp);
    irp->IoStatus.Status = STATUS_SUCCESS;
    irp->IoStatus.Information = 0;
    irp->AssociatedIrp.IrpCount = (pass & LAYERS_TWO_PARTS) != 0 ? 2 : 1;
    IoGetNextIrpStackLocation(part)->MajorFunction = IRP_MJ_FLUSH_BUFFERS;
    if ((pass & LAYERS_MASTER_FIRST) != 0) {
        IoCompleteRequest(irp, IO_NO_INCREMENT);
    }
    IoCallDriver(lower, part);
    if ((pass & LAYERS_TWO_PARTS) != 0) {
        part = IoMakeAssociatedIrp(irp, lower->StackSize);
        IoGetNextIrpStackLocation(part)->MajorFunction = IRP_MJ_FLUSH_BUFFERS;
        IoCallDriver(lower, part);
    }
    return STATUS_PENDING;
}

/* A request to the attached device. */
static NTSTATUS pass_on(PIRP irp)
{
    PIO_STACK_LOCATION location = IoGetCurrentIrpStackLocation(irp);
    ULONG i;

    for (i = sizeof(seen.majors) - 1; i > 0; i--) {
        seen.majors[i] = seen.majors[i - 1];
    }
    seen.majors[0] = location->MajorFunction;
    switch (pass & LAYERS_HOW) {
    case LAYERS_COPY:
        if ((pass & LAYERS_COPY_ALL) != 0) {
            *IoGetNextIrpStackLocation(irp) = *location;
        } else {
            IoCopyCurrentIrpStackLocationToNext(irp);
        }
        return IoCallDriver(lower, irp);
    case LAYERS_ROUTINE:
        IoCopyCurrentIrpStackLocationToNext(irp);
        set_routine(irp);
        return IoCallDriver(lower, irp);
    case LAYERS_WAIT:
        return pass_and_wait(irp);
    case LAYERS_ASSOCIATED:
        return pass_part(irp);
    case LAYERS_ANSWER:
        return complete(irp, STATUS_UNSUCCESSFUL, 0);
    case LAYERS_LATER:
        IoMarkIrpPending(irp);
        ExInitializeWorkItem(&later, send_later, irp);
        ExQueueWorkItem(&later, DelayedWorkQueue);
        return STATUS_PENDING;
    default:
        return pass_skipped(irp);
    }
}

static NTSTATUS attach(const struct layers_attach *asked, ULONG length)
{
    struct name name;
    PUNICODE_STRING string = name_of(
        &name, asked->name, length - FIELD_OFFSET(struct layers_attach, name));
    NTSTATUS status = IoCreateDevice(
        control->DriverObject, 0, NULL, asked->type, 0, FALSE, &upper);

    if (!NT_SUCCESS(status)) {
        return status;
    }
    upper->Flags |= asked->flags;
    if (asked->by == LAYERS_BY_NAME) {
        status = IoAttachDevice(upper, string, &lower);
    } else if (asked->by == LAYERS_BY_SAFE) {
        status = IoAttachDeviceToDeviceStackSafe(upper, target, &lower);
    } else {
        lower = IoAttachDeviceToDeviceStack(upper, target);
        status = lower == NULL ? STATUS_NO_SUCH_DEVICE : STATUS_SUCCESS;
    }
    if (asked->by == LAYERS_BY_STACK_TWICE &&
        IoAttachDeviceToDeviceStack(upper, target) != NULL) {
        status = STATUS_UNSUCCESSFUL;
    }
    if (!NT_SUCCESS(status)) {
        IoDeleteDevice(upper);
        upper = NULL;
    } else {
        upper->Flags &= ~(ULONG)DO_DEVICE_INITIALIZING;
    }
    return status;
}

static VOID look(struct layers_look *back, PFILE_OBJECT file)
{
    PDEVICE_OBJECT found = IoGetAttachedDeviceReference(lower);

    back->stack_size = upper->StackSize;
    back->attached = lower->AttachedDevice == upper;
    back->top = IoGetAttachedDevice(lower) == upper;
    back->top_reference = found == upper;
    ObDereferenceObject(found);
    found = IoGetLowerDeviceObject(upper);
    back->lower = found == lower;
    if (found != NULL) {
        ObDereferenceObject(found);
    }
    back->none = IoGetLowerDeviceObject(lower) == NULL;
    back->related = IoGetRelatedDeviceObject(file) == control;
}

static NTSTATUS handle(PIRP irp, ULONG code, ULONG input, ULONG_PTR *bytes)
{
    PVOID buffer = irp->AssociatedIrp.SystemBuffer;
    PFILE_OBJECT file = IoGetCurrentIrpStackLocation(irp)->FileObject;

    switch (code) {
    case IOCTL_LAYERS_ATTACH:
        return attach(buffer, input);
    case IOCTL_LAYERS_PASS:
        pass = *(ULONG *)buffer;
        return STATUS_SUCCESS;
    case IOCTL_LAYERS_DETACH:
        IoDetachDevice(lower);
        return STATUS_SUCCESS;
    case IOCTL_LAYERS_DELETE:
        IoDeleteDevice(upper);
        upper = NULL;
        return STATUS_SUCCESS;
    case IOCTL_LAYERS_LOOK:
        look(buffer, file);
        *bytes = sizeof(struct layers_look);
        return STATUS_SUCCESS;
    case IOCTL_LAYERS_SEEN:
        *(struct layers_seen *)buffer = seen;
        *bytes = sizeof(seen);
        return STATUS_SUCCESS;
    default:
        return handle_request(code, buffer, input, bytes);
    }
}

static NTSTATUS NTAPI dispatch(PDEVICE_OBJECT object, PIRP irp)
{
    PIO_STACK_LOCATION location = IoGetCurrentIrpStackLocation(irp);
    NTSTATUS status = STATUS_SUCCESS;
    ULONG_PTR bytes = 0;

    if (object != control) {
        return pass_on(irp);
    }
    if (location->MajorFunction == IRP_MJ_DEVICE_CONTROL) {
        status = handle(irp, location->Parameters.DeviceIoControl.IoControlCode,
            location->Parameters.DeviceIoControl.InputBufferLength, &bytes);
    }
    return complete(irp, status, bytes);
}

static VOID NTAPI unload(PDRIVER_OBJECT driver)
{
    UNICODE_STRING link;

    UNREFERENCED_PARAMETER(driver);
    RtlInitUnicodeString(&link, L"\\DosDevices\\Layers");
    IoDeleteSymbolicLink(&link);
    if (upper != NULL && (pass & LAYERS_LEAVES) == 0) {
        IoDetachDevice(lower);
        IoDeleteDevice(upper);
    }
    IoDeleteDevice(control);
}

NTSTATUS NTAPI DriverEntry(PDRIVER_OBJECT driver, PUNICODE_STRING path)
{
    UNICODE_STRING name, link;
    NTSTATUS status;
    ULONG i;

    UNREFERENCED_PARAMETER(path);
    RtlInitUnicodeString(&name, L"\\Device\\Layers");
    RtlInitUnicodeString(&link, L"\\DosDevices\\Layers");
    for (i = 0; i <= IRP_MJ_MAXIMUM_FUNCTION; i++) {
        driver->MajorFunction[i] = dispatch;
    }
    driver->DriverUnload = unload;
    status = IoCreateDevice(
        driver, 0, &name, FILE_DEVICE_UNKNOWN, 0, FALSE, &control);
    own_device = control;
    return NT_SUCCESS(status) ? IoCreateSymbolicLink(&link, &name) : status;
}
