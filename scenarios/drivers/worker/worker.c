/* worker.c - sample driver with a system thread that serves its requests: made
 * in DriverEntry, waited for in unload. */
#include <ntddk.h>

#include "scenarios/drivers/control_device.h"
#include "scenarios/drivers/worker/defects.h"
#include "scenarios/drivers/worker/worker.h"

DRIVER_INITIALIZE DriverEntry;
static DRIVER_UNLOAD unload;
static DRIVER_DISPATCH create_close, control;
static KSTART_ROUTINE work;

#define DEVICE_NAME L"\\Device\\Worker"
#define LINK_NAME L"\\DosDevices\\Worker"

#if DEFECT == DEFECT_TYPE_CONFUSED
#define TAKEN_FOR *ExEventObjectType
#else
#define TAKEN_FOR *PsThreadType
#endif

enum { STOP, ASKED, EVENTS };

/* Of ntifs.h, and of a later wdm.h than some compilers have. */
NTSYSAPI NTSTATUS NTAPI ZwWaitForSingleObject(
    HANDLE Handle, BOOLEAN Alertable, PLARGE_INTEGER Timeout);
NTKERNELAPI NTSTATUS NTAPI IoCreateSystemThread(PVOID IoObject,
    PHANDLE ThreadHandle, ULONG DesiredAccess,
    POBJECT_ATTRIBUTES ObjectAttributes, HANDLE ProcessHandle,
    CLIENT_ID *ClientId, PKSTART_ROUTINE StartRoutine, PVOID StartContext);

/* All that the thread touches is resident. */
static struct {
    KEVENT event[EVENTS];
    KEVENT done;
    PVOID thread;
    struct worker_answer answer;
} worker;

static VOID NTAPI work(PVOID context)
{
    PVOID events[EVENTS] = {&worker.event[STOP], &worker.event[ASKED]};
#if DEFECT == DEFECT_STATE_LEFT
    KFLOATING_SAVE state;

    KeSaveFloatingPointState(&state);
#endif

    UNREFERENCED_PARAMETER(context);
#if DEFECT == DEFECT_LEVEL_WRITTEN
    KeSetPriorityThread(KeGetCurrentThread(), LOW_REALTIME_PRIORITY);
#endif
    while (KeWaitForMultipleObjects(EVENTS, events, WaitAny, Executive,
               KernelMode, FALSE, NULL, NULL) != STATUS_WAIT_0 + STOP) {
        worker.answer.Done++;
        worker.answer.IsThread = (PVOID)KeGetCurrentThread() == worker.thread;
        worker.answer.Id = (ULONG)(ULONG_PTR)PsGetCurrentThreadId();
        KeSetEvent(&worker.done, IO_NO_INCREMENT, FALSE);
    }
#if DEFECT != DEFECT_KEPT_BY_IO
    PsTerminateSystemThread(STATUS_SUCCESS);
#endif
}

/* Asks the thread, and waits until it has done it. */
static VOID ask(VOID)
{
#if DEFECT == DEFECT_STACK_WAITED
    LARGE_INTEGER now;
    KEVENT never;

    now.QuadPart = 0;
    KeInitializeEvent(&never, NotificationEvent, FALSE);
    KeWaitForSingleObject(&never, UserRequest, UserMode, FALSE, &now);
#endif
    KeSetEvent(&worker.event[ASKED], IO_NO_INCREMENT, TRUE);
#if DEFECT == DEFECT_LEVEL_WRITTEN
    __writecr8(PASSIVE_LEVEL); /* the thread goes first */
#endif
#if DEFECT == DEFECT_NO_WAIT_FOLLOWS
    KeClearEvent(&worker.done);
#endif
    KeWaitForSingleObject(&worker.done, Executive, KernelMode, FALSE, NULL);
#if DEFECT == DEFECT_REGION_KEPT
    KeEnterCriticalRegion();
#endif
}

static NTSTATUS complete(PIRP irp, NTSTATUS status, ULONG_PTR information)
{
    irp->IoStatus.Status = status;
    irp->IoStatus.Information = information;
    IoCompleteRequest(irp, IO_NO_INCREMENT);
    return status;
}

