/* source.c - the text of a file, read into memory, by line and column. */
#include "scenarios/runner/yaml/source.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <talloc.h>
#include <unistd.h>

#include "api/text/utf8.h"

const char source_too_large[] = "is larger than the limit of 1 MiB";

static void source_find_lines(struct source *source)
{
    size_t lines = 1;

    for (size_t i = 0; i < source->length; i++) {
        lines += source->text[i] == '\n';
    }
    source->line_start = talloc_array(source, size_t, (unsigned)lines + 1);
    assert(source->line_start != NULL);
    source->line_count = lines;
    source->line_start[0] = 0;
    lines = 1;
    for (size_t i = 0; i < source->length; i++) {
        if (source->text[i] == '\n') {
            source->line_start[lines++] = i + 1;
        }
    }
    source->line_start[lines] = source->length + 1;
}

struct source *source_from_text(
    void *context, const char *path, const char *text, size_t length)
{
    struct source *source = talloc_zero(context, struct source);

    assert(source != NULL);
    source->path = talloc_strdup(source, path);
    source->text = text;
    source->length = length;
    source_find_lines(source);
    return source;
}

/* How much a read asks for: a byte more than the file has, if it is one, so
 * that one read sees its end. */
static size_t first_room(FILE *file, size_t limit)
{
    struct stat status;

    if (fstat(fileno(file), &status) != 0 || !S_ISREG(status.st_mode) ||
        status.st_size < 0 || (uint64_t)status.st_size > limit) {
        return limit + 1;
    }
    return (size_t)status.st_size + 1;
}

/* Reads all of an open file, at most `limit` bytes. */
static char *source_read(void *context, FILE *file, size_t limit,
    size_t *length, const char **problem)
{
    size_t room = first_room(file, limit);
    char *text = talloc_array(context, char, (unsigned)room + 1);

    assert(text != NULL);
    *length = fread(text, 1, room, file);
    if (*length == room && room <= limit) { /* it has grown */
        text = talloc_realloc(context, text, char, (unsigned)limit + 2);
        assert(text != NULL);
        *length += fread(text + room, 1, limit + 1 - room, file);
    }
    if (ferror(file)) {
        *problem = strerror(errno);
        return NULL;
    }
    if (*length > limit) {
        *problem = source_too_large;
        return NULL;
    }
    text[*length] = '\0';
    return talloc_realloc(context, text, char, (unsigned)*length + 1);
}

struct source *source_from_stream(void *context, const char *path, FILE *file,
    size_t limit, const char **problem)
{
    size_t length;
    char *text = source_read(context, file, limit, &length, problem);

    return text == NULL ? NULL : source_from_text(context, path, text, length);
}

/* It is looked at before, because opening a device can do something, and after,
 * because it may have been replaced. */
FILE *source_open(const char *path, const char **problem)
{
    struct stat status;
    FILE *file = NULL;
    int opened;

    if (stat(path, &status) != 0) {
        *problem = strerror(errno);
        return NULL;
    }
    if (!S_ISREG(status.st_mode)) {
        *problem = "is not a regular file";
        return NULL;
    }
    opened = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    if (opened >= 0 && fstat(opened, &status) == 0 && S_ISREG(status.st_mode)) {
        file = fdopen(opened, "rb");
    }
    if (file == NULL) {
        *problem = opened < 0 ? strerror(errno) : "is not a regular file";
        if (opened >= 0) {
            close(opened);
        }
    }
    return file;
}

struct source *source_from_file(
    void *context, const char *path, size_t limit, const char **problem)
{
    FILE *file = source_open(path, problem);
    struct source *source;

    if (file == NULL) {
        return NULL;
    }
    source = source_from_stream(context, path, file, limit, problem);
    fclose(file);
    return source;
}

const char *source_line(
    const struct source *source, size_t line, size_t *length)
{
    size_t start;

    assert(line >= 1 && line <= source->line_count);
    start = source->line_start[line - 1];
    *length = source->line_start[line] - 1 - start;
    if (*length > 0 && source->text[start + *length - 1] == '\r') {
        --*length;
    }
    return source->text + start;
}

struct mark source_mark(const struct source *source, size_t offset)
{
    struct mark mark = {1, 1};
    size_t start;

    assert(offset <= source->length);
    while (mark.line < source->line_count &&
           source->line_start[mark.line] <= offset) {
        mark.line++;
    }
    start = source->line_start[mark.line - 1];
    mark.column += utf8_characters(source->text + start, offset - start);
    return mark;
}

size_t source_offset(const struct source *source, struct mark mark)
{
    size_t start, end;

    if (mark.line > source->line_count) {
        return source->length;
    }
    start = source->line_start[mark.line - 1];
    end = source->line_start[mark.line] - 1;
    return start +
           utf8_bytes(source->text + start, end - start, mark.column - 1);
}
