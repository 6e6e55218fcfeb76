/* output_path.h - files that a run is told to write to. */
#ifndef RUNNER_COMMANDS_RUN_OUTPUT_PATH_H
#define RUNNER_COMMANDS_RUN_OUTPUT_PATH_H

#include <stdbool.h>

/* A scenario is written over by nobody: false after saying so of the option. */
bool output_path_may_be(const char *option, const char *path);

/* Says why, by errno. Always false. */
bool output_path_failed(const char *path);

#endif
