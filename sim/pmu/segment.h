/* segment.h - a stretch of code as the PMU sees it: cycles, ring, and how often
 * each event happens. Knows nothing of what the code does. */
#ifndef SIM_PMU_SEGMENT_H
#define SIM_PMU_SEGMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/pmu/code.h"
#include "sim/pmu/model.h"

enum ring { RING_KERNEL, RING_USER, RING_COUNT };

/* kernel and user. */
extern const char *const ring_names[RING_COUNT];

struct segment {
    uint64_t cycles; /* 1 .. LIMIT_SEGMENT_CYCLES */
    enum ring ring;
    bool halted; /* time passes, nothing runs: no event, no clock */
    /* Where its events come from, for PEBS records: */
    const struct code *code; /* NULL: one `place`, 0 where nobody says it */
    const uint64_t
        *before; /* events by kind that `code` had earlier, or NULL */
    struct code_place place;
    struct rate rate[EVENT_COUNT];
};

/* A segment in which nothing happens but its clocks, which run on from where
 * `unhalted` core cycles have brought them. The caller sets other rates. */
void segment_init(struct segment *segment, const struct pmu_model *model,
    uint64_t unhalted, uint64_t cycles, enum ring ring);

/* Whether it has a length, a ring and rates that can be; asserts each part. */
bool segment_check(const struct segment *segment);

/* The clocks as if the segment had begun after `unhalted` core cycles: for one
 * in whose middle other code ran. */
void segment_set_clocks(
    struct segment *segment, const struct pmu_model *model, uint64_t unhalted);

#endif
