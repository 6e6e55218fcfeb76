/* sampler.c - a driver that samples: its device, and what programs ask of it.
 * Needs no structured exceptions: every compiler for Windows builds it. */
#include <ntddk.h>

#include "scenarios/drivers/control_device.h"
#include "scenarios/drivers/sampler/sampler.h"
#include "scenarios/drivers/sampler/sampling.h"

struct request {
    PVOID buffer;         /* for both directions */
    ULONG input, output;  /* bytes there are */
    ULONG_PTR bytes_back; /* bytes that the program gets */
};

DRIVER_INITIALIZE DriverEntry;
static DRIVER_UNLOAD unload;
static DRIVER_DISPATCH create, close, control;

#ifdef ALLOC_PRAGMA
#pragma alloc_text(INIT, DriverEntry, control_device_make)
#pragma alloc_text(PAGE, unload, create, close, control)
#endif

#define DEVICE_NAME L"\\Device\\Sampler"
#define LINK_NAME L"\\DosDevices\\Sampler"

static NTSTATUS complete(PIRP irp, NTSTATUS status, ULONG_PTR information)
{
    irp->IoStatus.Status = status;
    irp->IoStatus.Information = information;
    IoCompleteRequest(irp, IO_NO_INCREMENT);
    return status;
}

static NTSTATUS handle_start(struct request *request)
{
    if (request->input < sizeof(struct sampler_start)) {
        return STATUS_INVALID_PARAMETER;
    }
    return sampling_start(request->buffer);
}

static NTSTATUS handle_read(struct request *request)
{
    const struct sampler_read *read = request->buffer;
    ULONG count = request->output / sizeof(struct sampler_sample);
    NTSTATUS status;

    if (request->input < sizeof(*read)) {
        return STATUS_INVALID_PARAMETER;
    }
    if (count == 0) {
        return STATUS_BUFFER_TOO_SMALL;
    }
    status = sampling_read(read->Processor, request->buffer, &count);
    request->bytes_back = count * sizeof(struct sampler_sample);
    return status;
}

static NTSTATUS handle(struct request *request, ULONG code)
{
    switch (code) {
    case IOCTL_SAMPLER_START:
        return handle_start(request);
    case IOCTL_SAMPLER_STOP:
        return sampling_stop();
    case IOCTL_SAMPLER_READ:
        return handle_read(request);
    default:
        return STATUS_INVALID_DEVICE_REQUEST;
    }
}

/* One request at a time: a handle may be used by several threads. */
static NTSTATUS NTAPI control(PDEVICE_OBJECT object, PIRP irp)
{
    static volatile LONG busy;
    PIO_STACK_LOCATION location = IoGetCurrentIrpStackLocation(irp);
    struct request request = {.buffer = irp->AssociatedIrp.SystemBuffer,
        .input = location->Parameters.DeviceIoControl.InputBufferLength,
        .output = location->Parameters.DeviceIoControl.OutputBufferLength};
    NTSTATUS status;

    UNREFERENCED_PARAMETER(object);
    PAGED_CODE();
    if (InterlockedExchange(&busy, 1) != 0) {
        return complete(irp, STATUS_DEVICE_BUSY, 0);
    }
    status =
        handle(&request, location->Parameters.DeviceIoControl.IoControlCode);
    InterlockedExchange(&busy, 0);
    return complete(irp, status, NT_SUCCESS(status) ? request.bytes_back : 0);
}

static NTSTATUS NTAPI create(PDEVICE_OBJECT object, PIRP irp)
{
    UNREFERENCED_PARAMETER(object);
    PAGED_CODE();
    return complete(irp, STATUS_SUCCESS, 0);
}

/* The device is exclusive: nobody else has it open. Samples stay. */
static NTSTATUS NTAPI close(PDEVICE_OBJECT object, PIRP irp)
{
    UNREFERENCED_PARAMETER(object);
    PAGED_CODE();
    sampling_stop();
    return complete(irp, STATUS_SUCCESS, 0);
}

static VOID NTAPI unload(PDRIVER_OBJECT driver)
{
    PAGED_CODE();
    sampling_discard();
    control_device_remove(driver, LINK_NAME);
}

NTSTATUS NTAPI DriverEntry(PDRIVER_OBJECT driver, PUNICODE_STRING path)
{
    UNREFERENCED_PARAMETER(path);
    driver->MajorFunction[IRP_MJ_CREATE] = create;
    driver->MajorFunction[IRP_MJ_CLOSE] = close;
    driver->MajorFunction[IRP_MJ_DEVICE_CONTROL] = control;
    driver->DriverUnload = unload;
    return control_device_make(driver, DEVICE_NAME, LINK_NAME, TRUE);
}
