/* read_names.h - the keys of a scenario whose names its instances give values:
 * params, cases, matrix; and those that say how an instance's result counts. */
#ifndef RUNNER_SCENARIO_READ_NAMES_H
#define RUNNER_SCENARIO_READ_NAMES_H

#include "scenarios/runner/scenario/outline.h"

void read_params(struct outline *outline);
/* The value that -D or the file gives the n-th of them. */
const struct node *read_params_value(const struct outline *outline, size_t n);

void read_cases(struct outline *outline);
void read_matrix(struct outline *outline);

/* Whether skip or xfail is as it should be; reports what is not. */
bool read_verdict_key(
    const struct schema *schema, const struct node *node, enum mapping mapping);

#endif
