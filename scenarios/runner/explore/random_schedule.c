/* random_schedule.c - schedules by a seed: each choice by itself; probabilistic
 * concurrency testing, which gives processors priorities and changes them at a
 * few places; and the one that changes at every choice. */
#include "scenarios/runner/explore/random_schedule.h"

#include <assert.h>
#include <string.h>

#include "scenarios/runner/explore/tried.h"

static uint32_t pick_any(
    struct tried *tried, const struct schedule_choice *choice)
{
    struct random_schedule *schedule = tried->context;

    return choice->candidate[splitmix_below(&schedule->stream, choice->count)];
}

/* The next one after the one that ran last, in a ring. Interrupts come at their
 * time. */
static uint32_t pick_another(
    struct tried *tried, const struct schedule_choice *choice)
{
    (void)tried;
    for (size_t i = 0; i < choice->count; i++) {
        if (choice->candidate[i] > choice->last &&
            choice->candidate[i] < LIMIT_PROCESSORS) {
            return choice->candidate[i];
        }
    }
    return choice->candidate[0];
}

/* Those that were not changed are above those that were. */
static uint64_t priority_of(
    struct random_schedule *schedule, uint32_t candidate)
{
    uint64_t *priority = &schedule->priority[candidate];

    if (*priority == 0) {
        *priority = splitmix_next(&schedule->stream) | UINT64_C(1) << 63;
    }
    return *priority;
}

static uint32_t highest(
    struct random_schedule *schedule, const struct schedule_choice *choice)
{
    uint32_t best = choice->candidate[0];

    for (size_t i = 1; i < choice->count; i++) {
        if (priority_of(schedule, choice->candidate[i]) >
            priority_of(schedule, best)) {
            best = choice->candidate[i];
        }
    }
    return best;
}

/* Who would go on is the last of all from a change on. Who asks again and again
 * lets the usual one go on, or it might for ever. */
static uint32_t pick_by_priority(
    struct tried *tried, const struct schedule_choice *choice)
{
    struct random_schedule *schedule = tried->context;
    uint32_t best = highest(schedule, choice);

    for (uint32_t i = 0; i < schedule->changes; i++) {
        if (schedule->change[i] == tried->log->count - 1) {
            schedule->priority[best] = --schedule->lowest;
            best = highest(schedule, choice);
        }
    }
    if (best == choice->last && choice->usual != choice->last) {
        schedule->priority[best] = --schedule->lowest;
        best = highest(schedule, choice);
    }
    return best;
}

void random_schedule_begin(struct random_schedule *schedule,
    struct tried *tried, enum explore_mode mode, uint64_t seed, uint64_t n,
    uint32_t preemptions, uint32_t choices)
{
    struct splitmix numbers = {seed};

    assert(preemptions <= RANDOM_CHANGES);
    memset(schedule->priority, 0, sizeof(schedule->priority));
    /* Apart from those of other schedules of the seed, and of other seeds. */
    schedule->stream.state = splitmix_next(&numbers) + n;
    schedule->stream.state = splitmix_next(&schedule->stream);
    schedule->lowest = UINT64_C(1) << 62;
    schedule->changes = mode == EXPLORE_PCT ? preemptions : 0;
    for (uint32_t i = 0; i < schedule->changes; i++) {
        schedule->change[i] = (uint32_t)splitmix_below(
            &schedule->stream, choices == 0 ? 1 : choices);
    }
    tried->context = schedule;
    tried->pick = mode == EXPLORE_PCT          ? pick_by_priority
                  : mode == EXPLORE_EACH_POINT ? pick_another
                                               : pick_any;
}
