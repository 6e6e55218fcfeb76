/* explore.h - the schedules of an instance, as the scenario or the command line
 * asks for them, and one verdict of all. */
#ifndef RUNNER_EXPLORE_EXPLORE_H
#define RUNNER_EXPLORE_EXPLORE_H

#include <stdio.h>

struct instance;
struct job;
struct session;
struct verdict;

/* The verdict is that of the first schedule that fails, with the fewest
 * switches that it takes, else of the run by time; child of `context`. So is
 * the trace, whose text goes to `trace`; NULL: not wanted. */
struct verdict *explore_instance(void *context, const struct job *job,
    struct session *session, const struct instance *instance, FILE *trace);

#endif
