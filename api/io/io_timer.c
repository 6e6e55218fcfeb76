/* io_timer.c - IoInitializeTimer, IoStartTimer, IoStopTimer: a timer of a
 * device's and a DPC that calls the routine. */
#include "api/io/io_timer.h"

#include "api/core/kernel.h"
#include "api/core/leaks.h"
#include "api/core/place.h"
#include "api/core/routine_bodies.h"
#include "api/core/run_end.h"
#include "api/io/device.h"
#include "api/io/io.h"
#include "api/ke/dispatch_object.h"
#include "api/ke/dpc.h"
#include "api/ke/timer.h"
#include "api/mm/block.h"

enum {
    TIMER_BYTES = 64,        /* IO_TIMER, which is nobody's to look into */
    SECOND_UNITS = 10000000, /* TMR-35 [C] */
};

struct io_timer {
    struct timer timer;
    struct dpc_owner owner; /* of the DPC that calls the routine */
    struct dpc *dpc;
};

static void is_over(struct kernel *kernel, struct dpc_owner *owner)
{
    (void)kernel;
    (void)owner;
}

static struct io_timer *make(struct kernel *kernel, struct io_device *device)
{
    void *storage = run_needs(kernel,
        memory_alloc(&kernel->machine->memory, TIMER_BYTES, 0), "an IoTimer");
    struct io_timer *timer = record_take(
        kernel, &kernel->io->timer_pool, sizeof(*timer), "IoTimers");

    *timer = (struct io_timer){
        .owner = {.what = "IoTimer routine", .is_over = is_over},
        .timer = {.system = true,
            .object = dispatch_object_make(kernel, ROUTINE_IoInitializeTimer,
                (uintptr_t)storage, DISPATCH_NOTIFICATION_TIMER, 0)}};
    timer->timer.object->of = &timer->timer;
    device->timer = timer;
    device->guest->Timer = storage;
    return timer;
}

NTSTATUS IoInitializeTimer_body(
    PDEVICE_OBJECT DeviceObject, PVOID TimerRoutine, PVOID Context)
{
    const enum routine routine = ROUTINE_IoInitializeTimer;
    struct kernel *kernel = kernel_current();
    struct io_device *device = io_device_get(kernel, routine, DeviceObject);
    struct io_timer *timer = device->timer;

    if (timer != NULL) { /* TMR-34b */
        rule_warn(kernel, kernel_cpu(kernel), RULE_IO_TIMER_TWICE, routine);
        timer->dpc->routine = (uintptr_t)TimerRoutine;
        timer->dpc->context = (uintptr_t)Context;
        return STATUS_SUCCESS;
    }
    timer = make(kernel, device);
    /* The routine is called with that address and the context. */
    timer->dpc = dpc_make_own(kernel, (uintptr_t)DeviceObject,
        (uintptr_t)TimerRoutine, (uintptr_t)Context, &timer->owner);
    return STATUS_SUCCESS;
}

/* That of the device; NULL: it has none (TMR-35 [C]). */
static struct io_timer *timer_of(
    enum routine routine, const DEVICE_OBJECT *object)
{
    struct kernel *kernel = kernel_current();
    struct io_timer *timer = io_device_get(kernel, routine, object)->timer;

    if (timer == NULL && ruling_is(kernel, RULED_TMR_35b_event)) {
        rule_report(kernel, kernel_cpu(kernel), RULE_IO_TIMER_NONE, routine);
    } else if (timer == NULL) {
        io_stop(kernel, RULE_IO_TIMER_NONE, routine, "device object");
    }
    return timer;
}

VOID IoStartTimer_body(PDEVICE_OBJECT DeviceObject)
{
    struct io_timer *timer = timer_of(ROUTINE_IoStartTimer, DeviceObject);
    const struct timer_set set = {.due = -SECOND_UNITS,
        .period = SECOND_UNITS,
        .dpc = (uintptr_t)DeviceObject};

    if (timer != NULL && !timer->timer.active) {
        timer_set(kernel_current(), &timer->timer, &set);
    }
}

VOID IoStopTimer_body(PDEVICE_OBJECT DeviceObject)
{
    const enum routine routine = ROUTINE_IoStopTimer;
    struct kernel *kernel = kernel_current();
    struct io_timer *timer = timer_of(routine, DeviceObject);

    if (timer == NULL) {
        return;
    }
    if (timer->owner.running > 0 &&
        kernel_processor(kernel, kernel_cpu(kernel))->in_dpc) {
        rule_warn(kernel, kernel_cpu(kernel), RULE_IO_TIMER_INSIDE, routine);
    }
    timer_cancel(kernel, &timer->timer);
}

void io_timer_end(struct kernel *kernel, struct io_device *device)
{
    const enum routine routine = ROUTINE_IoDeleteDevice;
    struct io_timer *timer = device->timer;

    if (timer == NULL) {
        return;
    }
    if (timer->timer.active) {
        const struct bugcheck_parameter parameter[4] = {
            {.value = 0}, {.value = timer->timer.object->stored.address}};

        leaks_alive(kernel, kernel_cpu(kernel), RULE_TIMER_FREED, routine,
            place_current(kernel), parameter);
        timer_cancel(kernel, &timer->timer);
    }
    if (timer->dpc->in == NULL) { /* or whoever runs it finds it gone */
        dpc_forget_own(kernel, timer->dpc);
    }
    block_free_at(kernel, routine,
        (void *)(uintptr_t)timer->timer.object->stored.address);
    device->timer = NULL;
    record_give(&kernel->io->timer_pool, timer);
}
