/* requirements_table.h - the entries of scenarios/requirements/ as the build
 * put them into the program, so that it needs no files of its own and loses no
 * time over YAML when it starts. */
#ifndef RUNNER_LANGUAGE_REQUIREMENTS_TABLE_H
#define RUNNER_LANGUAGE_REQUIREMENTS_TABLE_H

#include <stddef.h>

#include "scenarios/runner/language/requirements.h"

extern const struct requirement requirements_table[]; /* in no order */
extern const size_t requirements_table_count;

/* The ids that scenarios/requirements/proofs.txt proves by scenarios, and by
 * unit tests; NULL after the last. */
extern const char *const requirements_proven[];
extern const char *const requirements_proven_by_unit[];

#endif