static NTSTATUS NTAPI control(PDEVICE_OBJECT object, PIRP irp)
{
    PIO_STACK_LOCATION location = IoGetCurrentIrpStackLocation(irp);

    UNREFERENCED_PARAMETER(object);
    if (location->Parameters.DeviceIoControl.IoControlCode != IOCTL_WORKER_DO) {
        return complete(irp, STATUS_INVALID_DEVICE_REQUEST, 0);
    }
    if (location->Parameters.DeviceIoControl.OutputBufferLength <
        sizeof(worker.answer)) {
        return complete(irp, STATUS_BUFFER_TOO_SMALL, 0);
    }
    ask();
    RtlCopyMemory(
        irp->AssociatedIrp.SystemBuffer, &worker.answer, sizeof(worker.answer));
    return complete(irp, STATUS_SUCCESS, sizeof(worker.answer));
}

static NTSTATUS NTAPI create_close(PDEVICE_OBJECT object, PIRP irp)
{
    UNREFERENCED_PARAMETER(object);
    return complete(irp, STATUS_SUCCESS, 0);
}

static VOID stop_thread(VOID)
{
#if DEFECT != DEFECT_THREAD_LEFT && DEFECT != DEFECT_STATE_LEFT
    KeSetEvent(&worker.event[STOP], IO_NO_INCREMENT, FALSE);
#if DEFECT != DEFECT_KEPT_BY_IO
    KeWaitForSingleObject(worker.thread, Executive, KernelMode, FALSE, NULL);
#endif
#endif
    ObDereferenceObject(worker.thread);
}

static VOID NTAPI unload(PDRIVER_OBJECT driver)
{
    stop_thread();
    control_device_remove(driver, LINK_NAME);
}

#if DEFECT == DEFECT_KEPT_BY_IO
/* A thread that cannot be is not made. */
static BOOLEAN are_refused(PDRIVER_OBJECT driver)
{
    OBJECT_ATTRIBUTES permanent;
    HANDLE handle;

    InitializeObjectAttributes(&permanent, NULL, OBJ_PERMANENT, NULL, NULL);
    return IoCreateSystemThread(driver, &handle, THREAD_ALL_ACCESS, &permanent,
               NULL, NULL, work, NULL) == STATUS_INVALID_PARAMETER &&
           IoCreateSystemThread(driver, &handle, THREAD_ALL_ACCESS, NULL,
               (HANDLE)8, NULL, work, NULL) == STATUS_INVALID_HANDLE;
}
#endif

static NTSTATUS start_thread(PDRIVER_OBJECT driver)
{
    NTSTATUS status;
    HANDLE handle;

    KeInitializeEvent(&worker.event[STOP], NotificationEvent, FALSE);
    KeInitializeEvent(&worker.event[ASKED], SynchronizationEvent, FALSE);
    KeInitializeEvent(&worker.done, SynchronizationEvent, FALSE);
#if DEFECT == DEFECT_KEPT_BY_IO
    if (!are_refused(driver)) {
        return STATUS_UNSUCCESSFUL;
    }
    status = IoCreateSystemThread(
        driver, &handle, THREAD_ALL_ACCESS, NULL, NULL, NULL, work, NULL);
#else
    UNREFERENCED_PARAMETER(driver);
    status = PsCreateSystemThread(
        &handle, THREAD_ALL_ACCESS, NULL, NULL, NULL, work, NULL);
#endif
    if (!NT_SUCCESS(status)) {
        return status;
    }
    status = ObReferenceObjectByHandle(
        handle, THREAD_ALL_ACCESS, TAKEN_FOR, KernelMode, &worker.thread, NULL);
    if (!NT_SUCCESS(status)) {
        KeSetEvent(&worker.event[STOP], IO_NO_INCREMENT, FALSE);
        ZwWaitForSingleObject(handle, FALSE, NULL);
        ZwClose(handle);
        return status;
    }
#if DEFECT != DEFECT_HANDLE_LEFT
    ZwClose(handle);
#endif
    return STATUS_SUCCESS;
}

NTSTATUS NTAPI DriverEntry(PDRIVER_OBJECT driver, PUNICODE_STRING path)
{
    NTSTATUS status = start_thread(driver);

    UNREFERENCED_PARAMETER(path);
    if (!NT_SUCCESS(status)) {
        return status;
    }
    driver->MajorFunction[IRP_MJ_CREATE] = create_close;
    driver->MajorFunction[IRP_MJ_CLOSE] = create_close;
    driver->MajorFunction[IRP_MJ_DEVICE_CONTROL] = control;
    driver->DriverUnload = unload;
    status = control_device_make(driver, DEVICE_NAME, LINK_NAME, FALSE);
    if (!NT_SUCCESS(status)) {
        stop_thread();
    }
    return status;
}
