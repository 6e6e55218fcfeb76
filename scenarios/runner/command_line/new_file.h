/* new_file.h - texts that commands make: to standard output, or to a file that
 * is not there yet. */
#ifndef RUNNER_COMMAND_LINE_NEW_FILE_H
#define RUNNER_COMMAND_LINE_NEW_FILE_H

#include "scenarios/runner/run/exit_code.h"
#include "scenarios/runner/yaml/diagnostics.h"

/* The text of a scenario as fmt lays it out, child of `context`; itself where
 * it is no YAML, which is reported. */
const char *new_file_lay_out(
    void *context, const char *text, struct diagnostics *diagnostics);

/* `path` NULL is standard output. Says what is wrong on standard error. */
enum exit_code new_file_write(const char *path, const char *text);

#endif
