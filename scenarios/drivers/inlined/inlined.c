/* inlined.c - sample driver that initialises its objects by what headers have
 * in line, calls routines by names that are others' in the headers, and reads
 * the times in the page that the kernel shares. */
#include <ntddk.h>

#include "scenarios/drivers/control_device.h"
#include "scenarios/drivers/inlined/defects.h"
#include "scenarios/drivers/inlined/inlined.h"

enum { TAG = 'lniI' };

#define LINK L"\\DosDevices\\Inlined"

/* Headers that mingw-w64 lacks. */
NTKERNELAPI KIRQL NTAPI ExAcquireSpinLockShared(PEX_SPIN_LOCK SpinLock);
NTKERNELAPI VOID NTAPI ExReleaseSpinLockShared(
    PEX_SPIN_LOCK SpinLock, KIRQL OldIrql);
NTKERNELAPI VOID NTAPI ExInitializePushLock(PEX_PUSH_LOCK PushLock);
NTKERNELAPI VOID NTAPI ExAcquirePushLockExclusiveEx(
    PEX_PUSH_LOCK PushLock, ULONG Flags);
NTKERNELAPI VOID NTAPI ExReleasePushLockExclusiveEx(
    PEX_PUSH_LOCK PushLock, ULONG Flags);
NTKERNELAPI VOID NTAPI ExAcquirePushLockSharedEx(
    PEX_PUSH_LOCK PushLock, ULONG Flags);
NTKERNELAPI VOID NTAPI ExReleasePushLockSharedEx(
    PEX_PUSH_LOCK PushLock, ULONG Flags);
#define ExAcquirePushLockExclusive(Lock) ExAcquirePushLockExclusiveEx(Lock, 0)
#define ExReleasePushLockExclusive(Lock) ExReleasePushLockExclusiveEx(Lock, 0)
#define ExAcquirePushLockShared(Lock) ExAcquirePushLockSharedEx(Lock, 0)
#define ExReleasePushLockShared(Lock) ExReleasePushLockSharedEx(Lock, 0)

DRIVER_INITIALIZE DriverEntry;

/* In nonpaged pool, so that bytes that nobody gave them are nobody's. */
static struct objects {
    KSPIN_LOCK spin_lock;
    EX_SPIN_LOCK shared_lock;
    FAST_MUTEX fast_mutex;
    WORK_QUEUE_ITEM item;
    KBUGCHECK_CALLBACK_RECORD record;
} * objects;

static PWORK_QUEUE_ITEM item; /* that one, or one in paged pool */
static PIO_WORKITEM io_item;
static PDEVICE_OBJECT device;
static KEVENT worked;
static ULONG used, dpcs;

static VOID NTAPI work(PVOID context)
{
    used += (ULONG)(ULONG_PTR)context;
    KeSetEvent(&worked, IO_NO_INCREMENT, FALSE);
}

static VOID NTAPI io_work(PVOID object, PVOID context, PIO_WORKITEM of)
{
    UNREFERENCED_PARAMETER(of);
    if (object == device) {
        work(context);
    }
}

static VOID NTAPI on_bug_check(PVOID buffer, ULONG length)
{
    UNREFERENCED_PARAMETER(buffer);
    UNREFERENCED_PARAMETER(length);
}

/* Macros take a name, no expression. */
static VOID initialise(
    PKBUGCHECK_CALLBACK_RECORD record, PFAST_MUTEX fast_mutex)
{
    if (DEFECT == DEFECT_NEVER) {
        return;
    }
    objects->spin_lock = 0;
    objects->shared_lock = 0;
    ExInitializeFastMutex(fast_mutex);
    ExInitializeWorkItem(item, work, (PVOID)1);
    KeInitializeCallbackRecord(record);
}

static VOID use_spin_lock(VOID)
{
    KIRQL irql;

    KeAcquireSpinLock(&objects->spin_lock, &irql);
    used++;
    KeReleaseSpinLock(&objects->spin_lock, irql);
}

static VOID use_shared_lock(VOID)
{
    KIRQL irql = ExAcquireSpinLockShared(&objects->shared_lock);

    used++;
    ExReleaseSpinLockShared(&objects->shared_lock, irql);
}

static VOID use_fast_mutex(VOID)
{
    ExAcquireFastMutex(&objects->fast_mutex);
    used++;
    ExReleaseFastMutex(&objects->fast_mutex);
}

static VOID use_work_item(VOID)
{
    ExQueueWorkItem(item, DelayedWorkQueue);
    KeWaitForSingleObject(&worked, Executive, KernelMode, FALSE, NULL);
}

