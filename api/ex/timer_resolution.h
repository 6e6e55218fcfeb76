/* timer_resolution.h - how long a tick of the clock is to be, as drivers ask
 * for it: who wants what, until when. */
#ifndef API_EX_TIMER_RESOLUTION_H
#define API_EX_TIMER_RESOLUTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/core/leaks.h"
#include "sim/base/record_pool.h"

struct driver;

/* Somebody wants ticks to be shorter. */
struct resolution_wish {
    const struct driver *driver;
    uint64_t place;
    uint32_t step;
    bool reported; /* as left behind */
    struct resolution_wish *next;
};

struct timer_resolution {
    struct resolution_wish *wishes; /* the last one first */
    struct record_pool pool;
};

/* What a driver has not taken back: when it ends, the warning
 * leak.timer_resolution. */
extern const struct leak_source timer_resolution_leaks;

#endif
