/* report_set.h - the reports of one run: every --report KIND=FILE. */
#ifndef RUNNER_REPORT_REPORT_SET_H
#define RUNNER_REPORT_REPORT_SET_H

#include "scenarios/runner/report/reporter.h"

struct report_set;

/* Opens all of them, or none: then NULL, and *problem says why. Child of
 * `context`, as the problem is. */
struct report_set *report_set_open(void *context, const char *const words[],
    size_t count, const char **problem);

/* Whether one is written to standard output, which is then its own. */
bool report_set_takes_output(const struct report_set *set);

/* As those of one reporter. */
void report_set_begin(struct report_set *set, const struct report_run *run);
void report_set_result(struct report_set *set, const struct instance *instance,
    const struct verdict *verdict);

/* Closes all of them. The path of the first that could not be written, errno
 * says why; NULL when all were. */
const char *report_set_end(
    struct report_set *set, const struct report_totals *totals);

#endif