static VOID use_io_item(VOID)
{
    IoInitializeWorkItem(device, io_item);
    IoQueueWorkItemEx(io_item, io_work, DelayedWorkQueue, (PVOID)1);
    KeWaitForSingleObject(&worked, Executive, KernelMode, FALSE, NULL);
    IoUninitializeWorkItem(io_item);
}

static VOID use_record(VOID)
{
    if (KeRegisterBugCheckCallback(&objects->record, on_bug_check, objects,
            sizeof(*objects), (PUCHAR) "inlined")) {
        used++;
        KeDeregisterBugCheckCallback(&objects->record);
    }
}

static VOID (*const uses[])(VOID) = {
    [INLINED_SPIN_LOCK] = use_spin_lock,
    [INLINED_SHARED_LOCK] = use_shared_lock,
    [INLINED_FAST_MUTEX] = use_fast_mutex,
    [INLINED_WORK_ITEM] = use_work_item,
    [INLINED_RECORD] = use_record,
    [INLINED_IO_ITEM] = use_io_item,
};

static ULONG name_mutex(VOID)
{
    static KMUTEX mutex;
    LARGE_INTEGER none = {0};
    ULONG owned;

    KeInitializeMutex(&mutex, 0);
    if (KeWaitForMutexObject(&mutex, Executive, KernelMode, FALSE, &none) !=
        STATUS_SUCCESS) {
        return 0;
    }
    owned = KeReadStateMutex(&mutex) == 0;
    KeReleaseMutex(&mutex, FALSE);
    return owned;
}

static ULONG name_resource(VOID)
{
    static ERESOURCE resource;
    ULONG acquired;

    if (!NT_SUCCESS(ExInitializeResourceLite(&resource))) {
        return 0;
    }
    KeEnterCriticalRegion();
    ExAcquireResourceSharedLite(&resource, TRUE);
    ExAcquireResourceSharedLite(&resource, TRUE);
    acquired = ExIsResourceAcquiredLite(&resource);
    ExReleaseResourceLite(&resource);
    if (DEFECT == DEFECT_NO_REGION) {
        KeLeaveCriticalRegion();
    }
    ExReleaseResourceForThreadLite(&resource, ExGetCurrentResourceThread());
    if (DEFECT != DEFECT_NO_REGION) {
        KeLeaveCriticalRegion();
    }
    ExDeleteResourceLite(&resource);
    return acquired;
}

static ULONG name_remove_lock(VOID)
{
    static IO_REMOVE_LOCK lock;

    IoInitializeRemoveLock(&lock, TAG, 0, 0);
    if (!NT_SUCCESS(IoAcquireRemoveLock(&lock, &lock)) ||
        !NT_SUCCESS(IoAcquireRemoveLock(&lock, NULL))) {
        return 0;
    }
    IoReleaseRemoveLock(&lock, NULL);
    IoReleaseRemoveLockAndWait(&lock, &lock);
    return IoAcquireRemoveLock(&lock, NULL) == STATUS_DELETE_PENDING;
}

static ULONG name_push_lock(VOID)
{
    static EX_PUSH_LOCK lock;

    ExInitializePushLock(&lock);
    KeEnterCriticalRegion();
    ExAcquirePushLockShared(&lock);
    ExReleasePushLockShared(&lock);
    ExAcquirePushLockExclusive(&lock);
    ExReleasePushLockExclusive(&lock);
    KeLeaveCriticalRegion();
    return 1;
}

static VOID NTAPI for_isr(PKDPC dpc, PDEVICE_OBJECT of, PIRP irp, PVOID context)
{
    dpcs += dpc == &of->Dpc && irp == NULL && context == &dpcs;
}

static ULONG name_dpc(VOID)
{
    KIRQL irql;

    dpcs = 0;
    IoInitializeDpcRequest(device, for_isr);
    KeRaiseIrql(DISPATCH_LEVEL, &irql);
    IoRequestDpc(device, NULL, &dpcs);
    IoRequestDpc(device, NULL, &dpcs);
    KeLowerIrql(irql);
    return dpcs;
}

static VOID answer_names(struct inlined_names *names)
{
    names->owned = name_mutex();
    names->acquired = name_resource();
    names->thread =
        ExGetCurrentResourceThread() == (ERESOURCE_THREAD)KeGetCurrentThread();
    names->removed = name_remove_lock();
    names->pushed = name_push_lock();
    names->dpcs = name_dpc();
}

static VOID answer_times(struct inlined_times *times)
{
    LARGE_INTEGER system, ticks;

    KeQuerySystemTime(&system);
    KeQueryTickCount(&ticks);
    times->interrupt = KeQueryInterruptTime();
    times->system = (ULONG64)system.QuadPart;
    times->ticks = (ULONG64)ticks.QuadPart;
    times->bias = *(volatile ULONG64 *)(ULONG_PTR)(KI_USER_SHARED_DATA + 0x3B0);
}

