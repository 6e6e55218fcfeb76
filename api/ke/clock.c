/* clock.c - the clock interrupt and its timers: a heap by tick, of which the
 * earliest sets the machine's alarm. */
#include "api/ke/clock.h"

#include <assert.h>
#include <stdlib.h>

#include "api/core/kernel.h"
#include "sim/base/limits.h"

enum { UNITS_PER_MICROSECOND = 10 };

static uint64_t units_at(const struct kernel *kernel, uint64_t time)
{
    uint64_t mhz = kernel->machine->config.pmu.mhz;

    return time / mhz * UNITS_PER_MICROSECOND +
           time % mhz * UNITS_PER_MICROSECOND / mhz;
}

uint64_t clock_ticks_at(const struct kernel *kernel, uint64_t time)
{
    return units_at(kernel, time) / CLOCK_TICK_UNITS;
}

/* A tick has a whole number of microseconds. */
static uint64_t time_of_tick(const struct kernel *kernel, uint64_t tick)
{
    return tick * (CLOCK_TICK_UNITS / UNITS_PER_MICROSECOND) *
           kernel->machine->config.pmu.mhz;
}

uint64_t clock_exact_time(struct kernel *kernel)
{
    return units_at(kernel, kernel_cpu(kernel)->time);
}

uint64_t clock_interrupt_time(struct kernel *kernel)
{
    return clock_ticks_at(kernel, kernel_cpu(kernel)->time) * CLOCK_TICK_UNITS;
}

uint64_t clock_tick_after(struct kernel *kernel, uint64_t since, uint64_t units)
{
    uint64_t now = clock_ticks_at(kernel, kernel_cpu(kernel)->time);
    uint64_t last = LIMIT_TIME / time_of_tick(kernel, 1); /* nothing is later */
    uint64_t tick =
        units / CLOCK_TICK_UNITS >= last
            ? last
            : (since + units + CLOCK_TICK_UNITS - 1) / CLOCK_TICK_UNITS;

    return tick > now ? tick : now + 1;
}

static bool is_before(const struct clock_timer *a, const struct clock_timer *b)
{
    return a->tick < b->tick || (a->tick == b->tick && a->order < b->order);
}

static void put(struct clock *clock, size_t place, struct clock_timer *timer)
{
    clock->heap[place] = timer;
    timer->place = place;
}

/* The timer finds its place, from this one upwards. */
static void rise(struct clock *clock, size_t place, struct clock_timer *timer)
{
    while (place > 1 && is_before(timer, clock->heap[place / 2])) {
        put(clock, place, clock->heap[place / 2]);
        place /= 2;
    }
    put(clock, place, timer);
}

static void sink(struct clock *clock, size_t place, struct clock_timer *timer)
{
    while (2 * place <= clock->count) {
        size_t child = 2 * place;

        child += child < clock->count &&
                 is_before(clock->heap[child + 1], clock->heap[child]);
        if (!is_before(clock->heap[child], timer)) {
            break;
        }
        put(clock, place, clock->heap[child]);
        place = child;
    }
    put(clock, place, timer);
}

static void take_out(struct clock *clock, struct clock_timer *timer)
{
    size_t place = timer->place;
    struct clock_timer *last = clock->heap[clock->count--];

    assert(place > 0 && clock->heap[place] == timer);
    timer->place = 0;
    if (last == timer) {
        return;
    }
    if (place > 1 && is_before(last, clock->heap[place / 2])) {
        rise(clock, place, last);
    } else {
        sink(clock, place, last);
    }
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

    timer->due = true;
    timer->next = NULL;
    timer->previous = processor->last_due;
    if (processor->last_due == NULL) {
        processor->first_due = timer;
        cpu_send(machine_cpu(kernel->machine, timer->processor),
            clock_vector(kernel), kernel->machine->now);
    } else {
        processor->last_due->next = timer;
    }
    processor->last_due = timer;
}

static void set_alarm(struct kernel *kernel);

static void ring(void *context)
{
    struct kernel *kernel = context;
    struct clock *clock = kernel->clock;
    uint64_t tick = clock_ticks_at(kernel, kernel->machine->now);

    while (clock->count > 0 && clock->heap[1]->tick <= tick) {
        struct clock_timer *timer = clock->heap[1];

        take_out(clock, timer);
        make_due(kernel, timer);
    }
    set_alarm(kernel);
}

static void set_alarm(struct kernel *kernel)
{
    struct clock *clock = kernel->clock;
    uint64_t time = clock->count == 0
                        ? MACHINE_NO_ALARM
                        : time_of_tick(kernel, clock->heap[1]->tick);

    clock->alarm.action = ring;
    clock->alarm.context = kernel;
    clock->alarm.wakes = true;
    machine_set_alarm(kernel->machine, &clock->alarm, time);
}

uint64_t clock_next_tick(const struct kernel *kernel)
{
    const struct clock *clock = kernel->clock;

    return clock->count == 0 ? UINT64_MAX : clock->heap[1]->tick;
}

void clock_timer_set(
    struct kernel *kernel, struct clock_timer *timer, uint64_t tick)
{
    struct clock *clock = kernel->clock;
    uint64_t earliest;

    clock_timer_cancel(kernel, timer);
    earliest = clock->count > 0 ? clock->heap[1]->tick : UINT64_MAX;
    if (clock->count + 2 > clock->capacity) {
        clock->capacity = clock->capacity == 0 ? 64 : 2 * clock->capacity;
        clock->heap = realloc(
            clock->heap, clock->capacity * sizeof(struct clock_timer *));
        assert(clock->heap != NULL);
    }
    timer->tick = tick;
    timer->order = clock->set++;
    clock->count++;
    rise(clock, clock->count, timer);
    if (tick < earliest) {
        set_alarm(kernel);
    }
}

bool clock_timer_cancel(struct kernel *kernel, struct clock_timer *timer)
{
    struct processor *processor = &kernel->processor[timer->processor];

    if (timer->place != 0) {
        bool first = timer->place == 1;

        take_out(kernel->clock, timer);
        if (first) {
            set_alarm(kernel);
        }
        return true;
    }
    if (!timer->due) {
        return false;
    }
    timer->due = false;
    *(timer->previous == NULL ? &processor->first_due
                              : &timer->previous->next) = timer->next;
    *(timer->next == NULL ? &processor->last_due : &timer->next->previous) =
        timer->previous;
    return true;
}

static void clock_service(struct kernel *kernel, struct cpu *cpu)
{
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

        clock_timer_cancel(kernel, timer);
        timer->expired(kernel, timer);
    }
}

const struct dispatch_work clock_work = {run_due};

void clock_release(struct clock *clock)
{
    free(clock->heap);
    *clock = (struct clock){.heap = NULL};
}
