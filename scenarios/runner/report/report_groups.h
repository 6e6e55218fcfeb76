/* report_groups.h - the failures of a run as people are shown them: those that
 * are the same in several instances of a scenario once, then a table of the
 * requirements that failed. Reports for other programs have each instance. */
#ifndef RUNNER_REPORT_REPORT_GROUPS_H
#define RUNNER_REPORT_REPORT_GROUPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct instance;
struct verdict;
struct report_groups;

/* Of one run, child of `context`. */
struct report_groups *report_groups_new(void *context);

/* Notes the verdict's n-th failure. Returns whether it is the first of its
 * kind: no other instance of the scenario failed at this place, in this step,
 * with this result and message. */
bool report_groups_add(struct report_groups *groups,
    const struct instance *instance, const struct verdict *verdict, size_t n);

/* Notes the requirements that failed in an instance. */
void report_groups_cite(
    struct report_groups *groups, const struct verdict *verdict);

/* Prints a line for each failure that several instances had, and the table if
 * more than one instance failed by what it cites. */
void report_groups_print(const struct report_groups *groups, FILE *out);

#endif
