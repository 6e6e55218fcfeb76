/* markup_text.h - text within HTML and SVG, where some characters begin
 * something else. */
#ifndef RUNNER_TEXT_MARKUP_TEXT_H
#define RUNNER_TEXT_MARKUP_TEXT_H

#include <stdio.h>

/* Prints it for an element or a quoted attribute. It is UTF-8 without control
 * characters, as visible_text() gives it. */
void markup_text_print(const char *text, FILE *out);

#endif
