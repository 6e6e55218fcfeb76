/* segment.c - a stretch of code as the PMU sees it, and its clocks.
 *
 * A clock is a rate whose phase goes on from segment to segment. */
#include "sim/pmu/segment.h"

#include <assert.h>

#include "sim/base/limits.h"

const char *const ring_names[RING_COUNT] = {
    [RING_KERNEL] = "kernel", [RING_USER] = "user"};

bool segment_check(const struct segment *segment)
{
    assert(segment->cycles >= 1);
    assert(segment->cycles <= LIMIT_SEGMENT_CYCLES);
    assert(segment->ring < RING_COUNT);
    for (unsigned i = 0; i < EVENT_COUNT; i++) {
        assert(rate_check(&segment->rate[i]));
    }
    return true;
}

void segment_set_clocks(
    struct segment *segment, const struct pmu_model *model, uint64_t unhalted)
{
    segment->rate[EVENT_CORE_CYCLES].p = 1;
    segment->rate[EVENT_TSC_CYCLES] = rate_after(&model->tsc, unhalted);
    segment->rate[EVENT_REF_CYCLES] = rate_after(&model->ref, unhalted);
}

void segment_init(struct segment *segment, const struct pmu_model *model,
    uint64_t unhalted, uint64_t cycles, enum ring ring)
{
    assert(cycles >= 1);
    assert(cycles <= LIMIT_SEGMENT_CYCLES);
    assert(ring < RING_COUNT);
    *segment = (struct segment){.cycles = cycles, .ring = ring};
    for (unsigned i = 0; i < EVENT_COUNT; i++) {
        segment->rate[i].q = 1;
    }
    segment_set_clocks(segment, model, unhalted);
    segment->rate[EVENT_SLOTS].p = model->slots;
}
