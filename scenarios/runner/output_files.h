/* output_files.h - files that are written together: all of them, or none. */
#ifndef RUNNER_OUTPUT_FILES_H
#define RUNNER_OUTPUT_FILES_H

#include <stdbool.h>
#include <stddef.h>

#include "scenarios/runner/exit_code.h"

struct output_file {
    const char *path;
    const char *text; /* of `length` bytes */
    size_t length;
};

/* Says on standard error which of the paths cannot be written: directories,
 * pipes, those that are the input or one another. Several may be the same
 * character device, such as /dev/null. Changes nothing. */
bool output_files_check(
    const struct output_file *file, size_t count, const char *input);

/* Writes the texts. A file that is there is replaced in one step, and keeps its
 * mode; what goes to a device goes there before. Says what is wrong on standard
 * error; then no file has changed, unless the last step itself, renaming,
 * failed.
 */
enum exit_code output_files_write(const struct output_file *file, size_t count);

#endif
