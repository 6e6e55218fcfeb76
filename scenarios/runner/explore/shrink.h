/* shrink.h - of a schedule that fails, one with fewer switches that fails in
 * the same way. */
#ifndef RUNNER_EXPLORE_SHRINK_H
#define RUNNER_EXPLORE_SHRINK_H

#include "scenarios/runner/explore/schedule_text.h"

struct tried;
struct verdict;

/* What the failure to be kept is known by. */
struct shrink_aim {
    unsigned result;
    const void *place; /* of its first failure */
};

struct shrink_aim shrink_aim(const struct verdict *verdict);

bool shrink_is_aim(const struct shrink_aim *aim, const struct verdict *verdict);

/* The deviations are the schedule that failed, and are made fewer; child of
 * `context`. Returns how many schedules that took. */
uint64_t shrink(void *context, struct tried *tried,
    const struct shrink_aim *aim, struct deviations *deviations);

#endif
