/* odd.c - IRPs of the sample layers that it never sends, or sends wrongly. */
#include "scenarios/drivers/layers/odd.h"

#include "scenarios/drivers/layers/layers.h"

#define TOO_LARGE 0x80000000

static UCHAR bytes[8];
static IO_STATUS_BLOCK block;
static KEVENT event;

static NTSTATUS is(BOOLEAN so)
{
    return so ? STATUS_SUCCESS : STATUS_UNSUCCESSFUL;
}

static NTSTATUS NTAPI done(PDEVICE_OBJECT object, PIRP irp, PVOID context)
{
    UNREFERENCED_PARAMETER(object);
    UNREFERENCED_PARAMETER(irp);
    UNREFERENCED_PARAMETER(context);
    return STATUS_MORE_PROCESSING_REQUIRED;
}

static PDEVICE_OBJECT cancelled_of;

static VOID NTAPI cancelled(PDEVICE_OBJECT object, PIRP irp)
{
    cancelled_of = object;
    IoReleaseCancelSpinLock(irp->CancelIrql);
}

static NTSTATUS too_many(void)
{
    PIRP irp = IoAllocateIrp(126, FALSE);
    NTSTATUS status = is(irp != NULL && irp->StackCount == 126 &&
                         IoAllocateIrp(127, FALSE) == NULL &&
                         IoMakeAssociatedIrp(irp, 127) == NULL);

    IoFreeIrp(irp);
    return status;
}

static PIRP pool_irp(void)
{
    return ExAllocatePoolWithTag(NonPagedPoolNx, IoSizeOfIrp(2), 'oyaL');
}

/* What lies before it is freed, and it is still one. */
static NTSTATUS initialize_again(void)
{
    PIRP one = pool_irp(), two = pool_irp();
    PIRP low = one < two ? one : two, high = one < two ? two : one;
    NTSTATUS status;

    IoInitializeIrp(high, IoSizeOfIrp(1), 1);
    IoInitializeIrp(high, IoSizeOfIrp(2), 2);
    status = is(high->StackCount == 2 && high->CurrentLocation == 3);
    ExFreePoolWithTag(low, 'oyaL');
    IoReuseIrp(high, STATUS_SUCCESS);
    ExFreePoolWithTag(high, 'oyaL');
    return status;
}

static NTSTATUS leave_mdl(void)
{
    PIRP irp = pool_irp();
    PMDL mdl = IoAllocateMdl(bytes, sizeof(bytes), FALSE, FALSE, NULL);

    IoInitializeIrp(irp, IoSizeOfIrp(2), 2);
    irp->MdlAddress = mdl;
    ExFreePoolWithTag(irp, 'oyaL');
    IoFreeMdl(mdl);
    return STATUS_SUCCESS;
}

static NTSTATUS validate(ULONG what)
{
    PIRP irp = IoAllocateIrp(1, FALSE);
    PIO_STACK_LOCATION location = IoGetNextIrpStackLocation(irp);
    NTSTATUS status;

    location->MajorFunction = what == LAYERS_IRP_ASKED_KERNEL
                                  ? IRP_MJ_FILE_SYSTEM_CONTROL
                                  : IRP_MJ_DEVICE_CONTROL;
    irp->RequestorMode =
        what == LAYERS_IRP_ASKED_KERNEL ? KernelMode : UserMode;
    if (what != LAYERS_IRP_ASKED_ABOVE) {
        IoSetNextIrpStackLocation(irp);
    }
    if (what == LAYERS_IRP_ASKED_ASTRAY) {
        irp->CurrentLocation = 0;
    }
    status = IoValidateDeviceIoControlAccess(irp, FILE_READ_ACCESS);
    IoFreeIrp(irp);
    return status;
}

/* Stops the machine. */
static NTSTATUS astray(ULONG what, PDEVICE_OBJECT own, PDEVICE_OBJECT target)
{
    PIRP irp = IoAllocateIrp(what == LAYERS_IRP_SAFE_NO_STACK ? 0 : 1, FALSE);

    if (what == LAYERS_IRP_SENT_ASTRAY) {
        irp->Tail.Overlay.CurrentStackLocation--;
    } else if (what != LAYERS_IRP_SAFE_NO_STACK) {
        irp->CurrentLocation = 7;
    }
    if (what == LAYERS_IRP_SENT_ASTRAY) {
        IoCallDriver(target, irp);
    } else if (what == LAYERS_IRP_ENDED_ASTRAY) {
        IoCompleteRequest(irp, IO_NO_INCREMENT);
    } else {
        IoSetCompletionRoutineEx(own, irp, done, NULL, TRUE, TRUE, TRUE);
    }
    return STATUS_SUCCESS;
}

