/* deferred.c - sample driver with deferred work: a timer queues a DPC, which
 * queues a work item for PASSIVE_LEVEL. */
#include <ntddk.h>

#include "scenarios/drivers/deferred/defects.h"
#include "scenarios/drivers/deferred/deferred.h"

DRIVER_INITIALIZE DriverEntry;
static DRIVER_UNLOAD unload;
static DRIVER_DISPATCH create, control;
static KDEFERRED_ROUTINE on_timer;
static IO_WORKITEM_ROUTINE on_work;
static IO_TIMER_ROUTINE on_second;

#define DEVICE_NAME L"\\Device\\Deferred"

static struct {
    KTIMER timer;
    KDPC dpc;
    KEVENT idle; /* the work item is not queued, nor does it run */
    PDEVICE_OBJECT device;
    PIO_WORKITEM item;
    UCHAR own[256]; /* enough for an item of IoInitializeWorkItem */
    volatile LONG dpcs, items, seconds;
} state;

static VOID NTAPI on_own_work(PVOID object, PVOID context, PIO_WORKITEM item)
{
    UNREFERENCED_PARAMETER(context);
    if (item == state.item && ((PDEVICE_OBJECT)object)->Type == 3) {
        InterlockedIncrement(&state.items);
    }
    KeSetEvent(&state.idle, IO_NO_INCREMENT, FALSE);
}

static VOID NTAPI on_work(PDEVICE_OBJECT device, PVOID context)
{
    UNREFERENCED_PARAMETER(device);
    UNREFERENCED_PARAMETER(context);
    InterlockedIncrement(&state.items);
    KeSetEvent(&state.idle, IO_NO_INCREMENT, FALSE);
    if (DEFECT == DEFECT_WORK_INTERRUPTS) {
        _disable();
    }
}

/* At DISPATCH_LEVEL, about once a second. */
static VOID NTAPI on_second(PDEVICE_OBJECT device, PVOID context)
{
    if (device->DriverObject->DeviceObject == device && context == &state &&
        KeGetCurrentIrql() == DISPATCH_LEVEL) {
        InterlockedIncrement(&state.seconds);
    }
    if (DEFECT == DEFECT_SECONDS_INSIDE) {
        IoStopTimer(device);
    }
}

static NTSTATUS seconds(PDEVICE_OBJECT device, ULONG *buffer)
{
    ULONG asked = *buffer;

    if (asked == 1) {
        IoStartTimer(device);
    } else if (asked == 0) {
        IoStopTimer(device);
    }
    *buffer = (ULONG)state.seconds;
    return STATUS_SUCCESS;
}

typedef BOOLEAN NTAPI try_queue(PIO_WORKITEM item, PIO_WORKITEM_ROUTINE_EX work,
    WORK_QUEUE_TYPE queue, PVOID context);

static try_queue *try_item; /* NULL: no such routine is known */

#if DEFECT == DEFECT_TRY_ITEM
static VOID find_try(VOID)
{
    try_item = IoTryQueueWorkItem;
}
#elif DEFECT == DEFECT_TRY_FOUND
static VOID find_try(VOID)
{
    UNICODE_STRING name = RTL_CONSTANT_STRING(L"IoTryQueueWorkItem");

    try_item = (try_queue *)MmGetSystemRoutineAddress(&name);
}
#else
static VOID find_try(VOID)
{
}
#endif

/* Each item once, however often it is asked for. */
static VOID queue_own_work(VOID)
{
    if (try_item == NULL) {
        IoQueueWorkItemEx(state.item, on_own_work, DelayedWorkQueue, NULL);
    } else if (try_item(state.item, on_own_work, DelayedWorkQueue, NULL) &&
               !try_item(state.item, on_own_work, DelayedWorkQueue, NULL)) {
        InterlockedIncrement(&state.items);
    }
}

static VOID queue_work(VOID)
{
    if (DEFECT == DEFECT_OWN_ITEM || DEFECT == DEFECT_TRY_ITEM ||
        DEFECT == DEFECT_TRY_FOUND) {
        queue_own_work();
    } else {
        IoQueueWorkItem(state.item, on_work, DelayedWorkQueue, NULL);
    }
    if (DEFECT == DEFECT_QUEUED_TWICE) {
        IoQueueWorkItem(state.item, on_work, DelayedWorkQueue, NULL);
    }
    if (DEFECT == DEFECT_ITEM_FREED) {
        IoFreeWorkItem(state.item);
    }
}

/* At DISPATCH_LEVEL. The item is queued when it is idle. */
static VOID NTAPI on_timer(
    PKDPC dpc, PVOID context, PVOID argument1, PVOID argument2)
{
    LARGE_INTEGER second = {.QuadPart = -10000000};

    UNREFERENCED_PARAMETER(dpc);
    UNREFERENCED_PARAMETER(context);
    UNREFERENCED_PARAMETER(argument1);
    UNREFERENCED_PARAMETER(argument2);
    InterlockedIncrement(&state.dpcs);
    if (KeReadStateEvent(&state.idle) == 0) {
        return;
    }
    KeClearEvent(&state.idle);
    queue_work();
    if (DEFECT == DEFECT_DPC_WAITS) {
        KeWaitForSingleObject(
            &state.idle, Executive, KernelMode, FALSE, &second);
    }
    if (DEFECT == DEFECT_DPC_INTERRUPTS) {
        _disable();
    }
}

