/* watcher.c - sample driver that counts processes, threads and drivers' images
 * while it is loaded, refuses a program by its name, and tells by its device
 * what it has counted. */
#include <ntddk.h>

#include "scenarios/drivers/watcher/defects.h"

DRIVER_INITIALIZE DriverEntry;

enum { IOCTL_COUNTS = 0x222000, SYSTEM_IMAGE = 1 << 8 };

struct counts {
    ULONG processes, threads, images; /* that have begun */
    ULONG processes_ended, threads_ended;
    ULONG refused;
};

static struct counts counts;

static BOOLEAN is_unwanted(PCUNICODE_STRING file)
{
    static const UNICODE_STRING name =
        RTL_CONSTANT_STRING(L"\\??\\C:\\Programs\\unwanted.exe");

    return file != NULL && RtlEqualUnicodeString(file, &name, TRUE);
}

static VOID NTAPI process(
    PEPROCESS object, HANDLE id, PPS_CREATE_NOTIFY_INFO info)
{
#if DEFECT == DEFECT_IRQL_KEPT
    KIRQL irql;

#endif
    if (PsGetProcessId(object) != id) {
        return;
    }
    if (info == NULL) {
        counts.processes_ended++;
        return;
    }
    counts.processes++;
    if (is_unwanted(info->ImageFileName)) {
        counts.refused++;
        info->CreationStatus = STATUS_ACCESS_DENIED;
    }
#if DEFECT == DEFECT_REMOVED_INSIDE
    PsSetCreateProcessNotifyRoutineEx(process, TRUE);
#endif
#if DEFECT == DEFECT_IRQL_KEPT
    KeRaiseIrql(APC_LEVEL, &irql);
#endif
#if DEFECT == DEFECT_INTERRUPTS_KEPT
    _disable();
#endif
}

static VOID NTAPI thread(HANDLE process_id, HANDLE id, BOOLEAN create)
{
    UNREFERENCED_PARAMETER(process_id);
    UNREFERENCED_PARAMETER(id);
    if (create) {
        counts.threads++;
    } else {
        counts.threads_ended++;
    }
}

static VOID NTAPI image(
    PUNICODE_STRING name, HANDLE process_id, PIMAGE_INFO info)
{
    if (name != NULL && process_id == NULL &&
        (info->Properties & SYSTEM_IMAGE) != 0 &&
        *(const USHORT *)info->ImageBase == 0x5A4D) {
        counts.images++;
    }
}

static NTSTATUS NTAPI answer(PDEVICE_OBJECT device, PIRP irp)
{
    const IO_STACK_LOCATION *stack = IoGetCurrentIrpStackLocation(irp);
    NTSTATUS status = STATUS_SUCCESS;

    UNREFERENCED_PARAMETER(device);
    irp->IoStatus.Information = 0;
    if (stack->MajorFunction == IRP_MJ_DEVICE_CONTROL) {
        if (stack->Parameters.DeviceIoControl.IoControlCode != IOCTL_COUNTS) {
            status = STATUS_INVALID_DEVICE_REQUEST;
        } else if (stack->Parameters.DeviceIoControl.OutputBufferLength <
                   sizeof(counts)) {
            status = STATUS_BUFFER_TOO_SMALL;
        } else {
            *(struct counts *)irp->AssociatedIrp.SystemBuffer = counts;
            irp->IoStatus.Information = sizeof(counts);
        }
    }
    irp->IoStatus.Status = status;
    IoCompleteRequest(irp, IO_NO_INCREMENT);
    return status;
}

static VOID remove_routines(VOID)
{
    PsRemoveLoadImageNotifyRoutine(image);
#if DEFECT != DEFECT_ROUTINE_LEFT
    PsRemoveCreateThreadNotifyRoutine(thread);
#endif
    PsSetCreateProcessNotifyRoutineEx(process, TRUE);
}

static VOID NTAPI unload(PDRIVER_OBJECT driver)
{
    if (DEFECT != DEFECT_ALL_LEFT) {
        remove_routines();
    }
    IoDeleteDevice(driver->DeviceObject);
}

static NTSTATUS set_routines(VOID)
{
    NTSTATUS status = PsSetCreateProcessNotifyRoutineEx(process, FALSE);

    if (NT_SUCCESS(status)) {
        status = PsSetCreateThreadNotifyRoutine(thread);
        if (NT_SUCCESS(status)) {
            status = PsSetLoadImageNotifyRoutine(image);
            if (!NT_SUCCESS(status)) {
                PsRemoveCreateThreadNotifyRoutine(thread);
            }
        }
        if (!NT_SUCCESS(status)) {
            PsSetCreateProcessNotifyRoutineEx(process, TRUE);
        }
    }
    return status;
}

NTSTATUS NTAPI DriverEntry(PDRIVER_OBJECT driver, PUNICODE_STRING path)
{
    UNICODE_STRING name = RTL_CONSTANT_STRING(L"\\Device\\Watcher");
    PDEVICE_OBJECT device;
    NTSTATUS status;

    UNREFERENCED_PARAMETER(path);
    if (PsGetCurrentProcess() != PsInitialSystemProcess) {
        return STATUS_UNSUCCESSFUL;
    }
    driver->DriverUnload = unload;
    driver->MajorFunction[IRP_MJ_CREATE] = answer;
    driver->MajorFunction[IRP_MJ_CLOSE] = answer;
    driver->MajorFunction[IRP_MJ_DEVICE_CONTROL] = answer;
    status = IoCreateDevice(
        driver, 0, &name, FILE_DEVICE_UNKNOWN, 0, FALSE, &device);
    if (NT_SUCCESS(status)) {
        status = set_routines();
        if (!NT_SUCCESS(status)) {
            IoDeleteDevice(device);
        }
    }
    return status;
}