/* The first one is of no request any more, as the other is when that goes. */
static NTSTATUS safe_twice(PDEVICE_OBJECT own)
{
    PIRP irp = IoAllocateIrp(1, FALSE);

    IoSetCompletionRoutineEx(own, irp, done, NULL, TRUE, TRUE, TRUE);
    IoSetCompletionRoutineEx(own, irp, done, NULL, FALSE, TRUE, FALSE);
    IoFreeIrp(irp);
    return STATUS_SUCCESS;
}

static NTSTATUS cancel(ULONG what)
{
    PIRP irp = IoAllocateIrp(1, FALSE);
    NTSTATUS status = STATUS_SUCCESS;

    if (what == LAYERS_IRP_CANCEL_NOT_ONE) {
        IoCancelIrp((PIRP)(PVOID)&block);
    }
    if (what == LAYERS_IRP_CANCELLED) {
        cancelled_of = (PVOID)irp;
        IoSetCancelRoutine(irp, cancelled);
        status = is(IoCancelIrp(irp) && cancelled_of == NULL && irp->Cancel &&
                    irp->CancelRoutine == NULL && !IoCancelIrp(irp));
    }
    IoFreeIrp(irp);
    if (what == LAYERS_IRP_CANCEL_INSIDE) {
        IoCancelIrp((PIRP)(PVOID)((PUCHAR)irp + 16));
    }
    if (what == LAYERS_IRP_END_INSIDE) {
        IoCompleteRequest((PIRP)(PVOID)((PUCHAR)irp + 16), IO_NO_INCREMENT);
    }
    return status;
}

static PIRP build(ULONG method, PDEVICE_OBJECT device, PVOID out, ULONG size)
{
    return IoBuildDeviceIoControlRequest(
        CTL_CODE(FILE_DEVICE_UNKNOWN, 0x999, method, FILE_ANY_ACCESS), device,
        bytes, 4, out, size, FALSE, &event, &block);
}

static PIRP transfer(ULONG major, PDEVICE_OBJECT device, PVOID at, ULONG size)
{
    return IoBuildSynchronousFsdRequest(
        major, device, at, size, NULL, &event, &block);
}

static NTSTATUS build_neither(PDEVICE_OBJECT device)
{
    PIRP irp = build(METHOD_NEITHER, device, bytes + 4, 4);
    PIO_STACK_LOCATION location = IoGetNextIrpStackLocation(irp);
    NTSTATUS status =
        is(location->Parameters.DeviceIoControl.Type3InputBuffer == bytes &&
            irp->UserBuffer == bytes + 4 && irp->MdlAddress == NULL &&
            irp->AssociatedIrp.SystemBuffer == NULL &&
            location->Parameters.DeviceIoControl.InputBufferLength == 4 &&
            location->Parameters.DeviceIoControl.OutputBufferLength == 4);

    IoFreeIrp(irp);
    return status;
}

static NTSTATUS build_direct(PDEVICE_OBJECT device)
{
    PIRP in = build(METHOD_IN_DIRECT, device, bytes + 4, 4);
    PIRP out = build(METHOD_OUT_DIRECT, device, bytes + 4, 4);
    PIRP none = build(METHOD_OUT_DIRECT, device, NULL, 0);
    NTSTATUS status = is(
        in->MdlAddress != NULL && MmGetMdlByteCount(in->MdlAddress) == 4 &&
        *(ULONG *)in->AssociatedIrp.SystemBuffer == *(ULONG *)(PVOID)bytes &&
        out->MdlAddress != NULL && none->MdlAddress == NULL);

    IoFreeIrp(in);
    IoFreeIrp(out);
    IoFreeIrp(none);
    return status;
}

static NTSTATUS build_no_buffer(PDEVICE_OBJECT device)
{
    PVOID nothing = (PVOID)(ULONG_PTR)0x10000;

    return is(build(METHOD_OUT_DIRECT, device, nothing, 4) == NULL &&
              transfer(IRP_MJ_READ, device, nothing, 4) == NULL &&
              IoBuildAsynchronousFsdRequest(
                  IRP_MJ_READ, device, nothing, 4, NULL, &block) == NULL);
}

static NTSTATUS build_too_large(PDEVICE_OBJECT device)
{
    return is(build(METHOD_BUFFERED, device, bytes, TOO_LARGE) == NULL &&
              transfer(IRP_MJ_READ, device, bytes, TOO_LARGE) == NULL);
}

static NTSTATUS build_no_stack(PDEVICE_OBJECT own)
{
    NTSTATUS status;

    own->StackSize = 0;
    status = is(build(METHOD_BUFFERED, own, bytes, 4) == NULL &&
                transfer(IRP_MJ_READ, own, bytes, 4) == NULL);
    own->StackSize = 127;
    if (build(METHOD_BUFFERED, own, bytes, 4) != NULL ||
        transfer(IRP_MJ_READ, own, bytes, 4) != NULL) {
        status = STATUS_UNSUCCESSFUL;
    }
    own->StackSize = -1;
    if (build(METHOD_BUFFERED, own, bytes, 4) != NULL) {
        status = STATUS_UNSUCCESSFUL;
    }
    own->StackSize = 1;
    return status;
}

