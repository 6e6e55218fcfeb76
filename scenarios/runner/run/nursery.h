/* nursery.h - processes that stay small, whatever this one reads, and make the
 * children that drivers' code runs in: a fork costs what the process that forks
 * has. The first is forked before anything is read. Each process that wants
 * children gets one of its own from it, which reads the scenario's file anew,
 * knows one at a time, and never runs a driver's code or a machine itself. */
#ifndef RUNNER_RUN_NURSERY_H
#define RUNNER_RUN_NURSERY_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "scenarios/runner/run/run_settings.h"

struct crash_note;
struct instance;
struct job;
struct kinds;
struct nursery;
struct schedule_progress;
struct session;

struct nursery_request {
    const struct instance *instance;
    uint64_t cpu_us; /* of the child's time */
    bool traced;
    bool explores; /* a process of ours that explores it, not a child */
    int pipe;      /* that the child writes to; stays the caller's */
};

/* What runs in a process that explores an instance, and forks its schedules'
 * children itself: it writes what comes of it. */
typedef void nursery_explorer(const struct job *job, struct session *session,
    const struct instance *instance, bool traced, FILE *out);

/* What those processes are to know of this one. */
struct nursery_home {
    const struct kinds *kinds;
    const struct run_settings *settings;
    nursery_explorer *explorer;         /* NULL: nothing is explored */
    struct schedule_progress *progress; /* shared; NULL: nobody watches */
};

/* Forks the first process. Child of `context`; freeing it ends all of them, and
 * their time counts as that of children. NULL: the host gives none, and one can
 * do without. */
struct nursery *nursery_open(void *context, const struct nursery_home *home);

/* Has a child made that runs the instance, or a process that explores it, and
 * ends with this process. False: it cannot be had here, because the host
 * refuses, the scenario is in no file, or the file has changed since it was
 * read; then nothing has begun. */
bool nursery_begin(
    struct nursery *nursery, const struct nursery_request *request);

/* What the child leaves when it fails; until the next one begins. */
struct crash_note *nursery_note(struct nursery *nursery);

/* Waits for the child to end, which `end` makes it do. Returns its status, as
 * waitpid() does. */
int nursery_bury(struct nursery *nursery, bool end);

#endif
