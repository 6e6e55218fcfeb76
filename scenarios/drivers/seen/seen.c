/* seen.c - a driver that tells programs what the I/O manager has told it: of
 * the create of a file, and of the last read, write or control. */
#include <ntddk.h>

#include "scenarios/drivers/seen/seen.h"

DRIVER_INITIALIZE DriverEntry;

enum { EXTENSION_BYTES = 24 };

static struct seen_request last;
static PIRP kept;
static NTSTATUS returns;
static CCHAR boost;
static KIRQL close_level = HIGH_LEVEL;

static NTSTATUS complete_with(
    PIRP irp, NTSTATUS status, ULONG_PTR information, CCHAR with)
{
    irp->IoStatus.Status = status;
    irp->IoStatus.Information = information;
    IoCompleteRequest(irp, with);
    return status;
}

static NTSTATUS complete(PIRP irp, NTSTATUS status, ULONG_PTR information)
{
    return complete_with(irp, status, information, IO_NO_INCREMENT);
}

static NTSTATUS NTAPI create(PDEVICE_OBJECT device, PIRP irp)
{
    PIO_STACK_LOCATION stack = IoGetCurrentIrpStackLocation(irp);
    PFILE_OBJECT file = stack->FileObject;
    PIO_SECURITY_CONTEXT context = stack->Parameters.Create.SecurityContext;
    struct seen_created *created =
        ExAllocatePoolWithTag(NonPagedPoolNx, sizeof(*created), 'neeS');
    ULONG i;

    if (created == NULL) {
        return complete(irp, STATUS_INSUFFICIENT_RESOURCES, 0);
    }
    RtlZeroMemory(created, sizeof(*created));
    created->options = stack->Parameters.Create.Options;
    created->access = context->DesiredAccess;
    created->full_options =
        context->FullCreateOptions == (created->options & 0x00FFFFFF);
    created->share = stack->Parameters.Create.ShareAccess;
    created->attributes = stack->Parameters.Create.FileAttributes;
    created->mode = (UCHAR)irp->RequestorMode;
    created->related = file->RelatedFileObject != NULL;
    created->flags = file->Flags;
    created->level = KeGetCurrentIrql();
    created->device_type = device->Type;
    created->device_size = device->Size;
    created->name_length = file->FileName.Length;
    for (i = 0;
         i < file->FileName.Length / sizeof(WCHAR) && i < sizeof(created->name);
         i++) {
        created->name[i] = (CHAR)file->FileName.Buffer[i];
    }
    file->FsContext = created;
    return complete(irp, STATUS_SUCCESS, 0);
}

static NTSTATUS NTAPI cleanup(PDEVICE_OBJECT device, PIRP irp)
{
    UNREFERENCED_PARAMETER(device);
    return complete(irp, STATUS_SUCCESS, 0);
}

static NTSTATUS NTAPI close(PDEVICE_OBJECT device, PIRP irp)
{
    UNREFERENCED_PARAMETER(device);
    close_level = KeGetCurrentIrql();
    ExFreePoolWithTag(
        IoGetCurrentIrpStackLocation(irp)->FileObject->FsContext, 'neeS');
    return complete(irp, STATUS_SUCCESS, 0);
}

/* The pages of the request, or NULL. */
static PVOID pages_of(PIRP irp)
{
    return irp->MdlAddress == NULL ? NULL
                                   : MmGetSystemAddressForMdlSafe(
                                         irp->MdlAddress, NormalPagePriority);
}

static VOID note(PIRP irp, ULONG code, ULONG input, ULONG output)
{
    RtlZeroMemory(&last, sizeof(last));
    last.code = code;
    last.input = input;
    last.output = output;
    last.mode = (UCHAR)irp->RequestorMode;
    last.system_buffer = irp->AssociatedIrp.SystemBuffer != NULL;
    last.user_buffer = irp->UserBuffer != NULL;
    last.mdl = irp->MdlAddress != NULL;
    if (irp->MdlAddress != NULL) {
        last.mdl_bytes = MmGetMdlByteCount(irp->MdlAddress);
        last.mdl_writes =
            (irp->MdlAddress->MdlFlags & MDL_WRITE_OPERATION) != 0;
    }
}

