/* timer.h - timers as objects: KTIMER, which threads wait for and which queue
 * DPCs. The storage shows what was set; what counts is kept here (EXE-GEN-02
 * [C]). */
#ifndef API_KE_TIMER_H
#define API_KE_TIMER_H

#include <stdbool.h>
#include <stdint.h>

#include "api/core/leaks.h"
#include "api/core/routine.h"
#include "api/ke/clock.h"
#include "sim/base/record_pool.h"

struct cpu;
struct dispatch_object;
struct driver;
struct kernel;

struct timer {
    struct clock_timer clock; /* first */
    struct dispatch_object *object;
    uint64_t due;       /* interrupt time, of 100 ns */
    uint64_t period;    /* the same; 0: one shot */
    uint64_t tolerance; /* the same: it may come so much later (TMR-12) */
    uint64_t dpc;       /* address of its KDPC; 0: it has none */
    const struct driver *driver; /* that set it */
    uint64_t place;              /* of the code that did */
    uint32_t step;
    bool active;   /* in the queue, whatever the clock has come to */
    bool moved;    /* it waits for another one in its window (TMR-13 [C]) */
    bool fine;     /* it comes between ticks, too (XTMR-06) */
    bool system;   /* no KTIMER of a driver's: the system made it */
    bool listed;   /* ExAllocateTimer did, whose list has it */
    bool reported; /* as left behind */
    /* Of that one: it has just come. */
    void (*came)(struct kernel *kernel, struct timer *timer);
    struct timer *next, *previous; /* of those that are active */
};

struct timers {
    struct timer *active;
    struct record_pool pool;
};

/* When it is due, and then. */
struct timer_set {
    int64_t due; /* negative: relative; else a system time (TMR-03) */
    uint64_t period, tolerance; /* of 100 ns */
    uint64_t dpc;               /* address; 0: none */
    bool fine;
};

/* Sets it. Returns whether it was in the queue. */
bool timer_set(
    struct kernel *kernel, struct timer *timer, const struct timer_set *set);

/* Takes it out of the queue. Returns whether it was there. */
bool timer_cancel(struct kernel *kernel, struct timer *timer);

/* The timers that a driver left active: the rule leak.timer (EXE-GEN-05 [C]).
 */
extern const struct leak_source timer_leaks;

#endif
