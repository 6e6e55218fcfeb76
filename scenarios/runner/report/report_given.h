/* report_given.h - where an expected value comes from, when it does not stand
 * where it is expected. */
#ifndef RUNNER_REPORT_REPORT_GIVEN_H
#define RUNNER_REPORT_REPORT_GIVEN_H

#include <stdio.h>

#include "scenarios/runner/scenario/outline.h"

/* A line "= $want: STATUS_SUCCESS, cases line 6" for each of the first four
 * names that stand at the place. */
void report_given(
    const struct outline *outline, const struct node *place, FILE *out);

#endif
