/* timer_routines.c - KeInitializeTimer, KeSetTimer, KeCancelTimer and their
 * kin; timers freed while they are set. */
#include <assert.h>
#include <stddef.h>

#include "api/core/early_end.h"
#include "api/core/kernel.h"
#include "api/core/leaks.h"
#include "api/core/place.h"
#include "api/core/routine_bodies.h"
#include "api/ke/dispatch_object.h"
#include "api/ke/dpc.h"
#include "api/ke/timer.h"
#include "api/mm/copy.h"

enum {
    TIMERS =
        1 << DISPATCH_NOTIFICATION_TIMER | 1 << DISPATCH_SYNCHRONIZATION_TIMER,
    UNITS_PER_MILLISECOND = 10000,
};

static struct timer *timer_get(enum routine routine, const KTIMER *address)
{
    struct kernel *kernel = kernel_current();
    struct timer *timer =
        dispatch_object_get(kernel, routine, address, TIMERS)->of;
    const struct bugcheck_parameter parameter[4] = {
        {.name = routine_rows[routine].name}, {.value = (uintptr_t)address}};

    if (timer->system) { /* XTMR-01 */
        early_end_for_object(kernel, RULE_OBJECT_KIND, routine, parameter);
    }
    return timer;
}

static struct timer *take(struct kernel *kernel)
{
    return record_take(
        kernel, &kernel->timers->pool, sizeof(struct timer), "timers");
}

/* TMR-09, TMR-18, EXE-GEN-05 [C]. */
static void storage_freed(struct kernel *kernel, struct cpu *cpu,
    enum routine routine, struct dispatch_object *object)
{
    struct timer *timer = object->of;
    const struct bugcheck_parameter parameter[4] = {
        {.value = 0}, {.value = object->stored.address}};

    if (timer->active) {
        leaks_alive(kernel, cpu, RULE_TIMER_FREED, routine,
            place_current(kernel), parameter);
        timer_cancel(kernel, timer);
    }
    record_give(&kernel->timers->pool, timer);
}

static bool is_set(const struct dispatch_object *object)
{
    const struct timer *timer = object->of;

    return timer->active;
}

static void initialize(enum routine routine, PKTIMER address, TIMER_TYPE type)
{
    struct kernel *kernel = kernel_current();
    struct dispatch_object *object =
        dispatch_object_make(kernel, routine, (uintptr_t)address,
            type == SynchronizationTimer ? DISPATCH_SYNCHRONIZATION_TIMER
                                         : DISPATCH_NOTIFICATION_TIMER,
            0);

    object->of = take(kernel);
    object->in_use = is_set;
    object->freed = storage_freed;
    *(struct timer *)object->of = (struct timer){.object = object};
}

VOID KeInitializeTimer_body(PKTIMER Timer)
{
    initialize(ROUTINE_KeInitializeTimer, Timer, NotificationTimer);
}

VOID KeInitializeTimerEx_body(PKTIMER Timer, TIMER_TYPE Type)
{
    initialize(ROUTINE_KeInitializeTimerEx, Timer, Type);
}

/* TMR-16 [C]: milliseconds, or 0 for what cannot be. */
static uint64_t milliseconds(
    struct kernel *kernel, enum routine routine, int32_t value)
{
    const struct bugcheck_parameter parameter[4] = {
        {.name = routine_rows[routine].name}, {.value = (uint32_t)value}};

    if (value >= 0) {
        return (uint64_t)value * UNITS_PER_MILLISECOND;
    }
    if (ruling_is(kernel, RULED_TMR_16_fatal)) {
        rule_stop_with(kernel, kernel_cpu(kernel), RULE_TIMER_PERIOD, routine,
            place_current(kernel), BUGCHECK_TIMER_OR_DPC_INVALID, parameter);
    }
    rule_warn(kernel, kernel_cpu(kernel), RULE_TIMER_PERIOD, routine);
    return 0;
}

/* The storage shows it from DueTime on. */
static void show(struct kernel *kernel, enum routine routine, PKTIMER address,
    const struct timer *timer)
{
    KTIMER shown = {.DueTime = timer->due,
        .Dpc = (PVOID)(uintptr_t)timer->dpc,
        .Period = (ULONG)(timer->period / UNITS_PER_MILLISECOND)};

    copy_out(kernel, routine, &address->DueTime, &shown.DueTime,
        sizeof(shown) - offsetof(KTIMER, DueTime));
}

static BOOLEAN set(
    enum routine routine, PKTIMER address, struct timer_set *set, PKDPC dpc)
{
    struct kernel *kernel = kernel_current();
    struct timer *timer = timer_get(routine, address);
    bool was;

    copy_probe(kernel, routine, address, sizeof(*address), true);
    if (dpc != NULL) {
        set->dpc = dpc_get(kernel, routine, dpc)->stored.address;
    }
    was = timer_set(kernel, timer, set);
    show(kernel, routine, address, timer);
    return was;
}

BOOLEAN KeSetTimer_body(PKTIMER Timer, LONGLONG DueTime, PKDPC Dpc)
{
    struct timer_set request = {.due = DueTime};

    return set(ROUTINE_KeSetTimer, Timer, &request, Dpc);
}

BOOLEAN KeSetTimerEx_body(
    PKTIMER Timer, LONGLONG DueTime, LONG Period, PKDPC Dpc)
{
    const enum routine routine = ROUTINE_KeSetTimerEx;
    struct timer_set request = {.due = DueTime,
        .period = milliseconds(kernel_current(), routine, Period)};

    return set(routine, Timer, &request, Dpc);
}

BOOLEAN KeSetCoalescableTimer_body(PKTIMER Timer, LONGLONG DueTime,
    ULONG Period, ULONG TolerableDelay, PKDPC Dpc)
{
    const enum routine routine = ROUTINE_KeSetCoalescableTimer;
    struct kernel *kernel = kernel_current();
    struct timer_set request = {.due = DueTime,
        .period = milliseconds(kernel, routine, (int32_t)Period),
        .tolerance = milliseconds(kernel, routine, (int32_t)TolerableDelay)};

    return set(routine, Timer, &request, Dpc);
}

/* TMR-06, TMR-07 [C]. */
BOOLEAN KeCancelTimer_body(PKTIMER Timer)
{
    struct kernel *kernel = kernel_current();
    struct timer *timer = timer_get(ROUTINE_KeCancelTimer, Timer);
    bool was = timer_cancel(kernel, timer);

    if (was && ruling_is(kernel, RULED_TMR_07_dpc)) {
        dpc_unqueue_for_timer(kernel, timer->dpc);
    }
    return was ||
           (timer->period != 0 && ruling_is(kernel, RULED_TMR_08_always));
}

BOOLEAN KeReadStateTimer_body(PKTIMER Timer)
{
    return timer_get(ROUTINE_KeReadStateTimer, Timer)->object->state != 0;
}
