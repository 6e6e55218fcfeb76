/* schedule_progress.h - how many schedules were tried, by whichever process,
 * and how many are known to be left, while a run goes on: for people who watch.
 */
#ifndef RUNNER_RUN_SCHEDULE_PROGRESS_H
#define RUNNER_RUN_SCHEDULE_PROGRESS_H

#include <stdint.h>

/* In memory that processes share. Everyone adds to it. */
struct schedule_progress {
    uint64_t tried;
    uint64_t left;
};

/* In memory that children share with this process. NULL: the host gives none,
 * and nobody watches. */
struct schedule_progress *schedule_progress_new(void);
void schedule_progress_free(struct schedule_progress *progress);

/* A run begins, and nobody adds to it. Nothing where it is NULL. */
void schedule_progress_restart(struct schedule_progress *progress);

/* One more was tried, and of the same instance so many are left: `before` is
 * what was said the last time, and is updated. Nothing where `progress` is
 * NULL. */
void schedule_progress_tried(
    struct schedule_progress *progress, uint64_t *before, uint64_t left);

/* The instance is done. */
void schedule_progress_end(
    struct schedule_progress *progress, uint64_t *before);

struct schedule_progress schedule_progress_now(
    const struct schedule_progress *progress);

#endif
