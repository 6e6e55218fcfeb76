/* clock.h - the clock: its ticks, how long they are, and what is due at one.
 * There are as many interrupts as somebody has something due [C]; which ticks
 * have passed follows from the time. */
#ifndef API_KE_CLOCK_H
#define API_KE_CLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/ke/dispatcher.h"
#include "api/ke/interrupt.h"
#include "api/ke/tick_queue.h"
#include "sim/machine/machine.h"

struct kernel;

/* Of 100 ns: what a tick has unless a driver wants shorter ones (TIME-06 [C]).
 */
enum { CLOCK_TICK_UNITS = 156250 };

/* When every machine is booted [C]: 2020-01-01, in units of 100 ns since 1601.
 */
#define CLOCK_BOOT_TIME UINT64_C(132223104000000000)

struct clock {
    struct tick_queue queue;
    struct tick_queue fine; /* by units of 100 ns */
    struct machine_alarm alarm;
    /* How much shorter than usual its ticks are, and since which of them, which
     * came when. Zero: since the boot all were as long as usual. */
    uint32_t shorter;
    uint64_t since_tick, since_units;
};

/* What a tick has now, units of 100 ns; and from the last one on. */
static inline uint32_t clock_length(const struct clock *clock)
{
    return CLOCK_TICK_UNITS - clock->shorter;
}

/* What it has at the least (TMR-32 [C]). */
uint32_t clock_shortest(const struct kernel *kernel);

void clock_set_length(struct kernel *kernel, uint32_t units);

/* How often the tick count (TIME-02) has been raised at machine time `time`:
 * every CLOCK_TICK_UNITS, however long ticks are, or at each of them (TIME-06
 * [C]). */
uint64_t clock_ticks_at(const struct kernel *kernel, uint64_t time);

/* Interrupt time at the caller's last tick, and now: units of 100 ns. */
uint64_t clock_interrupt_time(struct kernel *kernel);
uint64_t clock_exact_time(struct kernel *kernel);

/* The first tick that comes at that interrupt time or later. */
uint64_t clock_tick_from(const struct kernel *kernel, uint64_t units);

/* The first tick at which an interval of `units` is over that began at
 * `since`; later than the tick of now. */
uint64_t clock_tick_after(
    struct kernel *kernel, uint64_t since, uint64_t units);

/* The earliest tick at which something is due; UINT64_MAX: nothing is. */
uint64_t clock_next_tick(const struct kernel *kernel);

/* The timer, which may be set, is due at that tick, which is yet to come. Where
 * ticks get another length it comes at the first one from timer->due on. */
void clock_timer_set(
    struct kernel *kernel, struct clock_timer *timer, uint64_t tick);

/* The same at that interrupt time, or else right behind now, between ticks too.
 */
void clock_timer_set_fine(
    struct kernel *kernel, struct clock_timer *timer, uint64_t units);

/* Whether it was set: it is not called then. */
bool clock_timer_cancel(struct kernel *kernel, struct clock_timer *timer);

static inline bool clock_timer_is_set(const struct clock_timer *timer)
{
    return timer->state != CLOCK_TIMER_IDLE;
}

/* The clock's interrupt, and what is left to do behind it. */
extern const struct interrupt_source clock_interrupt;
extern const struct dispatch_work clock_work;

void clock_release(struct clock *clock);

#endif
