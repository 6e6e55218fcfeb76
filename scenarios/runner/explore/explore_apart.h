/* explore_apart.h - an instance that runs a driver's code is explored by a
 * process of the nursery: a schedule costs a fork, and that costs what the
 * process that forks has, which there is one file and not all of them. */
#ifndef RUNNER_EXPLORE_EXPLORE_APART_H
#define RUNNER_EXPLORE_EXPLORE_APART_H

#include <stdbool.h>
#include <stdio.h>

struct instance;
struct job;
struct session;
struct verdict;

/* explore_instance() of such a process. NULL: it cannot be had; then nothing
 * has begun. */
struct verdict *explore_apart(void *context, const struct job *job,
    struct session *session, const struct instance *instance, FILE *trace);

/* What that process does; a nursery_explorer. Writes the trace's length and
 * text, and the message of verdict_pipe.h. */
void explore_for_others(const struct job *job, struct session *session,
    const struct instance *instance, bool traced, FILE *out);

#endif
