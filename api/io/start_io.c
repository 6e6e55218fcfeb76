/* start_io.c - IoStartPacket, IoStartNextPacket and kin: a driver's StartIo
 * gets one request of a device at a time (IO-54). */
#include <assert.h>

#include "api/core/kernel.h"
#include "api/core/routine_bodies.h"
#include "api/io/cancel.h"
#include "api/io/device.h"
#include "api/io/device_queue.h"
#include "api/io/driver.h"
#include "api/io/io.h"
#include "api/ke/irql.h"
#include "api/mm/copy.h"

static KDEVICE_QUEUE_ENTRY *entry_of(IRP *irp)
{
    return (KDEVICE_QUEUE_ENTRY *)(void *)&irp->Tail.Overlay.DriverContext[0];
}

static IRP *irp_of(KDEVICE_QUEUE_ENTRY *entry)
{
    return (IRP *)(void *)((uint8_t *)entry -
                           offsetof(IRP, Tail.Overlay.DriverContext));
}

static void call_start(
    struct kernel *kernel, struct io_device *device, const IRP *irp)
{
    const struct driver_target target = io_target(device->driver, "StartIo",
        (uint64_t)(uintptr_t)device->driver->guest->DriverStartIo);
    const uint64_t argument[CODE_ARGUMENTS] = {
        (uintptr_t)device->guest, (uintptr_t)irp};

    device->starting++;
    driver_call(kernel, &target, argument);
    driver_call_trace(kernel, &target, STATUS_SUCCESS);
    device->starting--;
}

/* What IoStartNextPacket does. */
static void start_next(struct kernel *kernel, enum routine routine,
    struct io_device *device, bool cancelable, const ULONG *key)
{
    KDEVICE_QUEUE *queue = &device->guest->DeviceQueue;
    KIRQL irql = cancelable ? io_cancel_lock(kernel) : 0;
    KDEVICE_QUEUE_ENTRY *entry =
        device_queue_remove(kernel, routine, queue, key);
    IRP *irp = entry == NULL ? NULL : irp_of(entry);

    device->guest->CurrentIrp = irp;
    if (cancelable) {
        io_cancel_unlock(kernel, irql);
    }
    if (irp != NULL) {
        call_start(kernel, device, irp);
    }
}

/* What StartIo has asked for, which has returned. */
static void start_due(
    struct kernel *kernel, enum routine routine, struct io_device *device)
{
    while (device->start_due) {
        device->start_due = false;
        start_next(kernel, routine, device, device->start_cancelable,
            device->start_keyed ? &device->start_key : NULL);
    }
}

/* Within StartIo it waits for that to return, if the device is so (page
 * IoSetStartIoAttributes); else it is called again from inside. */
static void next_packet(enum routine routine, const DEVICE_OBJECT *object,
    bool cancelable, const ULONG *key)
{
    struct kernel *kernel = kernel_current();
    struct io_device *device = io_device_get_any(kernel, routine, object);

    if (device->deferred_start && device->starting > 0) {
        device->start_due = true;
        device->start_cancelable = cancelable;
        device->start_keyed = key != NULL;
        if (key != NULL) {
            device->start_key = *key;
        }
        return;
    }
    start_next(kernel, routine, device, cancelable, key);
    start_due(kernel, routine, device);
}

VOID IoStartNextPacket_body(PDEVICE_OBJECT DeviceObject, BOOLEAN Cancelable)
{
    next_packet(ROUTINE_IoStartNextPacket, DeviceObject, Cancelable != 0, NULL);
}

VOID IoStartNextPacketByKey_body(
    PDEVICE_OBJECT DeviceObject, BOOLEAN Cancelable, ULONG Key)
{
    next_packet(
        ROUTINE_IoStartNextPacketByKey, DeviceObject, Cancelable != 0, &Key);
}

VOID IoSetStartIoAttributes_body(
    PDEVICE_OBJECT DeviceObject, BOOLEAN DeferredStartIo, BOOLEAN NonCancelable)
{
    struct io_device *device = io_device_get_any(
        kernel_current(), ROUTINE_IoSetStartIoAttributes, DeviceObject);

    device->deferred_start = DeferredStartIo != 0;
    device->start_uncancelable = NonCancelable != 0;
}

VOID IoStartPacket_body(
    PDEVICE_OBJECT DeviceObject, PIRP Irp, PULONG Key, PVOID CancelFunction)
{
    const enum routine routine = ROUTINE_IoStartPacket;
    struct kernel *kernel = kernel_current();
    struct io_device *device = io_device_get_any(kernel, routine, DeviceObject);
    struct io_request *request = io_request_at(kernel, routine, Irp);
    bool cancelable = CancelFunction != NULL;
    KIRQL irql, lock_irql = 0;
    ULONG key = 0;
    bool queued;

    if (Key != NULL) {
        copy_in(kernel, routine, &key, Key, sizeof(key));
    }
    irql = irql_raise(kernel, kernel_cpu(kernel), routine,
        irql_number(kernel, LEVEL_DISPATCH_LEVEL));
    if (cancelable) {
        lock_irql = io_cancel_lock(kernel);
        Irp->CancelRoutine = CancelFunction;
    }
    queued = device_queue_insert(kernel, routine, &device->guest->DeviceQueue,
        entry_of(Irp), Key == NULL ? NULL : &key);
    if (!queued) {
        device->guest->CurrentIrp = Irp;
    }
    if (cancelable && queued && Irp->Cancel) {
        Irp->CancelRoutine = NULL;
        io_cancel_call(kernel, request, (uintptr_t)CancelFunction, lock_irql);
    } else if (cancelable) {
        io_cancel_unlock(kernel, lock_irql);
    }
    if (!queued) {
        call_start(kernel, device, Irp);
        start_due(kernel, routine, device);
    }
    irql_lower(kernel, kernel_cpu(kernel), routine, irql);
}
