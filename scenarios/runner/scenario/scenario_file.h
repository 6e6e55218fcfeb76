/* scenario_file.h - a file of the language: read, checked, and what it holds.
 */
#ifndef RUNNER_SCENARIO_SCENARIO_FILE_H
#define RUNNER_SCENARIO_SCENARIO_FILE_H

#include "scenarios/runner/scenario/outline.h"

enum file_kind {
    FILE_SCENARIO,
    FILE_REQUIREMENTS,
    FILE_FRAGMENTS,
    FILE_DEFAULTS,
    FILE_XFAIL, /* a list for --xfail */
    FILE_OTHER, /* YAML, but none of ours */
    FILE_BROKEN,
};

/* Reads a file. Every error is in the library's diagnostics; *outline is given
 * only when there is none. Memory is a child of `context`. */
enum file_kind scenario_file_read(void *context, const char *path,
    struct library *library, struct outline **outline);

/* The same for a text that is already in memory. */
enum file_kind scenario_file_check(void *context, struct source *source,
    struct library *library, struct outline **outline);

#endif