static NTSTATUS build_transfer(PDEVICE_OBJECT device)
{
    PIRP irp = transfer(IRP_MJ_READ, device, bytes, 8);
    PIRP none = transfer(IRP_MJ_WRITE, device, NULL, 0);
    PIO_STACK_LOCATION location = IoGetNextIrpStackLocation(irp);
    NTSTATUS status = is(location->MajorFunction == IRP_MJ_READ &&
                         location->Parameters.Read.Length == 8 &&
                         location->Parameters.Read.ByteOffset.QuadPart == 0 &&
                         none->AssociatedIrp.SystemBuffer == NULL);

    IoFreeIrp(irp);
    IoFreeIrp(none);
    return status;
}

NTKERNELAPI PDEVICE_OBJECT NTAPI IoGetRelatedDeviceObject(PFILE_OBJECT file);

static NTSTATUS too_large(PDRIVER_OBJECT driver)
{
    PDEVICE_OBJECT none = NULL;
    PVOID extension = bytes;

    return is(IoCreateDevice(driver, TOO_LARGE, NULL, FILE_DEVICE_UNKNOWN, 0,
                  FALSE, &none) == STATUS_INSUFFICIENT_RESOURCES &&
              none == NULL &&
              IoAllocateDriverObjectExtension(driver, bytes, TOO_LARGE,
                  &extension) == STATUS_INSUFFICIENT_RESOURCES &&
              extension == NULL);
}

static VOID NTAPI work(PDEVICE_OBJECT device, PVOID context)
{
    UNREFERENCED_PARAMETER(device);
    UNREFERENCED_PARAMETER(context);
}

static NTSTATUS work_again(PDEVICE_OBJECT own)
{
    PIO_WORKITEM item =
        ExAllocatePoolWithTag(NonPagedPoolNx, IoSizeofWorkItem(), 'oyaL');

    IoInitializeWorkItem(own, item);
    IoInitializeWorkItem(own->DriverObject, item);
    IoUninitializeWorkItem(item);
    ExFreePoolWithTag(item, 'oyaL');
    return STATUS_SUCCESS;
}

/* Objects that are none; a device with another stack is well again. */
static NTSTATUS objects(ULONG what, PDEVICE_OBJECT own, PDEVICE_OBJECT target)
{
    PVOID none = bytes;

    switch (what) {
    case LAYERS_IRP_NO_DRIVER:
        return IoCreateDevice(
            none, 0, NULL, FILE_DEVICE_UNKNOWN, 0, FALSE, &own);
    case LAYERS_IRP_NO_DRIVER_EXTENSION:
        return is(IoGetDriverObjectExtension(none, none) == NULL);
    case LAYERS_IRP_NO_FILE:
        return is(IoGetRelatedDeviceObject(none) == NULL);
    case LAYERS_IRP_TOO_LARGE:
        return too_large(own->DriverObject);
    case LAYERS_IRP_WORK_AGAIN:
        return work_again(own);
    case LAYERS_IRP_WORK_NONE:
        IoQueueWorkItem(none, work, DelayedWorkQueue, NULL);
        return STATUS_SUCCESS;
    case LAYERS_IRP_STACK_OF_126:
        target->StackSize = 126;
        return STATUS_SUCCESS;
    default:
        own->StackSize = what == LAYERS_IRP_STACK_OF_127 ? 127 : 0;
        return STATUS_SUCCESS;
    }
}

NTSTATUS odd_irps(ULONG what, PDEVICE_OBJECT own, PDEVICE_OBJECT target)
{
    switch (what) {
    case LAYERS_IRP_TOO_MANY:
        return too_many();
    case LAYERS_IRP_AGAIN:
        return initialize_again();
    case LAYERS_IRP_MDL:
        return leave_mdl();
    case LAYERS_IRP_SAFE_TWICE:
        return safe_twice(own);
    case LAYERS_IRP_BUILD_NEITHER:
        return build_neither(target);
    case LAYERS_IRP_BUILD_DIRECT:
        return build_direct(target);
    case LAYERS_IRP_BUILD_NO_BUFFER:
        return build_no_buffer(target);
    case LAYERS_IRP_BUILD_TOO_LARGE:
        return build_too_large(target);
    case LAYERS_IRP_BUILD_NO_STACK:
        return build_no_stack(own);
    case LAYERS_IRP_BUILD_TRANSFER:
        return build_transfer(target);
    default:
        return what > LAYERS_IRP_SAFE_TWICE       ? objects(what, own, target)
               : what <= LAYERS_IRP_ASKED_ASTRAY  ? validate(what)
               : what <= LAYERS_IRP_SAFE_NO_STACK ? astray(what, own, target)
                                                  : cancel(what);
    }
}
