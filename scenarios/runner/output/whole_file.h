/* whole_file.h - a file that is written over time, and is under its name when
 * it is whole, or what was there before still is. */
#ifndef RUNNER_OUTPUT_WHOLE_FILE_H
#define RUNNER_OUTPUT_WHOLE_FILE_H

#include <stdbool.h>
#include <stdio.h>

struct whole_file;

/* What is under the name. */
enum whole_file_place {
    WHOLE_FILE_ANY, /* nothing, or a file that is replaced */
    WHOLE_FILE_NEW, /* nothing, also at the end */
};

/* Begins a file; "-" is standard output. What is no regular file, as a device
 * or a pipe, is written as it is, and so is a file that is our own output, or
 * in a directory that takes no others. NULL with errno set. Freeing it removes
 * what is not finished. */
struct whole_file *whole_file_open(
    void *context, const char *path, enum whole_file_place place);

/* Where it is written to. */
FILE *whole_file_stream(const struct whole_file *file);

/* Writes what is buffered and puts the file under its name. False with errno
 * set: something could not be written. Of standard output it is for others to
 * say. */
bool whole_file_finish(struct whole_file *file);

#endif
