/* planted.h - one run of an instance in which chosen calls fail, each the first
 * time that it comes, and a note of all that could have. Where the instance
 * runs in a process of its own, that is where it is noted down, and a driver's
 * code may have been at it since. */
#ifndef RUNNER_FAILURES_PLANTED_H
#define RUNNER_FAILURES_PLANTED_H

#include <stdint.h>
#include <stdio.h>

#include "scenarios/runner/failures/call_site.h"
#include "scenarios/runner/failures/fault_scope.h"

struct instance;
struct job;
struct session;
struct verdict;

enum { PLANTED_SITES = 8192, PLANTED_MOST = 32 };

/* What is noted of a run; shared with the process that runs it. */
struct planted_log {
    uint32_t count;
    uint32_t reached[PLANTED_MOST]; /* of those that are to fail: which site it
                                       is, from 1; 0: it has not come */
    uint64_t hash[PLANTED_SITES];   /* of each name */
    struct call_site site[PLANTED_SITES];
};

struct planted {
    struct fault_chooser chooser; /* first: the kernel knows no more */
    struct session *session;
    const struct scenario *scenario;
    struct fault_scope scope;
    struct run_words fail; /* their names */
    struct planted_log *log;
};

/* Child of `context`. NULL: the host gives no memory for it. */
struct planted *planted_new(void *context);

/* For struct job's fail, whose fail_context is a struct planted, or NULL where
 * nobody wants to know what was noted: the calls that
 * job->settings.fail names fail, and each failure says so. The verdict of a run
 * to which one of them does not come is an ERROR. Without names it is the usual
 * run. */
struct verdict *planted_run(void *context, const struct job *job,
    struct session *session, const struct instance *instance, FILE *trace);

#endif
