/* segment.c - clocks are rates whose phase goes on from segment to segment. */
#include "sim/pmu/segment.h"

#include <assert.h>

#include "sim/limits.h"
#include "sim/uint128.h"

const char *const ring_names[RING_COUNT] = {
    [RING_KERNEL] = "kernel", [RING_USER] = "user"};

/* The clock's rate with the phase it has after `unhalted` core cycles. */
static struct rate clock_rate(const struct rate *clock, uint64_t unhalted)
{
    return (struct rate){
        .p = clock->p,
        .q = clock->q,
        .phase = (uint64_t)((uint128)unhalted * clock->p % clock->q),
    };
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
