/* requests.c - requests that layers sends to a device which it has by name:
 * built, allocated and initialised ones, and mistakes. */
#include "scenarios/drivers/layers/requests.h"

#include "scenarios/drivers/layers/layers.h"
#include "scenarios/drivers/layers/odd.h"

NTKERNELAPI PDEVICE_OBJECT NTAPI IoGetLowerDeviceObject(PDEVICE_OBJECT device);

PDEVICE_OBJECT target, own_device;

static PFILE_OBJECT file;
static IO_STATUS_BLOCK block;
static KEVENT event;
static UCHAR output[64];
static LARGE_INTEGER offset;

PUNICODE_STRING name_of(struct name *name, const CHAR *ascii, ULONG length)
{
    ULONG i;

    for (i = 0; i < length && i < RTL_NUMBER_OF(name->text); i++) {
        name->text[i] = (UCHAR)ascii[i];
    }
    name->string.Buffer = name->text;
    name->string.Length = (USHORT)(i * sizeof(WCHAR));
    name->string.MaximumLength = name->string.Length;
    return &name->string;
}

static NTSTATUS drop(ULONG what)
{
    PDEVICE_OBJECT found;

    switch (what) {
    case 0:
        ObDereferenceObject(file);
        return STATUS_SUCCESS;
    case 1:
        ObDereferenceObject(target);
        return STATUS_SUCCESS;
    case 2:
        ObReferenceObject(target);
        ObDereferenceObject(target);
        return STATUS_SUCCESS;
    default:
        found = IoGetLowerDeviceObject(target);
        if (found != NULL) {
            ObDereferenceObject(found);
        }
        return found == NULL ? STATUS_NO_SUCH_DEVICE : STATUS_SUCCESS;
    }
}

/* Who made the request ends it, and no one else sees it again. */
static NTSTATUS NTAPI ended(PDEVICE_OBJECT object, PIRP irp, PVOID context)
{
    ULONG how = (ULONG)(ULONG_PTR)context;

    block = irp->IoStatus;
    output[7] = object == NULL ? LAYERS_NO_DEVICE : LAYERS_DEVICE;
    if ((how & LAYERS_MOVES) != 0) {
        irp->CurrentLocation--;
    }
    if ((how & LAYERS_GOES_ON) != 0) {
        return STATUS_SUCCESS;
    }
    if ((how & LAYERS_UNLOCKS) != 0) {
        MmUnlockPages(irp->MdlAddress);
        IoFreeMdl(irp->MdlAddress);
    }
    if ((how & (LAYERS_KEPT | LAYERS_REUSED)) == 0 &&
        (how & 0xFF) != LAYERS_INITIALIZED) {
        IoFreeIrp(irp);
    }
    if ((how & LAYERS_FREES_ON) != 0) {
        return STATUS_SUCCESS;
    }
    KeSetEvent(&event, IO_NO_INCREMENT, FALSE);
    return STATUS_MORE_PROCESSING_REQUIRED;
}

static VOID fill(PIRP irp, const struct layers_ask *asked, ULONG input)
{
    PIO_STACK_LOCATION next;

    if ((asked->how & LAYERS_OWN) != 0) {
        IoSetNextIrpStackLocation(irp);
        IoGetCurrentIrpStackLocation(irp)->DeviceObject = target;
    }
    next = IoGetNextIrpStackLocation(irp);
    next->MajorFunction =
        (asked->how & LAYERS_UNKNOWN) != 0 ? 0x30 : IRP_MJ_DEVICE_CONTROL;
    next->Parameters.DeviceIoControl.IoControlCode = asked->code;
    next->Parameters.DeviceIoControl.InputBufferLength = input;
    next->Parameters.DeviceIoControl.OutputBufferLength = asked->output;
    irp->AssociatedIrp.SystemBuffer = output;
    RtlCopyMemory(output, asked->input, input);
    if ((asked->how & LAYERS_SAFE) != 0) {
        IoSetCompletionRoutineEx(own_device, irp, ended,
            (PVOID)(ULONG_PTR)asked->how, TRUE, TRUE, TRUE);
        return;
    }
    IoSetCompletionRoutine(irp, ended, (PVOID)(ULONG_PTR)asked->how,
        (asked->how & (LAYERS_CANCELLED | LAYERS_ON_ERROR)) == 0,
        (asked->how & LAYERS_CANCELLED) == 0,
        (asked->how & LAYERS_ON_ERROR) == 0);
    if ((asked->how & LAYERS_CANCELLED) != 0) {
        IoCancelIrp(irp);
    }
}