static NTSTATUS start(ULONG period)
{
    LARGE_INTEGER due;

    if (period > MAXLONG) {
        return STATUS_INVALID_PARAMETER;
    }
    due.QuadPart = -(LONGLONG)period * 10000;
    KeSetTimerEx(&state.timer, due, (LONG)period, &state.dpc);
    return STATUS_SUCCESS;
}

/* No DPC runs behind this, nor a work item. */
static VOID stop(VOID)
{
    if (DEFECT == DEFECT_RESOLUTION_LEFT) {
        ExSetTimerResolution(10000, TRUE);
    }
    if (DEFECT != DEFECT_TIMER_LEFT) {
        KeCancelTimer(&state.timer);
    }
    KeFlushQueuedDpcs();
    KeWaitForSingleObject(&state.idle, Executive, KernelMode, FALSE, NULL);
}

static NTSTATUS complete(PIRP irp, NTSTATUS status, ULONG_PTR information)
{
    irp->IoStatus.Status = status;
    irp->IoStatus.Information = information;
    IoCompleteRequest(irp, IO_NO_INCREMENT);
    return status;
}

static NTSTATUS read(struct deferred_counts *counts)
{
    counts->dpcs = (unsigned)state.dpcs;
    counts->items = (unsigned)state.items;
    return STATUS_SUCCESS;
}

static NTSTATUS NTAPI control(PDEVICE_OBJECT object, PIRP irp)
{
    PIO_STACK_LOCATION location = IoGetCurrentIrpStackLocation(irp);
    ULONG input = location->Parameters.DeviceIoControl.InputBufferLength;
    ULONG output = location->Parameters.DeviceIoControl.OutputBufferLength;
    PVOID buffer = irp->AssociatedIrp.SystemBuffer;

    switch (location->Parameters.DeviceIoControl.IoControlCode) {
    case IOCTL_DEFERRED_START:
        return input < sizeof(ULONG)
                   ? complete(irp, STATUS_INVALID_PARAMETER, 0)
                   : complete(irp, start(*(ULONG *)buffer), 0);
    case IOCTL_DEFERRED_STOP:
        stop();
        return complete(irp, STATUS_SUCCESS, 0);
    case IOCTL_DEFERRED_READ:
        return output < sizeof(struct deferred_counts)
                   ? complete(irp, STATUS_BUFFER_TOO_SMALL, 0)
                   : complete(
                         irp, read(buffer), sizeof(struct deferred_counts));
    case IOCTL_DEFERRED_SECONDS:
        return input < sizeof(ULONG) || output < sizeof(ULONG)
                   ? complete(irp, STATUS_BUFFER_TOO_SMALL, 0)
                   : complete(irp, seconds(object, buffer), sizeof(ULONG));
    default:
        return complete(irp, STATUS_INVALID_DEVICE_REQUEST, 0);
    }
}

static NTSTATUS NTAPI create(PDEVICE_OBJECT object, PIRP irp)
{
    UNREFERENCED_PARAMETER(object);
    return complete(irp, STATUS_SUCCESS, 0);
}

#if DEFECT == DEFECT_WORK_LEFT
static VOID NTAPI on_late_work(PVOID context)
{
    LARGE_INTEGER second = {.QuadPart = -10000000};

    UNREFERENCED_PARAMETER(context);
    KeDelayExecutionThread(KernelMode, FALSE, &second);
}

static VOID leave_behind(VOID)
{
    static WORK_QUEUE_ITEM late;

    ExInitializeWorkItem(&late, on_late_work, NULL);
    ExQueueWorkItem(&late, DelayedWorkQueue);
}
#elif DEFECT == DEFECT_FREES_ITSELF
static PVOID last_words;

/* The I/O manager keeps the driver meanwhile. */
static VOID NTAPI on_last_work(PDEVICE_OBJECT device, PVOID context)
{
    LARGE_INTEGER second = {.QuadPart = -10000000};

    UNREFERENCED_PARAMETER(device);
    KeDelayExecutionThread(KernelMode, FALSE, &second);
    ExFreePool(last_words);
    IoFreeWorkItem(context);
}

static VOID leave_behind(VOID)
{
    PIO_WORKITEM last = IoAllocateWorkItem(state.device);

    last_words = ExAllocatePoolWithTag(NonPagedPoolNx, 16, 'refD');
    if (last != NULL && last_words != NULL) {
        IoQueueWorkItem(last, on_last_work, DelayedWorkQueue, last);
        return;
    }
    if (last_words != NULL) {
        ExFreePool(last_words);
    }
    if (last != NULL) {
        IoFreeWorkItem(last);
    }
}
#elif DEFECT == DEFECT_ALLOCATED_LEFT
static VOID leave_behind(VOID)
{
    PEX_TIMER timer = ExAllocateTimer(NULL, NULL, EX_TIMER_HIGH_RESOLUTION);

    if (timer != NULL) {
        ExSetTimer(timer, -10000000, 0, NULL);
    }
}
#elif DEFECT == DEFECT_CALLBACK_LEFT
static VOID NTAPI on_power(PVOID context, PVOID argument1, PVOID argument2)
{
    UNREFERENCED_PARAMETER(context);
    UNREFERENCED_PARAMETER(argument1);
    UNREFERENCED_PARAMETER(argument2);
}