/* Whether a program's own addresses are of its memory; the kernel's are. */
static NTSTATUS probed(PIRP irp, ULONG input, ULONG output)
{
    PIO_STACK_LOCATION stack = IoGetCurrentIrpStackLocation(irp);

    __try {
        ProbeForRead(
            stack->Parameters.DeviceIoControl.Type3InputBuffer, input, 1);
        ProbeForWrite(irp->UserBuffer, output, 1);
    } __except (EXCEPTION_EXECUTE_HANDLER) {
        return GetExceptionCode();
    }
    return STATUS_SUCCESS;
}

static NTSTATUS asked(PIRP irp, ULONG code, ULONG input, ULONG output)
{
    PIO_STACK_LOCATION stack = IoGetCurrentIrpStackLocation(irp);
    PVOID to = irp->AssociatedIrp.SystemBuffer;
    PVOID first = to;
    NTSTATUS status = returns;
    CCHAR with = boost;

    note(irp, code, input, output);
    returns = STATUS_SUCCESS;
    boost = IO_NO_INCREMENT;
    if ((code & 3) == METHOD_NEITHER) {
        if (irp->RequestorMode != KernelMode &&
            !NT_SUCCESS(probed(irp, input, output))) {
            return complete(irp, STATUS_ACCESS_VIOLATION, 0);
        }
        first = stack->Parameters.DeviceIoControl.Type3InputBuffer;
        to = irp->UserBuffer;
        last.type3 = first != NULL;
    } else if ((code & 3) != METHOD_BUFFERED) {
        to = pages_of(irp);
        first = (code & 3) == METHOD_IN_DIRECT && output > 0 ? to : first;
    }
    if (first != NULL && (input > 0 || (code & 3) == METHOD_IN_DIRECT)) {
        last.first = *(UCHAR *)first;
    }
    if (output > 0 && (code & 3) != METHOD_IN_DIRECT) {
        RtlFillMemory(to, output, SEEN_FILL);
    }
    return complete_with(irp, status, output, with);
}

static NTSTATUS probe(PIRP irp, ULONG input, ULONG output)
{
    return complete(irp, probed(irp, input, output), 0);
}

static NTSTATUS release(PIRP irp)
{
    ULONG output = IoGetCurrentIrpStackLocation(kept)
                       ->Parameters.DeviceIoControl.OutputBufferLength;
    KIRQL level = (KIRQL) * (ULONG *)irp->AssociatedIrp.SystemBuffer, before;

    if (output > 0) {
        RtlFillMemory(kept->AssociatedIrp.SystemBuffer, output, SEEN_FILL);
    }
    KeRaiseIrql(level, &before);
    complete_with(kept, returns, output, boost);
    KeLowerIrql(before);
    returns = STATUS_SUCCESS;
    boost = IO_NO_INCREMENT;
    return complete(irp, STATUS_SUCCESS, 0);
}

static NTSTATUS give(PIRP irp, ULONG output, const void *from, ULONG size)
{
    if (output < size) {
        return complete(irp, STATUS_BUFFER_TOO_SMALL, 0);
    }
    RtlCopyMemory(irp->AssociatedIrp.SystemBuffer, from, size);
    return complete(irp, STATUS_SUCCESS, size);
}

