/* requirements_table.h - the entries of scenarios/requirements/ as the build
 * put them into the program, so that it needs no files of its own and loses no
 * time over YAML when it starts. Nor over addresses: a table of entries, with
 * a pointer to each of their texts, would be 50 pages for the loader to write,
 * at every start, of which a scenario needs one entry or two. */
#ifndef RUNNER_LANGUAGE_REQUIREMENTS_TABLE_H
#define RUNNER_LANGUAGE_REQUIREMENTS_TABLE_H

#include <stddef.h>

#include "scenarios/runner/language/requirements.h"

extern const char requirements_ids[][REQUIREMENT_ID_BYTES]; /* in order */
extern const size_t requirements_table_count;

/* Makes the entry whose id has that number, below the count. */
void requirements_table_make(size_t number, struct requirement *one);

#endif
