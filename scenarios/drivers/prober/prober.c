/* prober.c - sample driver that touches what a program's address within the
 * input leads to, after one check of it or another, or without. */
#include <ntddk.h>

#include "scenarios/drivers/control_device.h"
#include "scenarios/drivers/prober/prober.h"

DRIVER_INITIALIZE DriverEntry;

/* ntifs.h */
NTSYSAPI NTSTATUS NTAPI ZwWaitForSingleObject(
    HANDLE Handle, BOOLEAN Alertable, PLARGE_INTEGER Timeout);

enum { STORED = 0x77, FUNCTION_SHIFT = 2, FUNCTION_MASK = 0xFFF };

static PIRP kept;
static volatile UCHAR sum;
static UCHAR other[2 * PAGE_SIZE];

static NTSTATUS complete(PIRP irp, NTSTATUS status)
{
    irp->IoStatus.Status = status;
    irp->IoStatus.Information = 0;
    IoCompleteRequest(irp, IO_NO_INCREMENT);
    return status;
}

static VOID load(const struct prober_touch *touch)
{
    ULONG i;

    for (i = 0; i < touch->count; i++) {
        sum = (UCHAR)(sum + touch->at[i]);
    }
}

static VOID NTAPI load_elsewhere(PVOID context)
{
    load(context);
}

/* A thread of the system's does it, and this one waits. */
static VOID load_by_thread(struct prober_touch *touch)
{
    HANDLE handle;

    if (NT_SUCCESS(PsCreateSystemThread(&handle, THREAD_ALL_ACCESS, NULL, NULL,
            NULL, load_elsewhere, touch))) {
        ZwWaitForSingleObject(handle, FALSE, NULL);
        ZwClose(handle);
    }
}

static VOID touch_it(struct prober_touch *touch)
{
    ULONG i;

    switch (touch->who) {
    case PROBER_LOADS:
        load(touch);
        break;
    case PROBER_STORES:
        for (i = 0; i < touch->count; i++) {
            touch->at[i] = STORED;
        }
        break;
    case PROBER_COMPARES:
        sum = (UCHAR)RtlCompareMemory(touch->at, other, touch->count);
        break;
    case PROBER_THREAD:
        load_by_thread(touch);
        break;
    default:
        break;
    }
}

static VOID touch_locked(struct prober_touch *touch, KPROCESSOR_MODE mode)
{
    PMDL mdl = IoAllocateMdl(touch->at, touch->checked, FALSE, FALSE, NULL);

    if (mdl == NULL) {
        return;
    }
    MmProbeAndLockPages(mdl, mode, IoModifyAccess);
    touch_it(touch);
    MmUnlockPages(mdl);
    IoFreeMdl(mdl);
}

static VOID touch_secured(struct prober_touch *touch)
{
    HANDLE secured =
        MmSecureVirtualMemory(touch->at, touch->checked, PAGE_READWRITE);

    if (secured != NULL) {
        touch_it(touch);
        MmUnsecureVirtualMemory(secured);
    }
}

static NTSTATUS check_and_touch(struct prober_touch *touch)
{
    __try {
        switch (touch->how) {
        case PROBER_LOCK_USER:
            touch_locked(touch, UserMode);
            return STATUS_SUCCESS;
        case PROBER_LOCK_KERNEL:
            touch_locked(touch, KernelMode);
            return STATUS_SUCCESS;
        case PROBER_SECURE:
            touch_secured(touch);
            return STATUS_SUCCESS;
        case PROBER_APART:
            ProbeForRead(touch->at + 2 * touch->checked, touch->checked, 1);
            ProbeForRead(touch->at, touch->checked, 1);
            break;
        case PROBER_APART_UP:
            ProbeForRead(touch->at, touch->checked, 1);
            ProbeForRead(touch->at + 2 * touch->checked, touch->checked, 1);
            break;
        case PROBER_UPWARDS:
            ProbeForRead(touch->at, touch->checked, 1);
            ProbeForRead(touch->at + touch->checked, touch->checked, 1);
            break;
        case PROBER_DOWNWARDS:
            ProbeForRead(touch->at + touch->checked, touch->checked, 1);
            ProbeForRead(touch->at, touch->checked, 1);
            break;
        case PROBER_WITHIN:
            ProbeForRead(touch->at, 3 * touch->checked, 1);
            ProbeForRead(touch->at + touch->checked, touch->checked, 1);
            break;
        case PROBER_READ:
            ProbeForRead(touch->at, touch->checked, 1);
            break;
        case PROBER_WRITE:
            ProbeForWrite(touch->at, touch->checked, 1);
            break;
        default:
            break;
        }
        touch_it(touch);
    } __except (EXCEPTION_EXECUTE_HANDLER) {
        return GetExceptionCode();
    }
    return STATUS_SUCCESS;
}

static NTSTATUS NTAPI control(PDEVICE_OBJECT device, PIRP irp)
{
    PIO_STACK_LOCATION stack = IoGetCurrentIrpStackLocation(irp);
    ULONG code = stack->Parameters.DeviceIoControl.IoControlCode;
    struct prober_touch *touch = irp->AssociatedIrp.SystemBuffer;
    PIRP done = kept;

    UNREFERENCED_PARAMETER(device);
    switch (code >> FUNCTION_SHIFT & FUNCTION_MASK) {
    case PROBER_TOUCH:
        return complete(irp, check_and_touch(touch));
    case PROBER_KEEP:
        IoMarkIrpPending(irp);
        check_and_touch(touch);
        kept = irp;
        return STATUS_PENDING;
    case PROBER_DONE:
        kept = NULL;
        complete(done, STATUS_SUCCESS);
        return complete(irp, STATUS_SUCCESS);
    default:
        return complete(irp, STATUS_INVALID_DEVICE_REQUEST);
    }
}

static NTSTATUS NTAPI come_and_go(PDEVICE_OBJECT device, PIRP irp)
{
    UNREFERENCED_PARAMETER(device);
    return complete(irp, STATUS_SUCCESS);
}

static VOID NTAPI unload(PDRIVER_OBJECT driver)
{
    control_device_remove(driver, L"\\DosDevices\\Prober");
}

NTSTATUS NTAPI DriverEntry(PDRIVER_OBJECT driver, PUNICODE_STRING path)
{
    UNREFERENCED_PARAMETER(path);
    driver->MajorFunction[IRP_MJ_CREATE] = come_and_go;
    driver->MajorFunction[IRP_MJ_CLOSE] = come_and_go;
    driver->MajorFunction[IRP_MJ_DEVICE_CONTROL] = control;
    driver->DriverUnload = unload;
    return control_device_make(
        driver, L"\\Device\\Prober", L"\\DosDevices\\Prober", FALSE);
}
