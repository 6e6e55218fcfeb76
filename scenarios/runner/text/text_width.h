/* text_width.h - how wide UTF-8 text is on a terminal, whatever the locale. */
#ifndef RUNNER_TEXT_TEXT_WIDTH_H
#define RUNNER_TEXT_TEXT_WIDTH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Columns that the first `characters` characters of the line take; a control
 * character takes one, because text_width_print() makes it a space. */
size_t text_width_columns(const char *line, size_t length, size_t characters);

/* Columns of `count` characters from number `first` (from 0) on, but at least
 * one, and not past the end of the line. */
size_t text_width_range(
    const char *line, size_t length, size_t first, size_t count);

/* Whether all of it is ASCII that is written as it is, a column a byte. */
bool text_width_is_plain(const char *line, size_t length);

/* Writes the line; control characters, tabs too, as spaces. */
void text_width_print(const char *line, size_t length, FILE *out);

#endif
