/* locator.c - a driver that finds the device of a function on PCI by its name,
 * asks for a property of it, and sends it a request, as a program asks. */
#include <ntddk.h>

#include "scenarios/drivers/control_device.h"

DRIVER_INITIALIZE DriverEntry;

#define CODE_ASK                                                               \
    CTL_CODE(FILE_DEVICE_UNKNOWN, 0x800, METHOD_BUFFERED, FILE_ANY_ACCESS)

enum { LOCATOR_ASK = 0x222000 };

struct question {
    ULONG number, property, length; /* of the device; bytes of room */
};

struct answer {
    NTSTATUS found, asked, sent;
    ULONG length, value;
};

static NTSTATUS send(PDEVICE_OBJECT device)
{
    IO_STATUS_BLOCK block;
    KEVENT done;
    PIRP irp;

    KeInitializeEvent(&done, NotificationEvent, FALSE);
    irp = IoBuildDeviceIoControlRequest(
        CODE_ASK, device, NULL, 0, NULL, 0, FALSE, &done, &block);
    return irp == NULL ? STATUS_INSUFFICIENT_RESOURCES
                       : IoCallDriver(device, irp);
}

static VOID ask(const struct question *question, struct answer *answer)
{
    WCHAR text[] = L"\\Device\\NTPNP_PCI0000";
    UNICODE_STRING name;
    PDEVICE_OBJECT device;
    PFILE_OBJECT file;

    RtlInitUnicodeString(&name, text);
    text[name.Length / sizeof(WCHAR) - 1] = (WCHAR)(L'0' + question->number);
    answer->found =
        IoGetDeviceObjectPointer(&name, FILE_READ_ATTRIBUTES, &file, &device);
    if (!NT_SUCCESS(answer->found)) {
        return;
    }
    answer->asked = IoGetDeviceProperty(device,
        (DEVICE_REGISTRY_PROPERTY)question->property, question->length,
        question->length == 0 ? NULL : &answer->value, &answer->length);
    answer->sent = send(device);
    ObDereferenceObject(file);
}

static NTSTATUS NTAPI control(PDEVICE_OBJECT device, PIRP irp)
{
    PIO_STACK_LOCATION location = IoGetCurrentIrpStackLocation(irp);
    struct answer *to = irp->AssociatedIrp.SystemBuffer;
    struct answer answer = {0};
    NTSTATUS status = STATUS_INVALID_PARAMETER;

    UNREFERENCED_PARAMETER(device);
    irp->IoStatus.Information = 0;
    /* Another code's method may have no buffer there. */
    if (location->Parameters.DeviceIoControl.IoControlCode != LOCATOR_ASK) {
        status = STATUS_INVALID_DEVICE_REQUEST;
    } else if (location->Parameters.DeviceIoControl.InputBufferLength ==
                   sizeof(struct question) &&
               location->Parameters.DeviceIoControl.OutputBufferLength ==
                   sizeof(answer)) {
        ask((const struct question *)irp->AssociatedIrp.SystemBuffer, &answer);
        *to = answer;
        irp->IoStatus.Information = sizeof(answer);
        status = STATUS_SUCCESS;
    }
    irp->IoStatus.Status = status;
    IoCompleteRequest(irp, IO_NO_INCREMENT);
    return status;
}

static NTSTATUS NTAPI come_and_go(PDEVICE_OBJECT device, PIRP irp)
{
    UNREFERENCED_PARAMETER(device);
    irp->IoStatus.Status = STATUS_SUCCESS;
    irp->IoStatus.Information = 0;
    IoCompleteRequest(irp, IO_NO_INCREMENT);
    return STATUS_SUCCESS;
}

static VOID NTAPI unload(PDRIVER_OBJECT driver)
{
    control_device_remove(driver, L"\\DosDevices\\Locator");
}

NTSTATUS NTAPI DriverEntry(PDRIVER_OBJECT driver, PUNICODE_STRING path)
{
    UNREFERENCED_PARAMETER(path);
    driver->MajorFunction[IRP_MJ_CREATE] = come_and_go;
    driver->MajorFunction[IRP_MJ_CLOSE] = come_and_go;
    driver->MajorFunction[IRP_MJ_DEVICE_CONTROL] = control;
    driver->DriverUnload = unload;
    return control_device_make(
        driver, L"\\Device\\Locator", L"\\DosDevices\\Locator", FALSE);
}
