/* pmuctl.c - a driver that counts for programs: it takes the whole PMU, which
 * every Windows since 7 grants, and lets one program at a time use it. */
#include <ntddk.h>

#include "scenarios/drivers/pmuctl/defects.h"
#include "scenarios/drivers/pmuctl/pmu.h"

struct device {
    HANDLE set;         /* the PMU; NULL: not ours */
    volatile LONG busy; /* a request is under way */
};

struct request {
    struct device *device;
    PVOID buffer;         /* for both directions */
    ULONG input, output;  /* bytes there are */
    ULONG_PTR bytes_back; /* bytes that the program gets */
};

DRIVER_INITIALIZE DriverEntry;
static DRIVER_UNLOAD unload;
static DRIVER_DISPATCH create, close, control;
static NTSTATUS make_device(PDRIVER_OBJECT driver);
static VOID announce(const char *what);
static NTSTATUS release(struct device *device);
static NTSTATUS reserve(struct device *device);

#ifdef ALLOC_PRAGMA
#pragma alloc_text(INIT, DriverEntry, make_device, announce)
#pragma alloc_text(PAGE, unload, create, close, release, reserve)
#endif

#define DEVICE_NAME L"\\Device\\PmuCtl"
#define LINK_NAME L"\\DosDevices\\PmuCtl"

static NTSTATUS complete(PIRP irp, NTSTATUS status, ULONG_PTR information)
{
    irp->IoStatus.Status = status;
    irp->IoStatus.Information = information;
    IoCompleteRequest(irp, IO_NO_INCREMENT);
    return DEFECT == DEFECT_OTHER_STATUS ? STATUS_SUCCESS : status;
}

static NTSTATUS reserve(struct device *device)
{
    PAGED_CODE();
    if (device->set != NULL && DEFECT != DEFECT_SET_OVERWRITTEN) {
        return STATUS_DEVICE_BUSY;
    }
    return HalAllocateHardwareCounters(NULL, 0, NULL, &device->set);
}

/* Counters stop before the PMU is given back (HAL-FREE-03a). */
static NTSTATUS release(struct device *device)
{
    NTSTATUS status;

    PAGED_CODE();
    if (device->set == NULL) {
        return STATUS_ACCESS_DENIED;
    }
    if (DEFECT != DEFECT_STILL_RUNNING) {
        pmu_stop();
    }
    status = HalFreeHardwareCounters(device->set);
    device->set = NULL;
    return status;
}

static NTSTATUS handle_reserve(struct request *request)
{
    return reserve(request->device);
}

static NTSTATUS handle_release(struct request *request)
{
    return release(request->device);
}

static NTSTATUS handle_program(struct request *request)
{
    const struct pmuctl_program *program = request->buffer;

    if (request->device->set == NULL && DEFECT != DEFECT_NOT_RESERVED) {
        return STATUS_ACCESS_DENIED;
    }
    return pmu_program(program);
}

static NTSTATUS handle_read(struct request *request)
{
    struct pmuctl_counter counter = *(struct pmuctl_counter *)request->buffer;
    struct pmuctl_count *count = request->buffer;

    if (request->device->set == NULL) {
        return STATUS_ACCESS_DENIED;
    }
    request->bytes_back = sizeof(*count);
    return pmu_read(&counter, count);
}

static NTSTATUS handle_rdmsr(struct request *request)
{
    struct pmuctl_register input = *(struct pmuctl_register *)request->buffer;
    ULONG64 *value = request->buffer;

    request->bytes_back = sizeof(*value);
    return pmu_read_register(&input, value);
}

static const struct control_row {
    ULONG code;
    ULONG input, output; /* bytes at least */
    NTSTATUS (*handle)(struct request *request);
} control_rows[] = {
    {IOCTL_PMUCTL_RESERVE, 0, 0, handle_reserve},
    {IOCTL_PMUCTL_RELEASE, 0, 0, handle_release},
    {IOCTL_PMUCTL_PROGRAM, sizeof(struct pmuctl_program), 0, handle_program},
    {IOCTL_PMUCTL_READ, sizeof(struct pmuctl_counter),
        sizeof(struct pmuctl_count), handle_read},
    {IOCTL_PMUCTL_RDMSR, sizeof(struct pmuctl_register), sizeof(ULONG64),
        handle_rdmsr},
};

