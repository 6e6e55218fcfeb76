/* code_functions.h - the functions that a run's events come from, as a file has
 * them. */
#ifndef RUNNER_STEPS_CODE_FUNCTIONS_H
#define RUNNER_STEPS_CODE_FUNCTIONS_H

#include "scenarios/runner/scenario/reader.h"
#include "sim/pmu/code.h"

/* Reads the list `functions` of a stretch of code, `node`, and returns what the
 * scenario owns; NULL when it has none, or a wrong one, which is reported. */
const struct code *code_functions_read(
    struct reader *reader, const struct node *node);

#endif
