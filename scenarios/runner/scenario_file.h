/* scenario_file.h - a file of the language: read, checked, and what it holds.
 */
#ifndef RUNNER_SCENARIO_FILE_H
#define RUNNER_SCENARIO_FILE_H

#include "scenarios/runner/requirements.h"
#include "scenarios/runner/scenario.h"

enum file_kind {
    FILE_SCENARIO,
    FILE_REQUIREMENTS,
    FILE_OTHER, /* YAML, but none of ours */
    FILE_BROKEN,
};

/* Reads a file. Every error is in `diagnostics`; *scenario is given only when
 * there is none. Memory is a child of `context`. */
enum file_kind scenario_file_read(void *context, const char *path,
    const struct requirements *requirements, struct diagnostics *diagnostics,
    struct scenario **scenario);

/* The same for a text that is already in memory. */
enum file_kind scenario_file_check(void *context, struct source *source,
    const struct requirements *requirements, struct diagnostics *diagnostics,
    struct scenario **scenario);

#endif