static PIRP make(
    const struct layers_ask *asked, ULONG input, PIO_STATUS_BLOCK status)
{
    CCHAR locations =
        (CCHAR)(target->StackSize + ((asked->how & LAYERS_OWN) != 0 ? 1 : 0) -
                ((asked->how & LAYERS_SHORT) != 0 ? 1 : 0));
    PKEVENT told = (asked->how & LAYERS_NO_EVENT) != 0 ? NULL : &event;
    PIRP irp;

    switch (asked->how & 0xFF) {
    case LAYERS_BUILT:
    case LAYERS_INTERNAL:
        irp = IoBuildDeviceIoControlRequest(asked->code, target,
            (PVOID)asked->input, input, output, asked->output,
            (asked->how & 0xFF) == LAYERS_INTERNAL, told, status);
        if (irp != NULL && (asked->how & LAYERS_KEEPS) != 0) {
            IoSetCompletionRoutine(
                irp, ended, (PVOID)(ULONG_PTR)asked->how, TRUE, TRUE, TRUE);
        }
        if (irp != NULL && (asked->how & LAYERS_SAFE) != 0) {
            IoSetCompletionRoutineEx(own_device, irp, ended,
                (PVOID)(ULONG_PTR)asked->how, FALSE, TRUE, TRUE);
        }
        return irp;
    case LAYERS_SYNCHRONOUS:
        return IoBuildSynchronousFsdRequest(
            asked->code, target, output, asked->output, &offset, told, status);
    case LAYERS_ASYNCHRONOUS:
        irp = IoBuildAsynchronousFsdRequest(
            asked->code, target, output, asked->output, &offset, status);
        if (irp != NULL) {
            IoSetCompletionRoutine(
                irp, ended, (PVOID)(ULONG_PTR)asked->how, TRUE, TRUE, TRUE);
        }
        return irp;
    case LAYERS_INITIALIZED:
        irp = ExAllocatePoolWithTag(
            NonPagedPoolNx, IoSizeOfIrp(locations), 'yalA');
        if (irp != NULL) {
            IoInitializeIrp(irp, IoSizeOfIrp(locations), locations);
            fill(irp, asked, input);
        }
        return irp;
    default:
        irp = IoAllocateIrp(locations, FALSE);
        if (irp != NULL) {
            fill(irp, asked, input);
        }
        return irp;
    }
}

static NTSTATUS send(PIRP irp, ULONG how)
{
    NTSTATUS status = (how & LAYERS_POWER) != 0 ? PoCallDriver(target, irp)
                                                : IoCallDriver(target, irp);

    if (status == STATUS_PENDING && (how & LAYERS_EARLY) != 0) {
        IoFreeIrp(irp);
    }
    if (status == STATUS_PENDING && (how & LAYERS_NO_EVENT) == 0) {
        KeWaitForSingleObject(&event, Executive, KernelMode, FALSE, NULL);
    }
    return status;
}

static NTSTATUS ask(
    const struct layers_ask *asked, ULONG input, struct layers_answer *answer)
{
    PIO_STATUS_BLOCK status = &block;
    ULONG how = asked->how;
    PIRP irp;

    KeInitializeEvent(&event, NotificationEvent, FALSE);
    RtlZeroMemory(output, sizeof(output));
    RtlZeroMemory(&block, sizeof(block));
    block.Status = STATUS_UNSUCCESSFUL;
    if ((how & LAYERS_NO_BLOCK) != 0) {
        status = ExAllocatePoolWithTag(NonPagedPoolNx, sizeof(*status), 'yalA');
        if (status == NULL) {
            return STATUS_INSUFFICIENT_RESOURCES;
        }
        ExFreePoolWithTag(status, 'yalA');
    }
    irp = make(asked, input, status);
    if (irp == NULL) {
        return STATUS_INSUFFICIENT_RESOURCES;
    }
    if ((how & LAYERS_UNSENT) != 0) {
        irp->IoStatus.Status = STATUS_SUCCESS;
        IoCompleteRequest(irp, IO_NO_INCREMENT);
        return STATUS_SUCCESS;
    }
    answer->returned = send(irp, how);
    if ((how & LAYERS_REUSED) != 0) {
        IoReuseIrp(irp, STATUS_SUCCESS);
        fill(irp, asked, input);
        answer->returned = send(irp, how & ~(ULONG)LAYERS_REUSED);
        if ((how & 0xFF) != LAYERS_INITIALIZED) {
            IoFreeIrp(irp);
        }
    }
    if ((how & LAYERS_FREED) != 0) {
        IoFreeIrp(irp);
    }
    if ((how & 0xFF) == LAYERS_INITIALIZED) {
        ExFreePoolWithTag(irp, 'yalA');
    }
    answer->status = block.Status;
    answer->information = (ULONG)block.Information;
    answer->signaled = KeReadStateEvent(&event) != 0;
    RtlCopyMemory(answer->output, output, sizeof(answer->output));
    return STATUS_SUCCESS;
}