static ULONG answer_use(PVOID buffer)
{
    ULONG which = *(ULONG *)buffer;

    if (which < RTL_NUMBER_OF(uses)) {
        uses[which]();
    }
    *(ULONG *)buffer = used;
    return sizeof(ULONG);
}

static NTSTATUS NTAPI control(PDEVICE_OBJECT of, PIRP irp)
{
    const IO_STACK_LOCATION *stack = IoGetCurrentIrpStackLocation(irp);
    PVOID buffer = irp->AssociatedIrp.SystemBuffer;
    ULONG room = stack->Parameters.DeviceIoControl.OutputBufferLength;
    ULONG given = stack->Parameters.DeviceIoControl.InputBufferLength;
    NTSTATUS status = STATUS_SUCCESS;
    ULONG bytes = 0;

    UNREFERENCED_PARAMETER(of);
    switch (stack->Parameters.DeviceIoControl.IoControlCode) {
    case IOCTL_INLINED_TIMES:
        if (room >= sizeof(struct inlined_times)) {
            answer_times(buffer);
            bytes = sizeof(struct inlined_times);
        }
        break;
    case IOCTL_INLINED_USE:
        if (given >= sizeof(ULONG) && room >= sizeof(ULONG)) {
            bytes = answer_use(buffer);
        }
        break;
    case IOCTL_INLINED_NAMES:
        if (room >= sizeof(struct inlined_names)) {
            answer_names(buffer);
            bytes = sizeof(struct inlined_names);
        }
        break;
    default:
        status = STATUS_INVALID_DEVICE_REQUEST;
        break;
    }
    irp->IoStatus.Status = status;
    irp->IoStatus.Information = bytes;
    IoCompleteRequest(irp, IO_NO_INCREMENT);
    return status;
}

static NTSTATUS NTAPI create_close(PDEVICE_OBJECT of, PIRP irp)
{
    UNREFERENCED_PARAMETER(of);
    irp->IoStatus.Status = STATUS_SUCCESS;
    irp->IoStatus.Information = 0;
    IoCompleteRequest(irp, IO_NO_INCREMENT);
    return STATUS_SUCCESS;
}

static VOID free_objects(VOID)
{
    if (item != NULL && item != &objects->item) {
        ExFreePoolWithTag(item, TAG);
    }
    if (io_item != NULL) {
        ExFreePoolWithTag(io_item, TAG);
    }
    if (objects != NULL) {
        ExFreePoolWithTag(objects, TAG);
    }
}

static BOOLEAN make_objects(VOID)
{
    POOL_TYPE type = DEFECT == DEFECT_PAGED ? PagedPool : NonPagedPoolNx;

    objects = ExAllocatePoolWithTag(NonPagedPoolNx, sizeof(*objects), TAG);
    if (objects == NULL) {
        return FALSE;
    }
    item = type == PagedPool ? ExAllocatePoolWithTag(type, sizeof(*item), TAG)
                             : &objects->item;
    io_item = ExAllocatePoolWithTag(type, IoSizeofWorkItem(), TAG);
    if (item == NULL || io_item == NULL) {
        free_objects();
        return FALSE;
    }
    return TRUE;
}

static VOID NTAPI unload(PDRIVER_OBJECT driver)
{
    UNICODE_STRING link = RTL_CONSTANT_STRING(LINK);

    UNREFERENCED_PARAMETER(driver);
    IoDeleteSymbolicLink(&link);
    IoDeleteDevice(device);
    free_objects();
}

NTSTATUS NTAPI DriverEntry(PDRIVER_OBJECT driver, PUNICODE_STRING path)
{
    NTSTATUS status;

    UNREFERENCED_PARAMETER(path);
    driver->DriverUnload = unload;
    driver->MajorFunction[IRP_MJ_CREATE] = create_close;
    driver->MajorFunction[IRP_MJ_CLOSE] = create_close;
    driver->MajorFunction[IRP_MJ_DEVICE_CONTROL] = control;
    if (!make_objects()) {
        return STATUS_INSUFFICIENT_RESOURCES;
    }
    KeInitializeEvent(&worked, SynchronizationEvent, FALSE);
    initialise(&objects->record, &objects->fast_mutex);
    status = control_device_make(driver, L"\\Device\\Inlined", LINK, FALSE);
    if (!NT_SUCCESS(status)) {
        free_objects();
        return status;
    }
    device = driver->DeviceObject;
    return STATUS_SUCCESS;
}
