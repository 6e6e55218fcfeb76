/* requirements_table.h - the entries of scenarios/requirements/ as the build
 * put them into the program, so that it needs no files of its own and loses no
 * time over YAML when it starts. */
#ifndef RUNNER_LANGUAGE_REQUIREMENTS_TABLE_H
#define RUNNER_LANGUAGE_REQUIREMENTS_TABLE_H

#include <stddef.h>

#include "scenarios/runner/language/requirements.h"

extern const struct requirement requirements_table[]; /* in order of ids */
extern const size_t requirements_table_count;

#endif
