/* suite.h - the scenarios below the paths that were named: found, read,
 * checked against each other, and made into instances. */
#ifndef RUNNER_SCENARIO_SUITE_H
#define RUNNER_SCENARIO_SUITE_H

#include "scenarios/runner/scenario/instance.h"
#include "scenarios/runner/scenario/scenario_file.h"

struct key_index;
struct kinds;

struct suite {
    struct requirements *requirements;
    struct diagnostics *diagnostics; /* every error of every file */
    struct library *library;
    struct outline **scenario; /* the valid ones, by path */
    size_t scenario_count;
    struct key_index *ids; /* of the scenarios */
    const char **broken;   /* paths of files with errors */
    size_t broken_count;
    const char **other; /* YAML files in directories that are not ours */
    size_t other_count;
    size_t requirements_files; /* valid files that hold requirements */
    size_t parts_files; /* valid files of fragments, defaults, xfail lists */
    struct key_index *seen; /* devices and numbers of all files */
    struct instances *instances;
};

/* Reads every file of the paths: a file as it is named, a directory with all
 * *.yaml and *.yml files below it, in order of their paths. Child of `context`.
 */
struct suite *suite_read(void *context, const struct kinds *kinds,
    char *const *path, size_t path_count);

/* What else can be asked for. */
struct suite_way {
    const char *const *given; /* values for parameters, each NAME=VALUE */
    size_t given_count;
    unsigned threads; /* that read, at the most; 0: one */
};

/* The same in that way, by which nothing else changes. */
struct suite *suite_read_so(void *context, const struct kinds *kinds,
    char *const *path, size_t path_count, const struct suite_way *way);

#endif
