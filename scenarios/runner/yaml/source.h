/* source.h - the text of one file, by line and column. */
#ifndef RUNNER_YAML_SOURCE_H
#define RUNNER_YAML_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* A place in a file: line and column count from 1, columns in characters. */
struct mark {
    size_t line, column;
};

struct source {
    const char *path; /* as it was given */
    const char *text; /* UTF-8, `length` bytes, then a NUL */
    size_t length;
    size_t *line_start; /* byte offset of each line; [line_count] is the end */
    size_t line_count;
};

/* Wraps a text that outlives the source. Memory is a child of `context`. */
struct source *source_from_text(
    void *context, const char *path, const char *text, size_t length);

/* What *problem is for a file that is larger than the limit. */
extern const char source_too_large[];

/* Opens a regular file to be read; anything else is refused without being
 * waited for. NULL: *problem says why not. */
FILE *source_open(const char *path, const char **problem);

/* Reads a regular file; anything else is refused without being waited for.
 * NULL when it cannot be read or is larger than `limit` bytes; then *problem
 * says why. */
struct source *source_from_file(
    void *context, const char *path, size_t limit, const char **problem);

/* Reads an open file to its end; `path` is what to call it. As above. */
struct source *source_from_stream(void *context, const char *path, FILE *file,
    size_t limit, const char **problem);

/* One line without its end; *length in bytes. */
const char *source_line(
    const struct source *source, size_t line, size_t *length);

/* The place of a byte. */
struct mark source_mark(const struct source *source, size_t offset);

/* The byte at a place; where the file has no such place, that of the end of
 * the line or of the file. */
size_t source_offset(const struct source *source, struct mark mark);

#endif
