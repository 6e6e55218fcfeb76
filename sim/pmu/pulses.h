/* pulses.h - what a counter adds for a stream of events: the events, or the
 * cycles that CMASK, INV and EDGE make of them. In closed form. */
#ifndef SIM_PMU_PULSES_H
#define SIM_PMU_PULSES_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#include "sim/pmu/rate.h"

/* IA32_PERFEVTSELx bits 31:24, 23 and 18. */
struct pulse_filter {
    uint8_t cmask; /* 0: every event counts; c: cycles with >= c events */
    bool invert;   /* cycles with < cmask; nothing when cmask is 0 */
    bool edge;     /* only cycles whose predecessor did not meet it */
};

/* Whether it is others than the events themselves that count. */
static inline bool pulse_is_filtered(struct pulse_filter filter)
{
    return filter.cmask != 0 || filter.edge;
}

/* Pulses in the first `cycles` cycles of a segment with this rate. The cycle
 * before a segment counts as one that did not meet the condition. EDGE with
 * CMASK 0 is taken as CMASK 1. Both are our assumptions (docs/fidelity.md). */
uint64_t pulses_until(
    const struct rate *rate, struct pulse_filter filter, uint64_t cycles);

/* Pulses that `count` events are which all come in one cycle. */
uint64_t pulses_at_once(struct pulse_filter filter, uint64_t count);

/* The first cycle count in (from, limit] at which `need` pulses, at least 1,
 * have come since `from`; limit + 1 when that is later. */
uint64_t pulses_reach(const struct rate *rate, struct pulse_filter filter,
    uint64_t from, uint64_t need, uint64_t limit);

/* The same of the events themselves. */
static inline uint64_t events_reach(
    const struct rate *rate, uint64_t from, uint64_t need, uint64_t limit)
{
    const struct pulse_filter none = {.cmask = 0};

    assert(need > 0);
    assert(from <= limit);
    if (rate->q != 1) {
        return pulses_reach(rate, none, from, need, limit);
    }
    if (need > (limit - from) * rate->p) {
        return limit + 1;
    }
    /* The host divides slowly. */
    return from + (rate->p == 1 ? need : (need - 1) / rate->p + 1);
}

#endif
