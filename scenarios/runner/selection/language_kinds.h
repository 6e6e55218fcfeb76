/* language_kinds.h - all kinds of steps and expectations, for who reads
 * scenarios. */
#ifndef RUNNER_SELECTION_LANGUAGE_KINDS_H
#define RUNNER_SELECTION_LANGUAGE_KINDS_H

#include "scenarios/runner/library/kinds.h"

extern const struct kinds language_kinds;

#endif
