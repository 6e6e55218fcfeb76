/* text_columns.c - lines of cells that stand below each other on a terminal,
 * numbers at the right of their column. */
#include "scenarios/runner/text/text_columns.h"

#include <assert.h>
#include <string.h>

#include "scenarios/runner/text/text_width.h"

enum { GAP = 2, LINE_BYTES = 512 };

/* A line on its way: what a stream costs is once for all of its cells. */
struct line {
    FILE *out;
    size_t used;
    char bytes[LINE_BYTES];
};

static size_t width_of(const char *text)
{
    size_t length = strlen(text);

    return text_width_columns(text, length, length);
}

static void widen(struct text_column *column, const char *text)
{
    size_t width = width_of(text);

    column->width = width > column->width ? width : column->width;
}

void text_columns_widen(
    struct text_column *column, size_t count, const char *const *cell)
{
    for (size_t i = 0; i < count; i++) {
        widen(&column[i], cell[i]);
    }
}

void text_columns_widen_heads(struct text_column *column, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        widen(&column[i], column[i].head);
    }
}

static void flush(struct line *line)
{
    fwrite(line->bytes, 1, line->used, line->out);
    line->used = 0;
}

static void add_spaces(struct line *line, size_t count)
{
    for (; count > 0; count--) {
        if (line->used == LINE_BYTES) {
            flush(line);
        }
        line->bytes[line->used++] = ' ';
    }
}

static void add_text(struct line *line, const char *text)
{
    size_t length = strlen(text);

    if (text_width_is_plain(text, length) && length <= LINE_BYTES) {
        if (length > LINE_BYTES - line->used) {
            flush(line);
        }
        memcpy(line->bytes + line->used, text, length);
        line->used += length;
    } else {
        flush(line);
        text_width_print(text, length, line->out);
    }
}

/* Prints a cell. *due is how many spaces come before the next one that has
 * something to say. */
static void print_cell(const struct text_column *column, const char *text,
    size_t *due, struct line *line)
{
    size_t width = width_of(text), left = column->width - width;

    assert(width <= column->width);
    if (text[0] != '\0') {
        add_spaces(line, *due + (column->number ? left : 0));
        add_text(line, text);
        *due = column->number ? 0 : left;
    } else {
        *due += column->width;
    }
    *due += GAP;
}

void text_columns_print(const struct text_column *column, size_t count,
    const char *const *cell, FILE *out)
{
    struct line line = {.out = out};
    size_t due = 0;

    for (size_t i = 0; i < count; i++) {
        print_cell(&column[i], cell[i], &due, &line);
    }
    flush(&line);
    fputc('\n', out);
}

void text_columns_print_heads(
    const struct text_column *column, size_t count, FILE *out)
{
    struct line line = {.out = out};
    size_t due = 0;

    for (size_t i = 0; i < count; i++) {
        print_cell(&column[i], column[i].head, &due, &line);
    }
    flush(&line);
    fputc('\n', out);
}
