/* exploring.h - which schedules of a scenario are to be tried, as it or the
 * command line says. */
#ifndef RUNNER_SCENARIO_EXPLORING_H
#define RUNNER_SCENARIO_EXPLORING_H

#include <stdbool.h>
#include <stdint.h>

#include "scenarios/runner/language/explore_mode.h"

struct exploring {
    bool asked; /* else the one usual schedule is all */
    enum explore_mode mode;
    uint32_t preemptions;   /* in one schedule at the most */
    uint64_t max_schedules; /* of random ones, how many */
    uint64_t seed;
    const char *bound;   /* why the usual schedule is the only one that is
                            right; NULL: it is not */
    const char *on_time; /* why interrupts come when they usually do; NULL: when
                            they come is a choice */
};

/* What the command line says of it, in place of what the scenario does. */
struct exploring_words {
    enum explore_mode mode; /* EXPLORE_MODE_COUNT: nothing */
    uint32_t preemptions;   /* UINT32_MAX: nothing */
    uint64_t max_schedules; /* 0: nothing */
    uint64_t seed;
    bool seeded;       /* it says a seed */
    bool step_drivers; /* each instruction of native code is a choice */
};

static const struct exploring_words exploring_words_none = {
    .mode = EXPLORE_MODE_COUNT, .preemptions = UINT32_MAX};

#define EXPLORE_PREEMPTIONS 2
#define EXPLORE_SCHEDULES 20000
#define EXPLORE_RANDOM_SCHEDULES 200

#endif
