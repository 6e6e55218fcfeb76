/* output_files.h - files that are written together: all of them, or none. */
#ifndef RUNNER_COMMANDS_CTRPP_OUTPUT_FILES_H
#define RUNNER_COMMANDS_CTRPP_OUTPUT_FILES_H

#include <stdbool.h>
#include <stddef.h>

#include "scenarios/runner/run/exit_code.h"

struct output_file {
    const char *path;
    const char *text; /* of `length` bytes */
    size_t length;
};

/* Says on standard error which of the paths cannot be written. EXIT_USAGE: one
 * is empty, the input or another one; several may be the same character device,
 * such as /dev/null. Else EXIT_INTERNAL: one is a directory or a pipe, is
 * write-protected, or its directory is not there or takes no new file; else
 * EXIT_OK. Changes nothing. */
enum exit_code output_files_check(
    const struct output_file *file, size_t count, const char *input);

/* Writes the texts. A file that is there is replaced in one step, and keeps its
 * mode; what goes to a device goes there before. Says what is wrong on standard
 * error; then no file has changed, unless the last step itself, renaming,
 * failed.
 */
enum exit_code output_files_write(const struct output_file *file, size_t count);

#endif
