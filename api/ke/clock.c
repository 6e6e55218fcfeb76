/* clock.c - the clock interrupt and its timers: a heap of ticks, of which the
 * earliest sets the machine's alarm. */
#include "api/ke/clock.h"

#include <assert.h>
#include <stdlib.h>

#include "api/core/kernel.h"
#include "api/ke/spin.h"
#include "sim/base/limits.h"

enum { UNITS_PER_MICROSECOND = 10, SHORTEST_UNITS = 5000 };

static uint64_t units_at(const struct kernel *kernel, uint64_t time)
{
    uint64_t mhz = kernel->machine->config.pmu.mhz;

    return time / mhz * UNITS_PER_MICROSECOND +
           time % mhz * UNITS_PER_MICROSECOND / mhz;
}

/* The last tick that has come by then, and when one comes. */
static uint64_t last_tick(const struct clock *clock, uint64_t units)
{
    return units < clock->since_units
               ? clock->since_tick
               : clock->since_tick +
                     (units - clock->since_units) / clock_length(clock);
}

uint64_t clock_ticks_at(const struct kernel *kernel, uint64_t time)
{
    uint64_t units = units_at(kernel, time);

    return ruling_is(kernel, RULED_TIME_06_per_interrupt)
               ? last_tick(kernel->clock, units)
               : units / CLOCK_TICK_UNITS;
}

static uint64_t units_of_tick(const struct clock *clock, uint64_t tick)
{
    return tick < clock->since_tick
               ? 0
               : clock->since_units +
                     (tick - clock->since_tick) * clock_length(clock);
}

/* The first cycle at which it is so late. */
static uint64_t time_of_units(const struct kernel *kernel, uint64_t units)
{
    uint64_t mhz = kernel->machine->config.pmu.mhz;

    return units / UNITS_PER_MICROSECOND * mhz +
           (units % UNITS_PER_MICROSECOND * mhz + UNITS_PER_MICROSECOND - 1) /
               UNITS_PER_MICROSECOND;
}

static uint64_t time_of_tick(const struct kernel *kernel, uint64_t tick)
{
    return time_of_units(kernel, units_of_tick(kernel->clock, tick));
}

uint64_t clock_exact_time(struct kernel *kernel)
{
    return units_at(kernel, kernel_cpu(kernel)->time);
}

uint64_t clock_interrupt_time(struct kernel *kernel)
{
    const struct clock *clock = kernel->clock;

    return units_of_tick(
        clock, last_tick(clock, units_at(kernel, kernel_cpu(kernel)->time)));
}

uint64_t clock_tick_from(const struct kernel *kernel, uint64_t units)
{
    const struct clock *clock = kernel->clock;
    uint32_t length = clock_length(clock);

    if (units <= clock->since_units) {
        return clock->since_tick;
    }
    return clock->since_tick +
           (units - clock->since_units + length - 1) / length;
}

/* Nothing is later. */
static uint64_t last_units(const struct kernel *kernel)
{
    uint64_t mhz = kernel->machine->config.pmu.mhz;

    return LIMIT_TIME /
           (mhz < UNITS_PER_MICROSECOND ? UNITS_PER_MICROSECOND : mhz) *
           UNITS_PER_MICROSECOND;
}

uint64_t clock_tick_after(struct kernel *kernel, uint64_t since, uint64_t units)
{
    const struct clock *clock = kernel->clock;
    uint64_t now = last_tick(clock, units_at(kernel, kernel_cpu(kernel)->time));
    uint64_t last = last_units(kernel);
    uint64_t tick = units >= last || since + units >= last
                        ? last_tick(clock, last)
                        : clock_tick_from(kernel, since + units);

    return tick > now ? tick : now + 1;
}

static uint8_t clock_vector(const struct kernel *kernel)
{
    uint8_t level = irql_number(kernel, LEVEL_CLOCK_LEVEL);

    return (uint8_t)(kernel->arch->irql_class(level) << 4 | 0x1);
}

/* Behind those of its processor that are due already. */
static void make_due(struct kernel *kernel, struct clock_timer *timer)
{
    struct processor *processor = &kernel->processor[timer->processor];

    timer->state = CLOCK_TIMER_DUE;
    timer->next = NULL;
    timer->previous = processor->last_due;
    if (processor->last_due == NULL || processor->spin_limit != NULL) {
        cpu_send(machine_cpu(kernel->machine, timer->processor),
            clock_vector(kernel), kernel->machine->now);
    }
    *(processor->last_due == NULL ? &processor->first_due
                                  : &processor->last_due->next) = timer;
    processor->last_due = timer;
}

static void take_due(
    struct kernel *kernel, struct tick_queue *queue, uint64_t until)
{
    while (tick_queue_next(queue) <= until) {
        struct clock_timer *timer = tick_queue_take(queue);

        while (timer != NULL) {
            struct clock_timer *next = timer->next;

            tick_queue_fetch(timer);
            make_due(kernel, timer);
            timer = next;
        }
    }
}

static void set_alarm(struct kernel *kernel);

static void ring(void *context)
{
    struct kernel *kernel = context;
    struct clock *clock = kernel->clock;
    uint64_t now = kernel->machine->now;

    take_due(kernel, &clock->queue, last_tick(clock, units_at(kernel, now)));
    take_due(kernel, &clock->fine, units_at(kernel, now));
    set_alarm(kernel);
}

