/* rate.h - how often something happens per cycle: p/q, exactly. */
#ifndef SIM_PMU_RATE_H
#define SIM_PMU_RATE_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

/* After t cycles floor((phase + p * t) / q) events have happened. */
struct rate {
    uint64_t p;     /* events; 0: never happens */
    uint64_t q;     /* cycles, at least 1 */
    uint64_t phase; /* 0 .. q-1 */
};

/* Whether p and q are in the range that keeps every total below 2^63. */
bool rate_is_possible(uint64_t p, uint64_t q);

/* Whether q and phase are such; asserts each part. */
static inline bool rate_check(const struct rate *rate)
{
    assert(rate->q != 0);
    assert(rate->phase < rate->q);
    return true;
}

/* Events in the first `cycles` cycles. */
static inline uint64_t rate_events(const struct rate *rate, uint64_t cycles);

/* The same of any rate; the host divides for it. */
uint64_t rate_events_exactly(const struct rate *rate, uint64_t cycles);

/* The number of cycles after which the total is first >= `events`. The rate is
 * not 0 and `events` not 0. */
uint64_t rate_cycles(const struct rate *rate, uint64_t events);

/* The rate as it goes on after `cycles` cycles: with the phase it has there. */
struct rate rate_after(const struct rate *rate, uint64_t cycles);

static inline uint64_t rate_events(const struct rate *rate, uint64_t cycles)
{
    assert(rate_check(rate));
    return rate->q == 1 ? rate->p * cycles : rate_events_exactly(rate, cycles);
}

/* Events in the cycles between two positions. */
static inline uint64_t rate_between(
    const struct rate *rate, uint64_t from, uint64_t to)
{
    return rate->q == 1 ? rate->p * (to - from)
                        : rate_events(rate, to) - rate_events(rate, from);
}

#endif
