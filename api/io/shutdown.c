/* shutdown.c - IoRegisterShutdownNotification and its kin: devices that get
 * IRP_MJ_SHUTDOWN when the system is shut down. */
#include "api/io/shutdown.h"

#include <assert.h>

#include "api/core/kernel.h"
#include "api/core/routine_bodies.h"
#include "api/core/thread.h"
#include "api/io/device.h"
#include "api/io/io.h"
#include "api/io/irp.h"

struct shutdown_notification {
    struct shutdown_notification *next; /* registered before */
    struct io_device *device;
    bool last_chance;
    bool due; /* its request is still to be sent */
};

static struct shutdown_notification *find(const struct kernel *kernel,
    const struct io_device *device, bool last_chance)
{
    struct shutdown_notification *at = kernel->io->shutdowns;

    while (at != NULL &&
           (at->device != device || at->last_chance != last_chance)) {
        at = at->next;
    }
    return at;
}

static bool is_registered(
    const struct kernel *kernel, const struct io_device *device)
{
    return find(kernel, device, false) != NULL ||
           find(kernel, device, true) != NULL;
}

/* Whether another device of its stack is registered (IO-57e). */
static bool is_second(
    const struct kernel *kernel, const struct io_device *device)
{
    bool found = false;

    for (const struct io_device *at = device->below; at != NULL;
         at = at->below) {
        found |= is_registered(kernel, at);
    }
    for (const struct io_device *at = device->above; at != NULL;
         at = at->above) {
        found |= is_registered(kernel, at);
    }
    return found;
}

/* A device gets one request, however often it is registered (IO-57). */
static NTSTATUS add(
    enum routine routine, const DEVICE_OBJECT *object, bool last_chance)
{
    struct kernel *kernel = kernel_current();
    struct io_device *device = io_device_get(kernel, routine, object);
    struct shutdown_notification *notification;

    if (is_second(kernel, device)) {
        rule_warn(kernel, kernel_cpu(kernel), RULE_IO_SHUTDOWN_STACK, routine);
    }
    if (find(kernel, device, last_chance) != NULL) {
        return STATUS_SUCCESS;
    }
    notification = record_take(kernel, &kernel->io->shutdown_pool,
        sizeof(*notification), "notifications of the shutdown");
    *notification = (struct shutdown_notification){
        .next = kernel->io->shutdowns,
        .device = device,
        .last_chance = last_chance,
    };
    kernel->io->shutdowns = notification;
    device->guest->Flags |= DO_SHUTDOWN_REGISTERED;
    return STATUS_SUCCESS;
}

NTSTATUS IoRegisterShutdownNotification_body(PDEVICE_OBJECT DeviceObject)
{
    return add(ROUTINE_IoRegisterShutdownNotification, DeviceObject, false);
}

NTSTATUS IoRegisterLastChanceShutdownNotification_body(
    PDEVICE_OBJECT DeviceObject)
{
    return add(
        ROUTINE_IoRegisterLastChanceShutdownNotification, DeviceObject, true);
}

bool shutdown_forget(struct kernel *kernel, struct io_device *device)
{
    struct shutdown_notification **at = &kernel->io->shutdowns;
    bool found = false;

    while (*at != NULL) {
        struct shutdown_notification *notification = *at;

        if (notification->device == device) {
            *at = notification->next;
            record_give(&kernel->io->shutdown_pool, notification);
            found = true;
        } else {
            at = &notification->next;
        }
    }
    if (found) {
        device->guest->Flags &= ~(ULONG)DO_SHUTDOWN_REGISTERED;
    }
    assert(!is_registered(kernel, device));
    return found;
}

VOID IoUnregisterShutdownNotification_body(PDEVICE_OBJECT DeviceObject)
{
    const enum routine routine = ROUTINE_IoUnregisterShutdownNotification;
    struct kernel *kernel = kernel_current();

    if (!shutdown_forget(
            kernel, io_device_get(kernel, routine, DeviceObject))) {
        rule_warn(
            kernel, kernel_cpu(kernel), RULE_IO_SHUTDOWN_UNREGISTERED, routine);
    }
}

/* The next in order (IO-57c [C]); NULL: all have got theirs. */
static struct shutdown_notification *next_due(const struct kernel *kernel)
{
    struct shutdown_notification *next = NULL;

    for (struct shutdown_notification *at = kernel->io->shutdowns; at != NULL;
         at = at->next) {
        if (at->due &&
            (next == NULL || ruling_is(kernel, RULED_IO_57c_first))) {
            next = at;
        }
    }
    return next;
}

/* The device is there until its driver has done with the request. */
static void send(struct kernel *kernel, struct io_device *device)
{
    struct io_request *request =
        io_request_make_for_device(kernel, device, IRP_MJ_SHUTDOWN);

    counted_object_reference(&device->counted);
    io_request_send(kernel, request);
    counted_object_release(kernel, &device->counted);
}

static void notify(struct kernel *kernel, bool last_chance)
{
    struct shutdown_notification *next;

    for (struct shutdown_notification *at = kernel->io->shutdowns; at != NULL;
         at = at->next) {
        at->due = at->last_chance == last_chance;
    }
    while ((next = next_due(kernel)) != NULL) {
        next->due = false;
        send(kernel, next->device);
    }
}

void shutdown_system(struct kernel *kernel)
{
    struct thread *thread = thread_current(kernel);

    assert(irql_current(kernel, kernel_cpu(kernel)) ==
           irql_number(kernel, LEVEL_PASSIVE_LEVEL));
    notify(kernel, false);
    memory_page_out(&kernel->machine->memory);
    thread->after_flush = true;
    notify(kernel, true);
    thread->after_flush = false;
}
