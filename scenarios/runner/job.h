/* job.h - one instance, run as the command line asks: here or in a process of
 * its own, once or twice. */
#ifndef RUNNER_JOB_H
#define RUNNER_JOB_H

#include <stdio.h>

#include "scenarios/runner/options.h"
#include "scenarios/runner/run.h"

/* What all instances of a run share besides. */
struct job {
    const struct options *options;
    struct driver_files *drivers;
    const struct requirements *requirements;
};

/* Makes the session that jobs run in. False: the host gives no address space.
 */
bool job_open_session(const struct job *job, struct session *session);

/* The verdict is a child of `context`. The trace's text goes to `trace`; NULL:
 * not wanted. */
struct verdict *job_run(void *context, const struct job *job,
    struct session *session, const struct instance *instance, FILE *trace);

#endif
