/* checks.h - the kinds of expectations that there are: the rows of checks.def.
 */
#ifndef RUNNER_CHECKS_CHECKS_H
#define RUNNER_CHECKS_CHECKS_H

#include "scenarios/runner/scenario/check_kind.h"

extern const struct check_kinds check_kinds;

/* The code of each; some share one. */
#define CHECK(key, name, ...) extern const struct check_code check_##name;
#include "scenarios/runner/language/checks.def"

#endif
