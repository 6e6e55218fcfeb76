/* csv_text.c - fields of comma-separated values, in quotes where they have to
 * be; a quote within them stands twice. */
#include "scenarios/runner/text/csv_text.h"

#include <string.h>

void csv_text_print_quoted(const char *text, FILE *out)
{
    fputc('"', out);
    for (; *text != '\0'; text++) {
        if (*text == '"') {
            fputc('"', out);
        }
        fputc(*text, out);
    }
    fputc('"', out);
}

void csv_text_print(const char *text, FILE *out)
{
    if (strpbrk(text, "\",\r\n") == NULL) {
        fputs(text, out);
    } else {
        csv_text_print_quoted(text, out);
    }
}
