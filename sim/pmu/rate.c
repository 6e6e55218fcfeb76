/* rate.c - events after so many cycles at a rate, and cycles until so many.
 *
 * Both are closed forms (pmu.md section 3). */
#include "sim/pmu/rate.h"

#include <assert.h>

#include "sim/base/limits.h"

/* Holds the product of two 64-bit numbers. */
__extension__ typedef unsigned __int128 uint128;

bool rate_is_possible(uint64_t p, uint64_t q)
{
    return q >= 1 && q <= LIMIT_SEGMENT_CYCLES && p <= q * LIMIT_RATE_PER_CYCLE;
}

uint64_t rate_events_exactly(const struct rate *rate, uint64_t cycles)
{
    uint64_t product, sum;

    if (!__builtin_mul_overflow(rate->p, cycles, &product) &&
        !__builtin_add_overflow(rate->phase, product, &sum)) {
        return sum / rate->q;
    }
    return (uint64_t)(((uint128)rate->p * cycles + rate->phase) / rate->q);
}

uint64_t rate_cycles(const struct rate *rate, uint64_t events)
{
    uint128 needed = (uint128)events * rate->q - rate->phase;

    assert(rate_check(rate));
    assert(rate->p != 0);
    assert(events != 0);
    if (rate->p == 1 && needed <= UINT64_MAX) {
        return (uint64_t)needed; /* the host divides slowly */
    }
    if (needed <= UINT64_MAX - rate->p) {
        return ((uint64_t)needed + rate->p - 1) / rate->p;
    }
    return (uint64_t)((needed + rate->p - 1) / rate->p);
}

struct rate rate_after(const struct rate *rate, uint64_t cycles)
{
    struct rate later = {.p = rate->p, .q = rate->q};
    uint64_t product, sum;

    assert(rate_check(rate));
    if (rate->q == 1) {
        return later;
    }
    if (!__builtin_mul_overflow(rate->p, cycles, &product) &&
        !__builtin_add_overflow(rate->phase, product, &sum)) {
        later.phase = sum % rate->q;
    } else {
        later.phase =
            (uint64_t)(((uint128)rate->p * cycles + rate->phase) % rate->q);
    }
    assert(later.phase < later.q);
    return later;
}
