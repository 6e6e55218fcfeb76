/* markup_text.c - text within HTML and SVG, where some characters begin
 * something else. */
#include "scenarios/runner/text/markup_text.h"

#include <stddef.h>

static const char *reference_of(char character)
{
    switch (character) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return NULL;
    }
}

void markup_text_print(const char *text, FILE *out)
{
    for (; *text != '\0'; text++) {
        const char *reference = reference_of(*text);

        if (reference != NULL) {
            fputs(reference, out);
        } else {
            fputc(*text, out);
        }
    }
}
