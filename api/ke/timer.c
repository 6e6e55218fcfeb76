/* timer.c - what KTIMER does: due times, periods, the DPC that it queues when
 * it expires. */
#include "api/ke/timer.h"

#include <assert.h>
#include <stddef.h>

#include "api/core/kernel.h"
#include "api/core/leaks.h"
#include "api/core/place.h"
#include "api/core/thread.h"
#include "api/ke/dispatch_object.h"
#include "api/ke/dpc.h"
#include "api/ke/object_wait.h"

enum { UNITS_PER_MILLISECOND = 10000 };

static void leave(struct kernel *kernel, struct timer *timer)
{
    struct timers *timers = kernel->timers;

    *(timer->previous == NULL ? &timers->active : &timer->previous->next) =
        timer->next;
    if (timer->next != NULL) {
        timer->next->previous = timer->previous;
    }
    timer->active = false;
    dpc_count_timer(kernel, timer->dpc, false);
}

static void join(struct kernel *kernel, struct timer *timer)
{
    struct timers *timers = kernel->timers;

    timer->previous = NULL;
    timer->next = timers->active;
    if (timers->active != NULL) {
        timers->active->previous = timer;
    }
    timers->active = timer;
    timer->active = true;
    dpc_count_timer(kernel, timer->dpc, true);
}

/* TMR-04. */
static void come(struct kernel *kernel, struct timer *timer)
{
    dispatch_object_set(kernel, timer->object, 1);
    object_signal(kernel, timer->object);
    if (timer->dpc != 0) {
        dpc_queue_for_timer(kernel, timer->dpc, timer->place);
    }
}

/* Whether another one comes in its window, with which it comes then (TMR-13
 * [C]). */
static bool waits_for_another(struct kernel *kernel, struct timer *timer)
{
    uint64_t end = clock_tick_from(kernel, timer->due + timer->tolerance);
    uint64_t next = clock_next_tick(kernel);

    if (timer->tolerance == 0 || timer->moved || next > end ||
        ruling_is(kernel, RULED_TMR_13_late) ||
        ruling_is(kernel, RULED_TMR_13_early)) {
        return false;
    }
    timer->moved = true;
    timer->clock.due = 0;
    clock_timer_set(kernel, &timer->clock, next);
    return true;
}

/* At the first millisecond when it is due: never early (XTMR-06). */
static void begin_fine(struct kernel *kernel, struct timer *timer)
{
    uint64_t now = clock_exact_time(kernel);
    uint64_t due = timer->due > now ? timer->due : now + 1;

    clock_timer_set_fine(kernel, &timer->clock,
        (due + UNITS_PER_MILLISECOND - 1) / UNITS_PER_MILLISECOND *
            UNITS_PER_MILLISECOND);
}

static void begin(struct kernel *kernel, struct timer *timer)
{
    uint64_t late = ruling_is(kernel, RULED_TMR_13_late) ? timer->tolerance : 0;

    timer->moved = false;
    if (timer->fine) {
        begin_fine(kernel, timer);
        return;
    }
    timer->clock.due = timer->due + late;
    clock_timer_set(
        kernel, &timer->clock, clock_tick_after(kernel, timer->due, late));
}

static void expired(struct kernel *kernel, struct clock_timer *clock)
{
    struct timer *timer = (struct timer *)(void *)clock;

    if (waits_for_another(kernel, timer)) {
        return;
    }
    if (timer->period == 0) {
        leave(kernel, timer);
    } else {
        timer->due += timer->period;
        begin(kernel, timer);
    }
    come(kernel, timer);
    if (timer->came != NULL) {
        timer->came(kernel, timer);
    }
}

bool timer_cancel(struct kernel *kernel, struct timer *timer)
{
    bool was = timer->active;

    if (was) {
        clock_timer_cancel(kernel, &timer->clock);
        leave(kernel, timer);
    }
    return was;
}

/* In interrupt time; what is over by now is 0. */
static uint64_t due_time(struct kernel *kernel, int64_t due, bool fine)
{
    uint64_t now = CLOCK_BOOT_TIME + clock_exact_time(kernel);

    if (due < 0) { /* from the last tick (TMR-14) */
        return (fine ? clock_exact_time(kernel)
                     : clock_interrupt_time(kernel)) +
               (UINT64_C(0) - (uint64_t)due);
    }
    return (uint64_t)due <= now ? 0 : (uint64_t)due - CLOCK_BOOT_TIME;
}

bool timer_set(
    struct kernel *kernel, struct timer *timer, const struct timer_set *set)
{
    struct cpu *cpu = kernel_cpu(kernel);
    bool was = timer_cancel(kernel, timer);

    if (was) {
        dpc_unqueue_for_timer(kernel, timer->dpc); /* TMR-03 */
    }
    dispatch_object_set(kernel, timer->object, 0);
    timer->clock = (struct clock_timer){.expired = expired,
        .processor = cpu->index,
        .touches = (const void *)(uintptr_t)timer->object->stored.address};
    timer->fine = set->fine;
    timer->due = due_time(kernel, set->due, set->fine);
    timer->period = set->period;
    timer->tolerance = set->tolerance;
    timer->dpc = set->dpc;
    timer->driver = kernel_driver(kernel, cpu);
    timer->reported = false;
    timer->place = place_current(kernel);
    timer->step = thread_step(kernel);
    if (timer->due != 0 || ruling_is(kernel, RULED_TMR_15_tick)) {
        join(kernel, timer);
        begin(kernel, timer);
        return was;
    }
    if (timer->period != 0) { /* TMR-15 [C] */
        timer->due = clock_exact_time(kernel) + timer->period;
        join(kernel, timer);
        begin(kernel, timer);
    }
    come(kernel, timer);
    return was;
}

static void list_timers(
    struct kernel *kernel, const struct leak_listing *listing)
{
    for (const struct timer *timer = kernel->timers->active; timer != NULL;
         timer = timer->next) {
        if (timer->driver == listing->driver && !timer->listed) {
            leaks_found(listing, LEAK_TIMER, "timer", timer->step);
        }
    }
}

static void report_timers(
    struct kernel *kernel, struct cpu *cpu, const struct driver *driver)
{
    for (struct timer *timer = kernel->timers->active; timer != NULL;
         timer = timer->next) {
        const struct bugcheck_parameter parameter[4] = {
            {.value = 0}, {.value = timer->object->stored.address}};

        if (timer->driver == driver && !timer->listed &&
            leaks_is_news(&timer->reported)) {
            leaks_alive(kernel, cpu, RULE_LEAK_TIMER, ROUTINE_COUNT,
                timer->place, parameter);
        }
    }
}

const struct leak_source timer_leaks = {
    LEAK_TIMER, list_timers, report_timers, NULL};
