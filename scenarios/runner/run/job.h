/* job.h - one instance, run as the settings ask: here or in a process of
 * its own, once or twice. */
#ifndef RUNNER_RUN_JOB_H
#define RUNNER_RUN_JOB_H

#include <stdio.h>

#include "scenarios/runner/run/run.h"
#include "scenarios/runner/run/run_settings.h"

struct driver_files;
struct instance;
struct nursery;
struct requirements;
struct schedule_progress;
struct session;
struct verdict;

/* What all instances of a run share besides. */
struct job {
    struct run_settings settings;
    struct driver_files *drivers;
    const struct requirements *requirements;
    struct nursery *nursery; /* NULL: children are forked where they are asked
                                for */
    struct schedule_progress *progress; /* NULL: nobody watches */
    /* Tries the schedules of an instance; NULL: the usual one is all. */
    struct verdict *(*explore)(void *context, const struct job *job,
        struct session *session, const struct instance *instance, FILE *trace);
    /* Runs it once while calls are made to fail, and notes which could be; in
     * place of all that. NULL: none are. */
    struct verdict *(*fail)(void *context, const struct job *job,
        struct session *session, const struct instance *instance, FILE *trace);
    void *fail_context; /* of that */
};

/* Whether several schedules of the instance are tried, or another than the
 * usual one. */
bool job_explores(const struct job *job, const struct instance *instance);

/* Runs it once, in the session's schedule, whatever else is asked. The trace's
 * text goes to `trace`; NULL: not wanted. */
struct verdict *job_run_schedule(void *context, const struct job *job,
    struct session *session, const struct instance *instance, FILE *trace);

/* Makes the session that jobs run in. False: the host gives no address space.
 */
bool job_open_session(const struct job *job, struct session *session);

/* The verdict is a child of `context`. The trace's text goes to `trace`; NULL:
 * not wanted. */
struct verdict *job_run(void *context, const struct job *job,
    struct session *session, const struct instance *instance, FILE *trace);

/* A run's verdict, and its trace as text, which free() frees. */
struct job_run {
    struct verdict *verdict;
    char *trace;
    size_t length;
};

/* RESULT_INTERNAL, child of `context`, when two runs of an instance were not
 * the same; NULL when they were. */
struct verdict *job_compare(void *context, const struct instance *instance,
    const struct job_run *first, const struct job_run *second);

#endif
