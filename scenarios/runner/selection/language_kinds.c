/* language_kinds.c - all kinds of steps and expectations, for who reads
 * scenarios. */
#include "scenarios/runner/selection/language_kinds.h"

#include "scenarios/runner/checks/checks.h"
#include "scenarios/runner/library/kinds.h"
#include "scenarios/runner/steps/steps.h"

const struct kinds language_kinds = {&step_kinds, &check_kinds};
