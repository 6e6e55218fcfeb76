/* io.c - a driver with a device, a link and one control code, that says what it
 * does in every way that DbgPrint has. */
#include <ntddk.h>

#define ECHO_CODE                                                              \
    CTL_CODE(FILE_DEVICE_UNKNOWN, 0x800, METHOD_BUFFERED, FILE_ANY_ACCESS)

struct extension {
    ULONG requests;
    UCHAR last[16];
};

DRIVER_INITIALIZE DriverEntry;

static NTSTATUS complete(PIRP irp, NTSTATUS status, ULONG_PTR information)
{
    irp->IoStatus.Status = status;
    irp->IoStatus.Information = information;
    IoCompleteRequest(irp, IO_NO_INCREMENT);
    return status;
}

static NTSTATUS NTAPI open_close(PDEVICE_OBJECT device, PIRP irp)
{
    UNREFERENCED_PARAMETER(device);
    return complete(irp, STATUS_SUCCESS, 0);
}

static NTSTATUS NTAPI control(PDEVICE_OBJECT device, PIRP irp)
{
    struct extension *extension = device->DeviceExtension;
    PIO_STACK_LOCATION location = IoGetCurrentIrpStackLocation(irp);
    ULONG size = location->Parameters.DeviceIoControl.InputBufferLength;
    UCHAR *buffer = irp->AssociatedIrp.SystemBuffer;
    ULONG i;

    if (location->Parameters.DeviceIoControl.IoControlCode != ECHO_CODE) {
        return complete(irp, STATUS_INVALID_DEVICE_REQUEST, 0);
    }
    extension->requests++;
    RtlZeroMemory(extension->last, sizeof(extension->last));
    RtlCopyMemory(extension->last, buffer,
        size < sizeof(extension->last) ? size : sizeof(extension->last));
    for (i = 0; i < size; i++) {
        buffer[i] ^= 0x20;
    }
    DbgPrint("request %u: %s, %d, %I64x, %p, %c%c, %5lu|\n",
        extension->requests, "echo", -5, 0x123456789ABCDEF0ULL,
        (PVOID)(ULONG_PTR)0x1234, 'o', 'k', size);
    return complete(irp, STATUS_SUCCESS, size);
}

static VOID NTAPI unload(PDRIVER_OBJECT driver)
{
    UNICODE_STRING link;

    RtlInitUnicodeString(&link, L"\\DosDevices\\NtpmuIo");
    IoDeleteSymbolicLink(&link);
    IoDeleteDevice(driver->DeviceObject);
}

NTSTATUS NTAPI DriverEntry(PDRIVER_OBJECT driver, PUNICODE_STRING path)
{
    UNICODE_STRING name, link;
    PDEVICE_OBJECT device;
    NTSTATUS status;

    RtlInitUnicodeString(&name, L"\\Device\\NtpmuIo");
    RtlInitUnicodeString(&link, L"\\DosDevices\\NtpmuIo");
    DbgPrint("%wZ makes %wZ\n", path, &name);
    status = IoCreateDevice(driver, sizeof(struct extension), &name,
        FILE_DEVICE_UNKNOWN, FILE_DEVICE_SECURE_OPEN, FALSE, &device);
    if (!NT_SUCCESS(status)) {
        return status;
    }
    status = IoCreateSymbolicLink(&link, &name);
    if (!NT_SUCCESS(status)) {
        IoDeleteDevice(device);
        return status;
    }
    driver->MajorFunction[IRP_MJ_CREATE] = open_close;
    driver->MajorFunction[IRP_MJ_CLOSE] = open_close;
    driver->MajorFunction[IRP_MJ_DEVICE_CONTROL] = control;
    driver->DriverUnload = unload;
    return STATUS_SUCCESS;
}
