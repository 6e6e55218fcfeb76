/* search.h - every schedule with so many preemptions at the most, those with
 * the fewest first, but for those that cannot come to anything else than one
 * that was tried. */
#ifndef RUNNER_EXPLORE_SEARCH_H
#define RUNNER_EXPLORE_SEARCH_H

#include <stdbool.h>
#include <stdint.h>

#include "scenarios/runner/explore/schedule_text.h"

struct tried;
struct verdict;

struct search {
    struct tried *tried;
    uint32_t preemptions;
    uint64_t max_schedules;
    bool every; /* also those that cannot differ */
    /* Those with one preemption or none are tried in every part, each of the
     * others in one of them. From 1; parts 0: all are tried here. */
    uint32_t part, parts;
    /* Told of each verdict, which is freed then. True: this is what was looked
     * for, and the search ends. */
    bool (*heard)(void *context, const struct verdict *verdict);
    void *context;
    /* What came of it. */
    uint64_t schedules; /* that were tried */
    uint64_t left;      /* that were not, for max_schedules, at the least */
    uint64_t same;      /* that were not, because one like it was */
    uint64_t shared;    /* of those that were tried: in every part */
    uint64_t coming;    /* known, and not tried so far */
};

/* Returns whether it was found; *found is the schedule then, child of
 * `context`. */
bool search_run(void *context, struct search *search, struct deviations *found);

#endif
