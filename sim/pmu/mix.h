/* mix.h - kinds of code as rates of events, ready for a segment. Knows nothing
 * of how long code runs, nor of who counts it. */
#ifndef SIM_PMU_MIX_H
#define SIM_PMU_MIX_H

#include <stdbool.h>
#include <stddef.h>

#include "sim/pmu/segment.h"

enum mix {
#define MIX(name, ...) MIX_##name,
#include "sim/pmu/mixes.def"
    MIX_COUNT
};

struct mix_row {
    const char *name;
    bool halted;
    const char *help; /* in a line */
};

extern const struct mix_row mix_rows[MIX_COUNT];

/* How often an event happens in a mix. */
struct mix_rate {
    enum mix mix;
    enum event event;
    struct rate rate;
};

/* The n-th of all mixes' rates; NULL when there are not that many. An event
 * that a mix has no rate for never happens in it. */
const struct mix_rate *mix_rate_at(size_t n);

/* Whether the segment is halted, and the rate of every event that is no clock,
 * become those of the mix; length, ring and clocks stay. */
void mix_apply(struct segment *segment, enum mix mix);

#endif
