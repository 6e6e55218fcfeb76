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

/* A cell's text, looked at once. */
struct measured {
    const char *text;
    size_t length, width;
    bool plain; /* printed as it is: a column for each byte */
};

static struct measured measure(const char *text)
{
    size_t length = strlen(text);
    bool plain = text_width_is_plain(text, length);

    return (struct measured){text, length,
        plain ? length : text_width_columns(text, length, length), plain};
}

static void widen(struct text_column *column, const char *text)
{
    size_t width = measure(text).width;

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
    while (count > 0) {
        size_t room = LINE_BYTES - line->used;
        size_t next = count < room ? count : room;

        memset(line->bytes + line->used, ' ', next);
        line->used += next;
        count -= next;
        if (line->used == LINE_BYTES) {
            flush(line);
        }
    }
}

static void add_text(struct line *line, const struct measured *cell)
{
    if (cell->plain && cell->length <= LINE_BYTES) {
        if (cell->length > LINE_BYTES - line->used) {
            flush(line);
        }
        memcpy(line->bytes + line->used, cell->text, cell->length);
        line->used += cell->length;
    } else {
        flush(line);
        text_width_print(cell->text, cell->length, line->out);
    }
}

/* Prints a cell. *due is how many spaces come before the next one that has
 * something to say. */
static void print_cell(const struct text_column *column, const char *text,
    size_t *due, struct line *line)
{
    struct measured cell = measure(text);
    size_t left = column->width - cell.width;

    assert(cell.width <= column->width);
    if (cell.length > 0) {
        add_spaces(line, *due + (column->number ? left : 0));
        add_text(line, &cell);
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
