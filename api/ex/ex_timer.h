/* ex_timer.h - timers that the system allocates: ExAllocateTimer and its kin
 * (executive.md 3). A driver knows one by its address, waits for it, and has a
 * routine of its own called when it expires. */
#ifndef API_EX_EX_TIMER_H
#define API_EX_EX_TIMER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/core/leaks.h"
#include "api/ke/dpc.h"
#include "api/ke/timer.h"
#include "sim/base/record_pool.h"

struct dispatch_object;
struct driver;
struct kernel;
struct strand;

struct ex_timer {
    struct timer timer;     /* first: the object's record */
    struct dpc_owner owner; /* of the DPC that calls its routine */
    struct dpc *dpc;        /* NULL: it has no routine */
    uint64_t delete_routine, delete_context; /* 0: none */
    bool high_resolution;
    bool deleted;                /* it goes away when all is over (XTMR-07) */
    struct strand *waits;        /* for that (XTMR-09); NULL: nobody does */
    const struct driver *driver; /* that had it made */
    uint64_t place;              /* of the code that did; 0: unknown */
    uint32_t step;
    bool reported;                  /* as left behind */
    struct ex_timer *newer, *older; /* among all */
};

struct ex_timers {
    struct ex_timer *newest;
    struct record_pool pool;
};

/* What a driver has not deleted: the rule leak.ex_timer (XTMR-11 [C]). */
extern const struct leak_source ex_timer_leaks;

#endif
