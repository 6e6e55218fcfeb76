/* instance_names.h - what the instances of a collection are shown as. */
#ifndef RUNNER_COUNTERS_INSTANCE_NAMES_H
#define RUNNER_COUNTERS_INSTANCE_NAMES_H

#include "scenarios/runner/counters/rows.h"

/* A name for each row, of which no two differ by case alone: the second of
 * equal names is its #1, the next #2 (PCW-CON-03), but for numbers that make a
 * name which another instance has. Child of `context`. */
const char **instance_names(void *context, const struct rows *rows);

#endif
