/* profiler.c - a driver that says where processors spend their time: its
 * device, and what programs ask of it. Needs no structured exceptions: every
 * compiler for Windows builds it. */
#include <ntddk.h>

#include "scenarios/drivers/control_device.h"
#include "scenarios/drivers/profiler/profiler.h"
#include "scenarios/drivers/profiler/profiling.h"

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

#define DEVICE_NAME L"\\Device\\Profiler"
#define LINK_NAME L"\\DosDevices\\Profiler"

static NTSTATUS complete(PIRP irp, NTSTATUS status, ULONG_PTR information)
{
    irp->IoStatus.Status = status;
    irp->IoStatus.Information = information;
    IoCompleteRequest(irp, IO_NO_INCREMENT);
    return status;
}

static NTSTATUS handle_start(struct request *request)
{
    if (request->input < sizeof(struct profiler_start)) {
        return STATUS_INVALID_PARAMETER;
    }
    return profiling_start(request->buffer);
}

/* Both directions share the buffer, so the functions are copied first. */
static NTSTATUS handle_attribute(struct request *request)
{
    struct profiler_function function[PROFILER_FUNCTIONS_MAX];
    ULONG count = request->input / sizeof(function[0]);
    ULONG size = FIELD_OFFSET(struct profiler_shares, InFunction) +
                 count * sizeof(ULONG);

    if (count == 0 || count > PROFILER_FUNCTIONS_MAX) {
        return STATUS_INVALID_PARAMETER;
    }
    if (request->output < size) {
        return STATUS_BUFFER_TOO_SMALL;
    }
    RtlCopyMemory(function, request->buffer, count * sizeof(function[0]));
    profiling_attribute(function, count, request->buffer);
    request->bytes_back = size;
    return STATUS_SUCCESS;
}

static NTSTATUS handle(struct request *request, ULONG code)
{
    switch (code) {
    case IOCTL_PROFILER_START:
        return handle_start(request);
    case IOCTL_PROFILER_STOP:
        return profiling_stop();
    case IOCTL_PROFILER_ATTRIBUTE:
        return handle_attribute(request);
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

/* The device is exclusive: nobody else has it open. What it has recorded stays.
 */
static NTSTATUS NTAPI close(PDEVICE_OBJECT object, PIRP irp)
{
    UNREFERENCED_PARAMETER(object);
    PAGED_CODE();
    profiling_stop();
    return complete(irp, STATUS_SUCCESS, 0);
}

static VOID NTAPI unload(PDRIVER_OBJECT driver)
{
    PAGED_CODE();
    profiling_discard();
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
