/* queues.c - a driver that moves packets through queues and publishes counters
 * of it: its device, and what programs ask of it. Needs no structured
 * exceptions: every compiler for Windows builds it. */
#include <ntddk.h>

#include "scenarios/drivers/queues/queues.h"

#include "scenarios/drivers/control_device.h"
#include "scenarios/drivers/queues/counters.h"
#include "scenarios/drivers/queues/defects.h"
#include "scenarios/drivers/queues/processors.h"
#include "scenarios/drivers/queues/queue.h"

struct request {
    PVOID buffer;         /* for both directions */
    ULONG input, output;  /* bytes there are */
    ULONG_PTR bytes_back; /* bytes that the program gets */
};

DRIVER_INITIALIZE DriverEntry;
static DRIVER_UNLOAD unload;
static DRIVER_DISPATCH create_or_close, control;
static NTSTATUS register_counters(VOID);

#ifdef ALLOC_PRAGMA
#pragma alloc_text(INIT, DriverEntry, control_device_make, register_counters)
#pragma alloc_text(PAGE, unload, create_or_close, control)
#endif

#define DEVICE_NAME L"\\Device\\Queues"
#define LINK_NAME L"\\DosDevices\\Queues"

static NTSTATUS complete(PIRP irp, NTSTATUS status, ULONG_PTR information)
{
    irp->IoStatus.Status = status;
    irp->IoStatus.Information = information;
    IoCompleteRequest(irp, IO_NO_INCREMENT);
    return status;
}

/* The name is what the input has behind the number. */
static NTSTATUS handle_add(struct request *request)
{
    const ULONG *number = request->buffer;
    ULONG bytes = request->input - sizeof(*number);
    UNICODE_STRING name = {.Length = (USHORT)bytes,
        .MaximumLength = (USHORT)bytes,
        .Buffer = (PWSTR)(number + 1)};

    return bytes > QUEUES_NAME_MAX * sizeof(WCHAR) ? STATUS_INVALID_PARAMETER
                                                   : queue_add(*number, &name);
}

static NTSTATUS handle_remove(struct request *request)
{
    return queue_remove(*(const ULONG *)request->buffer);
}

static NTSTATUS handle_put(struct request *request)
{
    return queue_put(request->buffer);
}

static NTSTATUS handle_take(struct request *request)
{
    const struct queues_take take = *(struct queues_take *)request->buffer;
    ULONG *taken = request->buffer;

    request->bytes_back = sizeof(*taken);
    return queue_take(&take, taken);
}

static const struct control_row {
    ULONG code;
    ULONG input, output; /* bytes at least */
    NTSTATUS (*handle)(struct request *request);
} control_rows[] = {
    {IOCTL_QUEUES_ADD, sizeof(ULONG), 0, handle_add},
    {IOCTL_QUEUES_REMOVE, sizeof(ULONG), 0, handle_remove},
    {IOCTL_QUEUES_PUT, sizeof(struct queues_put), 0, handle_put},
    {IOCTL_QUEUES_TAKE, sizeof(struct queues_take), sizeof(ULONG), handle_take},
};

static NTSTATUS handle(struct request *request, ULONG code)
{
    const struct control_row *row = control_rows;

    while (row->code != code) {
        if (++row == control_rows + RTL_NUMBER_OF(control_rows)) {
            return STATUS_INVALID_DEVICE_REQUEST;
        }
    }
    if (request->input < row->input) {
        return STATUS_INVALID_PARAMETER;
    }
    return request->output < row->output ? STATUS_BUFFER_TOO_SMALL
                                         : row->handle(request);
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

/* Queues stay: they are the driver's, not the handle's. */
static NTSTATUS NTAPI create_or_close(PDEVICE_OBJECT object, PIRP irp)
{
    UNREFERENCED_PARAMETER(object);
    PAGED_CODE();
    return complete(irp, STATUS_SUCCESS, 0);
}

/* No request comes any more; consumers may, until the sets are unregistered. */
static VOID NTAPI unload(PDRIVER_OBJECT driver)
{
    PAGED_CODE();
    control_device_remove(driver, LINK_NAME);
    processors_unregister();
    queues_unregister();
}

/* Both sets or none. What was not registered is not unregistered: its handle is
 * NULL (PCW-REG-14, PCW-UNR-04). */
static NTSTATUS register_counters(VOID)
{
    NTSTATUS status = queues_register();

    if (DEFECT == DEFECT_REGISTERED_TWICE) {
        status = queues_register();
    }
    if (!NT_SUCCESS(status) && DEFECT == DEFECT_CLEANED_UP_BLINDLY) {
        queues_unregister();
    }
    if (!NT_SUCCESS(status) && DEFECT != DEFECT_REGISTER_UNCHECKED) {
        return status;
    }
    status = processors_register();
    if (!NT_SUCCESS(status)) {
        queues_unregister();
    }
    return status;
}

/* The device comes last: whoever opens it finds everything. */
NTSTATUS NTAPI DriverEntry(PDRIVER_OBJECT driver, PUNICODE_STRING path)
{
    NTSTATUS status;

    UNREFERENCED_PARAMETER(path);
    driver->MajorFunction[IRP_MJ_CREATE] = create_or_close;
    driver->MajorFunction[IRP_MJ_CLOSE] = create_or_close;
    driver->MajorFunction[IRP_MJ_DEVICE_CONTROL] = control;
    driver->DriverUnload = unload;
    status = register_counters();
    if (!NT_SUCCESS(status)) {
        return status;
    }
    status = control_device_make(driver, DEVICE_NAME, LINK_NAME, TRUE);
    if (!NT_SUCCESS(status)) {
        processors_unregister();
        queues_unregister();
    }
    return status;
}
