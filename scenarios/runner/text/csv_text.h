/* csv_text.h - a field of a line of comma-separated values (RFC 4180). */
#ifndef RUNNER_TEXT_CSV_TEXT_H
#define RUNNER_TEXT_CSV_TEXT_H

#include <stdio.h>

/* In quotes where a comma, a quote or the end of a line is in it. */
void csv_text_print(const char *text, FILE *out);

/* In quotes whatever it is. */
void csv_text_print_quoted(const char *text, FILE *out);

#endif
