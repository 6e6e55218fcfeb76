/* played_replay.h - a run in one schedule that a test plays, in the place of
 * one that runs something. */
#ifndef TESTS_RUNNER_EXPLORE_PLAYED_REPLAY_H
#define TESTS_RUNNER_EXPLORE_PLAYED_REPLAY_H

struct deviations;
struct tried;
struct verdict;

/* What tried_replay() does; NULL: what it does otherwise. */
extern struct verdict *(*played_replay)(
    void *context, struct tried *tried, const struct deviations *deviations);

#endif
