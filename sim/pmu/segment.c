/* segment.c - clocks are rates whose phase goes on from segment to segment. */
#include "sim/pmu/segment.h"

#include <assert.h>

#include "sim/base/limits.h"
#include "sim/base/uint128.h"

const char *const ring_names[RING_COUNT] = {
    [RING_KERNEL] = "kernel", [RING_USER] = "user"};

/* The clock's rate with the phase it has after `unhalted` core cycles. */
static struct rate clock_rate(const struct rate *clock, uint64_t unhalted)
{
    struct rate rate = {.p = clock->p, .q = clock->q};
    uint64_t product;

    if (clock->q == 1) {
        return rate;
    }
    rate.phase = __builtin_mul_overflow(unhalted, clock->p, &product)
                     ? (uint64_t)((uint128)unhalted * clock->p % clock->q)
                     : product % clock->q;
    return rate;
}

void segment_set_clocks(
    struct segment *segment, const struct pmu_model *model, uint64_t unhalted)
{
    segment->rate[EVENT_CORE_CYCLES].p = 1;
    segment->rate[EVENT_TSC_CYCLES] = clock_rate(&model->tsc, unhalted);
    segment->rate[EVENT_REF_CYCLES] = clock_rate(&model->ref, unhalted);
}

void segment_init(struct segment *segment, const struct pmu_model *model,
    uint64_t unhalted, uint64_t cycles, enum ring ring)
{
    assert(cycles >= 1 && cycles <= LIMIT_SEGMENT_CYCLES);
    *segment = (struct segment){.cycles = cycles, .ring = ring};
    for (unsigned i = 0; i < EVENT_COUNT; i++) {
        segment->rate[i].q = 1;
    }
    segment_set_clocks(segment, model, unhalted);
    segment->rate[EVENT_SLOTS].p = model->slots;
}
