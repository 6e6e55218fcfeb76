/* visible_text.h - text of somebody else's, such as names that a driver made,
 * as people are shown it: nothing in it moves the cursor, turns the direction
 * of what follows or cannot be seen; and nothing is a command to the log of
 * GitHub's workflows, which takes a line that begins with :: for one, and ##[
 * anywhere. */
#ifndef RUNNER_TEXT_VISIBLE_TEXT_H
#define RUNNER_TEXT_VISIBLE_TEXT_H

#include <stddef.h>
#include <stdio.h>

/* A copy with \n, \t, \u001b or \U000e0001 for control and format characters
 * and for ends of lines, U+FFFD for bytes that are no UTF-8, and \u003a: and
 * #\u0023[ for commands; child of `context`. A copy of the copy is the same. */
char *visible_text(void *context, const char *utf8);

/* The text itself where there is nothing to be escaped, else such a copy. */
const char *visible_text_of(void *context, const char *utf8);

/* The same for a name that is printed at once, as of a file: one that has
 * nothing to be escaped itself, of others a copy that lasts for the next 15. */
const char *visible_name(const char *utf8);

/* Writes a text of whole lines, each in that form. */
void visible_text_lines(const char *text, size_t length, FILE *out);

/* Writes a message that quotes a file in that form, so that it stays one line,
 * and not more of it than helps. */
void visible_text_print(const char *message, FILE *out);

#endif
