/* visible_text.h - text of somebody else's, such as names that a driver made,
 * as people are shown it: nothing in it moves the cursor, turns the direction
 * of what follows or cannot be seen. */
#ifndef RUNNER_TEXT_VISIBLE_TEXT_H
#define RUNNER_TEXT_VISIBLE_TEXT_H

#include <stdio.h>

/* A copy with \n, \t, \u001b or \U000e0001 for control and format characters
 * and for ends of lines, and U+FFFD for bytes that are no UTF-8; child of
 * `context`. A copy of the copy is the same. */
char *visible_text(void *context, const char *utf8);

/* Writes a message that quotes a file in that form, so that it stays one line,
 * and not more of it than helps. */
void visible_text_print(const char *message, FILE *out);

#endif
