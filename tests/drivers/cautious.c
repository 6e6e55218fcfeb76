/* cautious.c - a driver that gives back what it has when a call of its fails,
 * wherever that is; or makes one mistake of five there, none of which anybody
 * sees as long as no call fails. */
#include <ntddk.h>

#include "scenarios/drivers/control_device.h"

DRIVER_INITIALIZE DriverEntry;
static DRIVER_UNLOAD unload;
static DRIVER_DISPATCH create_close, control;

#if defined(PAGEABLE)
static NTSTATUS make_before(VOID);
static NTSTATUS start(VOID);
#pragma alloc_text(PAGE, make_before, start)
#endif

#define DEVICE_NAME L"\\Device\\Cautious"
#define LINK_NAME L"\\DosDevices\\Cautious"

enum {
    IOCTL_START = 0x22E000,
    IOCTL_STOP = 0x22E004,
    TAG = 0x74756143,
    COUNTS = 64,
};

#if defined(COUNTS_LEAKED)
enum { COUNTS_ARE_FREED = 0 };
#else
enum { COUNTS_ARE_FREED = 1 };
#endif

static struct {
    KMUTEX lock;
    ULONG64 *counts, *before;
    HANDLE set;
    PVOID change;
    BOOLEAN started;
} cautious;

/* Two functions call it: what fails in it is two places. */
static ULONG64 *make(VOID)
{
    return ExAllocatePoolWithTag(NonPagedPoolNx, COUNTS * sizeof(ULONG64), TAG);
}

static VOID free_all(VOID)
{
    if (cautious.before != NULL) {
        ExFreePoolWithTag(cautious.before, TAG);
    }
    if (cautious.counts != NULL) {
        ExFreePoolWithTag(cautious.counts, TAG);
    }
    cautious.counts = cautious.before = NULL;
}

static NTSTATUS make_counts(VOID)
{
    cautious.counts = make();
    if (cautious.counts == NULL) {
        return STATUS_INSUFFICIENT_RESOURCES;
    }
    RtlZeroMemory(cautious.counts, COUNTS * sizeof(ULONG64));
    return STATUS_SUCCESS;
}

static NTSTATUS make_before(VOID)
{
    cautious.before = make();
#if !defined(NULL_USED)
    if (cautious.before == NULL) {
        return STATUS_INSUFFICIENT_RESOURCES;
    }
#endif
    cautious.before[0] = 0;
    return STATUS_SUCCESS;
}

static VOID NTAPI changed(
    PVOID context, PKE_PROCESSOR_CHANGE_NOTIFY_CONTEXT change, PNTSTATUS status)
{
    UNREFERENCED_PARAMETER(context);
    UNREFERENCED_PARAMETER(change);
    UNREFERENCED_PARAMETER(status);
}

/* The whole PMU, and to be told of processors that are added. */
static NTSTATUS take(VOID)
{
    NTSTATUS status = HalAllocateHardwareCounters(NULL, 0, NULL, &cautious.set);

#if !defined(STATUS_IGNORED)
    if (!NT_SUCCESS(status)) {
        return status;
    }
#endif
    cautious.change = KeRegisterProcessorChangeCallback(changed, NULL, 0);
    if (cautious.change == NULL) {
#if !defined(SET_LEFT)
        HalFreeHardwareCounters(cautious.set);
#endif
        return STATUS_INSUFFICIENT_RESOURCES;
    }
    return STATUS_SUCCESS;
}

static NTSTATUS start(VOID)
{
    NTSTATUS status;

    KeWaitForSingleObject(&cautious.lock, Executive, KernelMode, FALSE, NULL);
    status = make_counts();
#if defined(LOCK_KEPT)
    if (!NT_SUCCESS(status)) {
        return status;
    }
#endif
    if (NT_SUCCESS(status)) {
        status = make_before();
    }
    if (!NT_SUCCESS(status) && !COUNTS_ARE_FREED) {
        cautious.counts = NULL;
    }
    if (NT_SUCCESS(status)) {
        status = take();
    }
    if (!NT_SUCCESS(status)) {
        free_all();
    }
    cautious.started = NT_SUCCESS(status);
    KeReleaseMutex(&cautious.lock, FALSE);
    return status;
}

static NTSTATUS stop(VOID)
{
    if (!cautious.started) {
        return STATUS_INVALID_DEVICE_STATE;
    }
    KeDeregisterProcessorChangeCallback(cautious.change);
    HalFreeHardwareCounters(cautious.set);
    free_all();
    cautious.started = FALSE;
    return STATUS_SUCCESS;
}

static NTSTATUS complete(PIRP irp, NTSTATUS status)
{
    irp->IoStatus.Status = status;
    irp->IoStatus.Information = 0;
    IoCompleteRequest(irp, IO_NO_INCREMENT);
    return status;
}

static NTSTATUS NTAPI create_close(PDEVICE_OBJECT object, PIRP irp)
{
    UNREFERENCED_PARAMETER(object);
    return complete(irp, STATUS_SUCCESS);
}

static NTSTATUS NTAPI control(PDEVICE_OBJECT object, PIRP irp)
{
    UNREFERENCED_PARAMETER(object);
    switch (IoGetCurrentIrpStackLocation(irp)
                ->Parameters.DeviceIoControl.IoControlCode) {
    case IOCTL_START:
        return complete(irp, start());
    case IOCTL_STOP:
        return complete(irp, stop());
    default:
        return complete(irp, STATUS_INVALID_DEVICE_REQUEST);
    }
}

static VOID NTAPI unload(PDRIVER_OBJECT driver)
{
    UNICODE_STRING link_name;

    RtlInitUnicodeString(&link_name, LINK_NAME);
    IoDeleteSymbolicLink(&link_name);
    IoDeleteDevice(driver->DeviceObject);
}

NTSTATUS NTAPI DriverEntry(PDRIVER_OBJECT driver, PUNICODE_STRING path)
{
    UNREFERENCED_PARAMETER(path);
    KeInitializeMutex(&cautious.lock, 0);
    driver->MajorFunction[IRP_MJ_CREATE] = create_close;
    driver->MajorFunction[IRP_MJ_CLOSE] = create_close;
    driver->MajorFunction[IRP_MJ_DEVICE_CONTROL] = control;
    driver->DriverUnload = unload;
    return control_device_make(driver, DEVICE_NAME, LINK_NAME, FALSE);
}
