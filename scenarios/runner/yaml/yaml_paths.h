/* yaml_paths.h - the YAML files of a directory and those below it. */
#ifndef RUNNER_YAML_YAML_PATHS_H
#define RUNNER_YAML_YAML_PATHS_H

#include <stdbool.h>
#include <stddef.h>

#include "scenarios/runner/yaml/diagnostics.h"

struct yaml_paths {
    const char **item; /* in order */
    size_t count;
};

/* Whether a file of that name is one of them. */
bool yaml_paths_is_yaml(const char *path);

/* All *.yaml and *.yml files below a directory, but those whose names begin
 * with a dot; links to directories are not followed. Child of `context`. */
struct yaml_paths *yaml_paths_below(
    void *context, const char *directory, struct diagnostics *diagnostics);

#endif