static void set_alarm(struct kernel *kernel)
{
    struct clock *clock = kernel->clock;
    uint64_t tick = tick_queue_next(&clock->queue);
    uint64_t fine = tick_queue_next(&clock->fine);
    uint64_t time =
        tick == UINT64_MAX ? MACHINE_NO_ALARM : time_of_tick(kernel, tick);

    if (fine != UINT64_MAX && time_of_units(kernel, fine) < time) {
        time = time_of_units(kernel, fine);
    }

    clock->alarm.action = ring;
    clock->alarm.context = kernel;
    clock->alarm.wakes = true;
    machine_set_alarm(kernel->machine, &clock->alarm, time);
}

uint64_t clock_next_tick(const struct kernel *kernel)
{
    return tick_queue_next(&kernel->clock->queue);
}

static void set(struct kernel *kernel, struct tick_queue *queue,
    struct clock_timer *timer, uint64_t tick)
{
    uint64_t earliest;

    clock_timer_cancel(kernel, timer);
    earliest = tick_queue_next(queue);
    timer->tick = tick;
    timer->fine = queue == &kernel->clock->fine;
    tick_queue_add(queue, timer);
    if (tick < earliest) {
        set_alarm(kernel);
    }
}

void clock_timer_set(
    struct kernel *kernel, struct clock_timer *timer, uint64_t tick)
{
    set(kernel, &kernel->clock->queue, timer, tick);
}

/* Each timer that is set comes at the first tick of its own time. */
static void set_again(
    struct kernel *kernel, struct clock_timer *timer, uint64_t after)
{
    uint64_t last = last_units(kernel);

    while (timer != NULL) {
        struct clock_timer *next = timer->next;
        uint64_t due = timer->due < last ? timer->due : last;
        uint64_t tick = clock_tick_from(kernel, due);

        timer->state = CLOCK_TIMER_IDLE;
        clock_timer_set(kernel, timer, tick > after ? tick : after + 1);
        timer = next;
    }
}

static void fill_due(const struct clock *clock, struct clock_timer *timer)
{
    for (; timer != NULL; timer = timer->next) {
        if (timer->due == 0) {
            timer->due = units_of_tick(clock, timer->tick);
        }
    }
}

uint32_t clock_shortest(const struct kernel *kernel)
{
    return (uint32_t)ruling_number_or(
        kernel, RULED_TMR_32_number, SHORTEST_UNITS);
}

/* Ticks are counted on, from the last one. */
void clock_set_length(struct kernel *kernel, uint32_t units)
{
    struct clock *clock = kernel->clock;
    struct tick_queue queue = clock->queue;
    uint64_t now = last_tick(clock, units_at(kernel, kernel_cpu(kernel)->time));
    struct clock before = *clock;

    assert(units >= clock_shortest(kernel) && units <= CLOCK_TICK_UNITS);
    clock->queue = (struct tick_queue){.heap = NULL};
    clock->since_units = units_of_tick(clock, now);
    clock->since_tick = now;
    clock->shorter = CLOCK_TICK_UNITS - units;
    while (tick_queue_next(&queue) != UINT64_MAX) {
        struct clock_timer *timer = tick_queue_take(&queue);

        fill_due(&before, timer);
        set_again(kernel, timer, now);
    }
    tick_queue_release(&queue);
}

void clock_timer_set_fine(
    struct kernel *kernel, struct clock_timer *timer, uint64_t units)
{
    uint64_t now = clock_exact_time(kernel);
    uint64_t last = last_units(kernel); /* which is years away */
    uint64_t due = units < last ? units : last;

    set(kernel, &kernel->clock->fine, timer, due > now ? due : now + 1);
}

static struct tick_queue *queue_of(
    struct kernel *kernel, const struct clock_timer *timer)
{
    return timer->fine ? &kernel->clock->fine : &kernel->clock->queue;
}

bool clock_timer_cancel(struct kernel *kernel, struct clock_timer *timer)
{
    struct processor *processor = &kernel->processor[timer->processor];

    if (timer->state == CLOCK_TIMER_SET) {
        bool first = timer->place == 1;

        tick_queue_remove(queue_of(kernel, timer), timer);
        if (first) {
            set_alarm(kernel);
        }
        return true;
    }
    if (timer->state == CLOCK_TIMER_IDLE) {
        return false;
    }
    timer->state = CLOCK_TIMER_IDLE;
    *(timer->previous == NULL ? &processor->first_due
                              : &timer->previous->next) = timer->next;
    *(timer->next == NULL ? &processor->last_due : &timer->next->previous) =
        timer->previous;
    return true;
}

static void clock_service(struct kernel *kernel, struct cpu *cpu)
{
    spin_look(kernel, cpu);
    if (kernel_processor(kernel, cpu)->first_due != NULL) {
        dispatcher_request(kernel, cpu);
    }
}

const struct interrupt_source clock_interrupt = {
    LEVEL_CLOCK_LEVEL, clock_vector, clock_service};

static void run_due(struct kernel *kernel, struct cpu *cpu)
{
    struct processor *processor = kernel_processor(kernel, cpu);

    while (processor->first_due != NULL) {
        struct clock_timer *timer = processor->first_due;

        if (timer->next != NULL && timer->next->next != NULL) {
            __builtin_prefetch(timer->next->next->touches, true);
        }
        tick_queue_fetch_ahead(queue_of(kernel, timer));
        clock_timer_cancel(kernel, timer);
        timer->expired(kernel, timer);
    }
}

const struct dispatch_work clock_work = {run_due};

void clock_release(struct clock *clock)
{
    tick_queue_release(&clock->queue);
    tick_queue_release(&clock->fine);
}