static NTSTATUS irps(ULONG what)
{
    PIRP irp = IoAllocateIrp(what == LAYERS_IRP_NO_STACK ? 0
                             : what == LAYERS_IRP_MARKED ? 2
                                                         : 1,
        FALSE);
    ULONG raw[2 * IoSizeOfIrp(1) / sizeof(ULONG)];

    if (what >= LAYERS_IRP_TOO_MANY && irp != NULL) {
        IoFreeIrp(irp);
        return odd_irps(what, own_device, target);
    }
    if (irp == NULL) {
        return STATUS_INSUFFICIENT_RESOURCES;
    }
    switch (what) {
    case LAYERS_IRP_REUSE_BUILT:
        IoFreeIrp(irp);
        irp = IoBuildDeviceIoControlRequest(
            LAYERS_CODE(99), target, NULL, 0, NULL, 0, FALSE, &event, &block);
        IoReuseIrp(irp, STATUS_SUCCESS);
        break;
    case LAYERS_IRP_INIT_ALLOCATED:
        IoInitializeIrp(irp, IoSizeOfIrp(1), 1);
        break;
    case LAYERS_IRP_INIT_SMALL:
        IoInitializeIrp((PIRP)raw, sizeof(IRP), 1);
        break;
    case LAYERS_IRP_FREE_RAW:
        IoInitializeIrp((PIRP)raw, IoSizeOfIrp(1), 1);
        IoFreeIrp((PIRP)raw);
        break;
    case LAYERS_IRP_NO_STACK:
        IoCallDriver(target, irp);
        break;
    case LAYERS_IRP_NOT_ONE:
        IoCallDriver(target, (PIRP)&block);
        break;
    case LAYERS_IRP_NO_DEVICE:
        IoCallDriver((PDEVICE_OBJECT)(PVOID)&block, irp);
        break;
    case LAYERS_IRP_POWER:
        PoStartNextPowerIrp(irp);
        break;
    case LAYERS_IRP_LEFT:
        return STATUS_SUCCESS;
    case LAYERS_IRP_UNSENT:
        IoSetCompletionRoutineEx(
            own_device, irp, ended, NULL, TRUE, TRUE, TRUE);
        break;
    case LAYERS_IRP_MARKED:
        IoMarkIrpPending(irp);
        break;
    }
    IoFreeIrp(irp);
    return STATUS_SUCCESS;
}

NTSTATUS handle_request(ULONG code, PVOID buffer, ULONG input, ULONG_PTR *bytes)
{
    struct layers_answer answer = {.returned = STATUS_UNSUCCESSFUL};
    struct name name;
    NTSTATUS status;

    switch (code) {
    case IOCTL_LAYERS_POINTER:
        return IoGetDeviceObjectPointer(
            name_of(&name, buffer, input), FILE_ALL_ACCESS, &file, &target);
    case IOCTL_LAYERS_DROP:
        return drop(*(ULONG *)buffer);
    case IOCTL_LAYERS_IRP:
        return irps(*(ULONG *)buffer);
    case IOCTL_LAYERS_ASK:
        status = ask(
            buffer, input - FIELD_OFFSET(struct layers_ask, input), &answer);
        *(struct layers_answer *)buffer = answer;
        *bytes = sizeof(answer);
        return status;
    default:
        return STATUS_INVALID_DEVICE_REQUEST;
    }
}
