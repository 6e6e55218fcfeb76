/* report.h - verdicts as text for people. */
#ifndef RUNNER_REPORT_REPORT_H
#define RUNNER_REPORT_REPORT_H

#include <stdio.h>

#include "scenarios/runner/run/run.h"

struct verdict_missing;

/* Every failure of an instance: the GNU-style line, the source line with the
 * caret, the call, the requirements and the command that repeats it. */
void report_failures(const struct session *session,
    const struct instance *instance, const struct verdict *verdict, FILE *out);

/* The n-th of them alone. */
void report_failure(const struct session *session,
    const struct instance *instance, const struct verdict *verdict, size_t n,
    FILE *out);

/* How much of what nobody models has played no part, child of `context`; NULL:
 * all is modelled. */
const char *report_missing_text(
    void *context, const struct verdict_missing *missing);

/* The GNU-style line of it. */
void report_failure_line(const struct instance *instance,
    const struct verdict *verdict, size_t n, FILE *out);

#endif
