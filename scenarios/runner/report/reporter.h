/* reporter.h - what a run came to, for programs: the reports of --report
 * KIND=FILE. */
#ifndef RUNNER_REPORT_REPORTER_H
#define RUNNER_REPORT_REPORTER_H

#include <stdbool.h>
#include <stddef.h>

#include "scenarios/runner/report/report_totals.h"
#include "scenarios/runner/run/run.h"
#include "scenarios/runner/run/verdict.h"
#include "scenarios/runner/scenario/suite.h"

struct reporter;

/* What is about to run. The session has no machine where workers have it. */
struct report_run {
    const char *const *argv; /* the command line; NULL after the last word */
    int argc;
    size_t selected; /* results that will come when none is left out */
    const struct suite *suite;
    const struct session *session;
};

/* Opens KIND=FILE; "-" is standard output. Child of `context`. NULL and
 * *problem on error. */
struct reporter *reporter_open(
    void *context, const char *kind, const char *path, const char **problem);

/* Once, before the first result. */
void reporter_begin(struct reporter *reporter, const struct report_run *run);

/* The results, in the listed order. */
void reporter_result(struct reporter *reporter, const struct instance *instance,
    const struct verdict *verdict);

/* Closes the file. False when writing failed. */
bool reporter_end(
    struct reporter *reporter, const struct report_totals *totals);

#endif