static NTSTATUS handle(struct request *request, ULONG code)
{
    const struct control_row *row = control_rows;

    while (row->code != code) {
        if (++row == control_rows + RTL_NUMBER_OF(control_rows)) {
            return STATUS_INVALID_DEVICE_REQUEST;
        }
    }
    if (request->input < row->input && DEFECT != DEFECT_INPUT_UNCHECKED) {
        return STATUS_INVALID_PARAMETER;
    }
    if (request->output < row->output && DEFECT != DEFECT_OUTPUT_UNCHECKED) {
        return STATUS_BUFFER_TOO_SMALL;
    }
    return row->handle(request);
}

/* One request at a time: a handle may be used by several threads. */
static NTSTATUS NTAPI control(PDEVICE_OBJECT object, PIRP irp)
{
    PIO_STACK_LOCATION location = IoGetCurrentIrpStackLocation(irp);
    struct device *device = object->DeviceExtension;
    struct request request = {.device = device,
        .buffer = irp->AssociatedIrp.SystemBuffer,
        .input = location->Parameters.DeviceIoControl.InputBufferLength,
        .output = location->Parameters.DeviceIoControl.OutputBufferLength};
    NTSTATUS status;

    if (InterlockedExchange(&device->busy, 1) != 0) {
        return complete(irp, STATUS_DEVICE_BUSY, 0);
    }
    status =
        handle(&request, location->Parameters.DeviceIoControl.IoControlCode);
    InterlockedExchange(&device->busy, 0);
    status = complete(irp, status, NT_SUCCESS(status) ? request.bytes_back : 0);
    if (DEFECT == DEFECT_COMPLETED_TWICE && !NT_SUCCESS(status)) {
        IoCompleteRequest(irp, IO_NO_INCREMENT);
    }
    return status;
}

static NTSTATUS NTAPI create(PDEVICE_OBJECT object, PIRP irp)
{
    UNREFERENCED_PARAMETER(object);
    PAGED_CODE();
    return complete(irp, STATUS_SUCCESS, 0);
}

/* The device is exclusive: nobody else has it open. */
static NTSTATUS NTAPI close(PDEVICE_OBJECT object, PIRP irp)
{
    PAGED_CODE();
    if (DEFECT != DEFECT_SET_KEPT) {
        release(object->DeviceExtension);
    }
    return complete(irp, STATUS_SUCCESS, 0);
}

static VOID announce(const char *what)
{
    DbgPrint("pmuctl: %s\n", what);
}

static VOID NTAPI unload(PDRIVER_OBJECT driver)
{
    UNICODE_STRING link_name;

    PAGED_CODE();
    if (DEFECT == DEFECT_INIT_CALLED) {
        announce("unloaded");
    }
    RtlInitUnicodeString(&link_name, LINK_NAME);
    if (DEFECT != DEFECT_LINK_LEFT) {
        IoDeleteSymbolicLink(&link_name);
    }
    if (DEFECT != DEFECT_DEVICE_LEFT) {
        IoDeleteDevice(driver->DeviceObject);
    }
}

static NTSTATUS make_device(PDRIVER_OBJECT driver)
{
    UNICODE_STRING device_name, link_name;
    PDEVICE_OBJECT object;
    NTSTATUS status;

    RtlInitUnicodeString(&device_name, DEVICE_NAME);
    RtlInitUnicodeString(&link_name, LINK_NAME);
    status = IoCreateDevice(driver, sizeof(struct device), &device_name,
        FILE_DEVICE_UNKNOWN, FILE_DEVICE_SECURE_OPEN, TRUE, &object);
    if (!NT_SUCCESS(status)) {
        return status;
    }
    status = IoCreateSymbolicLink(&link_name, &device_name);
    if (!NT_SUCCESS(status)) {
        IoDeleteDevice(object);
    }
    return status;
}

NTSTATUS NTAPI DriverEntry(PDRIVER_OBJECT driver, PUNICODE_STRING path)
{
    NTSTATUS status;

    UNREFERENCED_PARAMETER(path);
    driver->MajorFunction[IRP_MJ_CREATE] = create;
    driver->MajorFunction[IRP_MJ_CLOSE] = close;
    driver->MajorFunction[IRP_MJ_DEVICE_CONTROL] = control;
    driver->DriverUnload = unload;
    status = make_device(driver);
    if (NT_SUCCESS(status)) {
        announce("loaded");
    }
    return status;
}