static NTSTATUS NTAPI control(PDEVICE_OBJECT device, PIRP irp)
{
    PIO_STACK_LOCATION stack = IoGetCurrentIrpStackLocation(irp);
    ULONG code = stack->Parameters.DeviceIoControl.IoControlCode;
    ULONG input = stack->Parameters.DeviceIoControl.InputBufferLength;
    ULONG output = stack->Parameters.DeviceIoControl.OutputBufferLength;
    ULONG *number = irp->AssociatedIrp.SystemBuffer;

    switch (SEEN_FUNCTION(code)) {
    case SEEN_CREATED:
        return give(irp, output, stack->FileObject->FsContext,
            sizeof(struct seen_created));
    case SEEN_LAST:
        last.close_level = close_level;
        return give(irp, output, &last, sizeof(last));
    case SEEN_FLAGS:
        device->Flags &= ~(ULONG)(DO_BUFFERED_IO | DO_DIRECT_IO);
        device->Flags |= *number;
        return complete(irp, STATUS_SUCCESS, 0);
    case SEEN_KEEP:
        note(irp, code, input, output);
        IoMarkIrpPending(irp);
        kept = irp;
        return STATUS_PENDING;
    case SEEN_RELEASE:
        return release(irp);
    case SEEN_PROBE:
        return probe(irp, input, output);
    case SEEN_ASKED:
        return asked(irp, code, input, output);
    case SEEN_RETURNS:
        returns = (NTSTATUS)*number;
        return complete(irp, STATUS_SUCCESS, 0);
    case SEEN_BOOST:
        boost = (CCHAR)*number;
        return complete(irp, STATUS_SUCCESS, 0);
    default:
        return complete(irp, STATUS_INVALID_DEVICE_REQUEST, 0);
    }
}

static NTSTATUS NTAPI transfer(PDEVICE_OBJECT device, PIRP irp)
{
    PIO_STACK_LOCATION stack = IoGetCurrentIrpStackLocation(irp);
    ULONG length = stack->Parameters.Read.Length;
    BOOLEAN reads = stack->MajorFunction == IRP_MJ_READ;
    UCHAR *data = pages_of(irp);

    UNREFERENCED_PARAMETER(device);
    note(irp, 0, reads ? 0 : length, reads ? length : 0);
    last.offset = stack->Parameters.Read.ByteOffset.QuadPart;
    last.key = stack->Parameters.Read.Key;
    data = data != NULL ? data : irp->AssociatedIrp.SystemBuffer;
    data = data != NULL ? data : irp->UserBuffer;
    if (reads && length > 0) {
        RtlFillMemory(data, length, SEEN_FILL);
    } else if (length > 0) {
        last.first = data[0];
    }
    return complete(irp, STATUS_SUCCESS, length);
}

static VOID NTAPI unload(PDRIVER_OBJECT driver)
{
    UNICODE_STRING link;

    RtlInitUnicodeString(&link, L"\\DosDevices\\Seen");
    IoDeleteSymbolicLink(&link);
    IoDeleteDevice(driver->DeviceObject);
}

NTSTATUS NTAPI DriverEntry(PDRIVER_OBJECT driver, PUNICODE_STRING path)
{
    UNICODE_STRING name, link;
    PDEVICE_OBJECT object;
    NTSTATUS status;

    UNREFERENCED_PARAMETER(path);
    driver->MajorFunction[IRP_MJ_CREATE] = create;
    driver->MajorFunction[IRP_MJ_CLEANUP] = cleanup;
    driver->MajorFunction[IRP_MJ_CLOSE] = close;
    driver->MajorFunction[IRP_MJ_DEVICE_CONTROL] = control;
    driver->MajorFunction[IRP_MJ_READ] = transfer;
    driver->MajorFunction[IRP_MJ_WRITE] = transfer;
    driver->DriverUnload = unload;
    RtlInitUnicodeString(&name, L"\\Device\\Seen");
    RtlInitUnicodeString(&link, L"\\DosDevices\\Seen");
    status = IoCreateDevice(driver, EXTENSION_BYTES, &name, FILE_DEVICE_UNKNOWN,
        FILE_DEVICE_SECURE_OPEN, FALSE, &object);
    if (!NT_SUCCESS(status)) {
        return status;
    }
    object->Flags |= DO_BUFFERED_IO;
    status = IoCreateSymbolicLink(&link, &name);
    if (!NT_SUCCESS(status)) {
        IoDeleteDevice(object);
    }
    return status;
}