static VOID leave_behind(VOID)
{
    UNICODE_STRING name;
    OBJECT_ATTRIBUTES attributes;
    PCALLBACK_OBJECT object;

    RtlInitUnicodeString(&name, L"\\Callback\\PowerState");
    InitializeObjectAttributes(&attributes, &name, 0, NULL, NULL);
    if (NT_SUCCESS(ExCreateCallback(&object, &attributes, FALSE, TRUE))) {
        ExRegisterCallback(object, on_power, NULL);
        ObDereferenceObject(object);
    }
}
#elif DEFECT == DEFECT_EXPIRY_LEFT
/* On the other processor, where it may have to wait. */
static VOID leave_behind(VOID)
{
    LARGE_INTEGER soon = {.QuadPart = -10000};
    LARGE_INTEGER later = {.QuadPart = -300000};

    KeClearEvent(&state.idle);
    KeSetTargetProcessorDpc(&state.dpc, 1);
    KeSetTimer(&state.timer, soon, &state.dpc);
    KeDelayExecutionThread(KernelMode, FALSE, &later);
}
#else
static VOID leave_behind(VOID)
{
}
#endif

static VOID end_item(VOID)
{
    if (DEFECT == DEFECT_WRONG_PAIR || DEFECT == DEFECT_OWN_ITEM) {
        IoUninitializeWorkItem(state.item);
    } else if (DEFECT != DEFECT_ITEM_LEFT) {
        IoFreeWorkItem(state.item);
    }
}

static VOID NTAPI unload(PDRIVER_OBJECT driver)
{
    stop();
    leave_behind();
    if (DEFECT == DEFECT_DPC_LEFT) {
        KeSetImportanceDpc(&state.dpc, LowImportance);
        KeInsertQueueDpc(&state.dpc, NULL, NULL);
        KeClearEvent(&state.idle);
    }
    end_item();
    if (DEFECT != DEFECT_SECONDS_LEFT && DEFECT != DEFECT_SECONDS_NONE) {
        IoStopTimer(driver->DeviceObject);
    }
    IoDeleteDevice(driver->DeviceObject);
}

static NTSTATUS make_timer(PDEVICE_OBJECT object)
{
    NTSTATUS status = STATUS_SUCCESS;

    if (DEFECT == DEFECT_SECONDS_TWICE) {
        status = IoInitializeTimer(object, on_second, NULL);
    }
    return !NT_SUCCESS(status) || DEFECT == DEFECT_SECONDS_NONE
               ? status
               : IoInitializeTimer(object, on_second, &state);
}

static PIO_WORKITEM make_item(PDEVICE_OBJECT object)
{
    if (DEFECT == DEFECT_WRONG_OBJECT) {
        return IoAllocateWorkItem((PDEVICE_OBJECT)(PVOID)&state);
    }
    if (DEFECT != DEFECT_OWN_ITEM) {
        return IoAllocateWorkItem(object);
    }
    if (IoSizeofWorkItem() > sizeof(state.own)) {
        return NULL;
    }
    IoInitializeWorkItem(object, (PIO_WORKITEM)(PVOID)state.own);
    return (PIO_WORKITEM)(PVOID)state.own;
}

NTSTATUS NTAPI DriverEntry(PDRIVER_OBJECT driver, PUNICODE_STRING path)
{
    UNICODE_STRING name;
    PDEVICE_OBJECT object;
    NTSTATUS status;

    UNREFERENCED_PARAMETER(path);
    RtlInitUnicodeString(&name, DEVICE_NAME);
    status = IoCreateDevice(driver, 0, &name, FILE_DEVICE_UNKNOWN,
        FILE_DEVICE_SECURE_OPEN, FALSE, &object);
    if (!NT_SUCCESS(status)) {
        return status;
    }
    find_try();
    state.device = object;
    state.item = make_item(object);
    if (state.item == NULL) {
        IoDeleteDevice(object);
        return STATUS_INSUFFICIENT_RESOURCES;
    }
    status = make_timer(object);
    if (!NT_SUCCESS(status)) {
        end_item();
        IoDeleteDevice(object);
        return status;
    }
    KeInitializeEvent(&state.idle, NotificationEvent, TRUE);
    KeInitializeTimer(&state.timer);
    KeInitializeDpc(&state.dpc, on_timer, NULL);
    driver->MajorFunction[IRP_MJ_CREATE] = create;
    driver->MajorFunction[IRP_MJ_CLOSE] = create;
    driver->MajorFunction[IRP_MJ_DEVICE_CONTROL] = control;
    driver->DriverUnload = unload;
    return STATUS_SUCCESS;
}
