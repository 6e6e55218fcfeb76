/* random_schedule.h - who goes on is chosen by a seed, at every choice or by
 * priorities that change at a few of them. */
#ifndef RUNNER_EXPLORE_RANDOM_SCHEDULE_H
#define RUNNER_EXPLORE_RANDOM_SCHEDULE_H

#include <stdint.h>

#include "scenarios/runner/language/explore_mode.h"
#include "sim/base/splitmix.h"
#include "sim/machine/schedule.h"

enum { RANDOM_CHANGES = 64 };

struct tried;

struct random_schedule {
    struct splitmix stream;
    uint64_t priority[SCHEDULE_CHOICES]; /* the highest goes on; 0: none yet */
    uint64_t lowest;                     /* that was given at a change */
    uint32_t change[RANDOM_CHANGES];     /* numbers of choices */
    uint32_t changes;
};

/* Makes the n-th schedule of a seed what the run's choices are. `choices` is
 * about how many there are. The record lasts as long as the run. */
void random_schedule_begin(struct random_schedule *schedule,
    struct tried *tried, enum explore_mode mode, uint64_t seed, uint64_t n,
    uint32_t preemptions, uint32_t choices);

#endif
