/* rate.c - the two closed forms (pmu.md section 3). */
#include "sim/pmu/rate.h"

#include <assert.h>

#include "sim/base/limits.h"
#include "sim/base/uint128.h"

bool rate_is_possible(uint64_t p, uint64_t q)
{
    return q >= 1 && q <= LIMIT_SEGMENT_CYCLES && p <= q * LIMIT_RATE_PER_CYCLE;
}

uint64_t rate_events(const struct rate *rate, uint64_t cycles)
{
    uint64_t product, sum;

    assert(rate->q != 0 && rate->phase < rate->q);
    if (rate->q == 1) {
        return rate->p * cycles;
    }
    if (!__builtin_mul_overflow(rate->p, cycles, &product) &&
        !__builtin_add_overflow(rate->phase, product, &sum)) {
        return sum / rate->q;
    }
    return (uint64_t)(((uint128)rate->p * cycles + rate->phase) / rate->q);
}

uint64_t rate_cycles(const struct rate *rate, uint64_t events)
{
    uint128 needed = (uint128)events * rate->q - rate->phase;

    assert(rate->p != 0 && events != 0 && rate->phase < rate->q);
    if (needed <= UINT64_MAX - rate->p) {
        return ((uint64_t)needed + rate->p - 1) / rate->p;
    }
    return (uint64_t)((needed + rate->p - 1) / rate->p);
}
