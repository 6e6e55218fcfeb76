/* text_columns.c - lines of cells that stand below each other on a terminal,
 * numbers at the right of their column. */
#include "scenarios/runner/text/text_columns.h"

#include <assert.h>
#include <string.h>

#include "scenarios/runner/text/text_width.h"

enum { GAP = 2 };

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

/* Prints a cell. *due is how many spaces come before the next one that has
 * something to say. */
static void print_cell(
    const struct text_column *column, const char *text, size_t *due, FILE *out)
{
    size_t left = column->width - width_of(text);

    assert(width_of(text) <= column->width);
    if (text[0] != '\0') {
        fprintf(out, "%*s", (int)(*due + (column->number ? left : 0)), "");
        text_width_print(text, strlen(text), out);
        *due = column->number ? 0 : left;
    } else {
        *due += column->width;
    }
    *due += GAP;
}

void text_columns_print(const struct text_column *column, size_t count,
    const char *const *cell, FILE *out)
{
    size_t due = 0;

    for (size_t i = 0; i < count; i++) {
        print_cell(&column[i], cell[i], &due, out);
    }
    fputc('\n', out);
}

void text_columns_print_heads(
    const struct text_column *column, size_t count, FILE *out)
{
    size_t due = 0;

    for (size_t i = 0; i < count; i++) {
        print_cell(&column[i], column[i].head, &due, out);
    }
    fputc('\n', out);
}
