/* condition.h - the command line's -e: which instances are wanted. */
#ifndef RUNNER_SCENARIO_CONDITION_H
#define RUNNER_SCENARIO_CONDITION_H

#include <stdio.h>

#include "scenarios/runner/scenario/instance.h"

struct condition;

/* What stands inside of $( ), with tag(name) besides. Every instance is asked
 * once here. One that lacks a name is not wanted, but some instance has to have
 * it. NULL after saying what is wrong on `errors`. Child of `context`. */
struct condition *condition_new(
    const struct instances *context, const char *text, FILE *errors);

bool condition_met(
    const struct condition *condition, const struct instance *instance);

#endif
