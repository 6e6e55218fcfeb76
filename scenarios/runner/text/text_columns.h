/* text_columns.h - lines of cells that stand below each other on a terminal,
 * numbers at the right of their column. Knows nothing of what they say. */
#ifndef RUNNER_TEXT_TEXT_COLUMNS_H
#define RUNNER_TEXT_TEXT_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct text_column {
    const char *head;
    bool number;  /* at the right */
    size_t width; /* of its widest cell so far, in columns of a terminal */
};

/* Makes each column at least as wide as that line's cell, `count` of them. */
void text_columns_widen(
    struct text_column *column, size_t count, const char *const *cell);

/* Prints a line, without spaces at its end. */
void text_columns_print(const struct text_column *column, size_t count,
    const char *const *cell, FILE *out);

/* The line of heads; widens the columns for it, before anything is printed. */
void text_columns_widen_heads(struct text_column *column, size_t count);
void text_columns_print_heads(
    const struct text_column *column, size_t count, FILE *out);

#endif
