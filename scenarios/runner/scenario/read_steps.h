/* read_steps.h - lists of steps, and what all kinds of steps have. */
#ifndef RUNNER_SCENARIO_READ_STEPS_H
#define RUNNER_SCENARIO_READ_STEPS_H

#include "scenarios/runner/scenario/reader.h"

/* A list of steps; `prefix` begins their numbers. */
void read_steps(struct reader *reader, const struct node *node,
    const char *prefix, struct step_list *steps);

#endif
