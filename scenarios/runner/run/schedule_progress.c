/* schedule_progress.c - numbers of schedules in memory that all processes of a
 * run share. */
#define _GNU_SOURCE
#include "scenarios/runner/run/schedule_progress.h"

#include <stddef.h>
#include <sys/mman.h>

struct schedule_progress *schedule_progress_new(void)
{
    void *shared = mmap(NULL, sizeof(struct schedule_progress),
        PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    return shared == MAP_FAILED ? NULL : shared;
}

void schedule_progress_free(struct schedule_progress *progress)
{
    if (progress != NULL) {
        munmap(progress, sizeof(*progress));
    }
}

void schedule_progress_restart(struct schedule_progress *progress)
{
    if (progress != NULL) {
        *progress = (struct schedule_progress){0};
    }
}

static void say_left(
    struct schedule_progress *progress, uint64_t *before, uint64_t left)
{
    __atomic_fetch_add(&progress->left, left - *before, __ATOMIC_RELAXED);
    *before = left;
}

void schedule_progress_tried(
    struct schedule_progress *progress, uint64_t *before, uint64_t left)
{
    if (progress != NULL) {
        __atomic_fetch_add(&progress->tried, 1, __ATOMIC_RELAXED);
        say_left(progress, before, left);
    }
}

void schedule_progress_end(struct schedule_progress *progress, uint64_t *before)
{
    if (progress != NULL) {
        say_left(progress, before, 0);
    }
}

struct schedule_progress schedule_progress_now(
    const struct schedule_progress *progress)
{
    if (progress == NULL) {
        return (struct schedule_progress){0};
    }
    return (struct schedule_progress){
        .tried = __atomic_load_n(&progress->tried, __ATOMIC_RELAXED),
        .left = __atomic_load_n(&progress->left, __ATOMIC_RELAXED),
    };
}
