/* pebs.h - the DS area and the records that PEBS writes to the buffer there
 * (pmu.md 1.4). When a counter is armed is pmu.h's business. */
#ifndef SIM_PMU_PEBS_H
#define SIM_PMU_PEBS_H

#include <stdbool.h>

#include "sim/base/trace.h"
#include "sim/memory/memory.h"
#include "sim/pmu/pmu.h"

/* What a processor was doing when events came that are samples. */
struct pebs_moment {
    const struct segment *segment; /* NULL: no code that has a place */
    uint64_t from, to;             /* the cycles of it that have just passed */
    uint32_t armed;                /* slots whose next event was the sample */
};

/* Stores in guest memory the samples that pmu->sampled names, which happened
 * now, in `moment`. Below format 3 one record has the bits of all counters that
 * have overflowed and are sampling; from format 3 on each has its own, in the
 * order of their bits.
 *
 * With a record the index moves up, the overflow bits of its counters are
 * cleared, and every counter that has overflowed and is sampling is loaded with
 * its reset value. A record that does not fit is left out with all that
 * (pebs_full), and so it is where the DS area or the buffer is no memory that
 * can be written at once (pebs_lost) [C]; either counter has to overflow again.
 *
 * Returns whether to ask for a PMI: a record has brought the index to the
 * threshold, and bit 62 of the status was clear [C]. */
bool pebs_take(struct pmu *pmu, struct memory *memory,
    const struct trace_point *now, const struct pebs_moment *moment);

#endif
