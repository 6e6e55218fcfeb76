/* steps.h - the kinds of steps that there are: the rows of steps.def. */
#ifndef RUNNER_STEPS_STEPS_H
#define RUNNER_STEPS_STEPS_H

#include "scenarios/runner/scenario/step_kind.h"

extern const struct step_kinds step_kinds;

/* The code of each. */
#define STEP(name, ...) extern const struct step_code step_##name;
#include "scenarios/runner/language/steps.def"

#endif
