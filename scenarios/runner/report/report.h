/* report.h - verdicts as text for people. */
#ifndef RUNNER_REPORT_REPORT_H
#define RUNNER_REPORT_REPORT_H

#include <stdio.h>

#include "scenarios/runner/run/run.h"

/* The name of a result: PASS, FAIL, ... */
const char *report_result_name(enum result result);

/* Every failure of an instance: the GNU-style line, the source line with the
 * caret, the call, the requirements and the command that repeats it. */
void report_failures(const struct session *session,
    const struct instance *instance, const struct verdict *verdict, FILE *out);

/* The instance's trace, a line a record, under a head with its id. */
void report_trace(
    const struct instance *instance, const struct trace *trace, FILE *out);

#endif
