/* shell_word.c - a text as one word of a command that a shell reads. */
#include "scenarios/runner/text/shell_word.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "api/text/character.h"
#include "api/text/utf8.h"

/* The bytes of the character at `text` that are escaped; 0: it can be shown,
 * and *length says how long it is. */
static bool is_hidden(const char *text, size_t left, size_t *length)
{
    uint32_t code;

    *length = utf8_decode(text, left, &code);
    return character_is_hidden(code) ||
           (code == UTF8_REPLACEMENT && *length == 1);
}

static bool has_hidden(const char *text)
{
    size_t left = strlen(text), length;
    bool hidden = strstr(text, "##[") != NULL; /* a command to logs */

    for (; left > 0 && !hidden; text += length, left -= length) {
        hidden = is_hidden(text, left, &length);
    }
    return hidden;
}

/* Three digits of octal end by themselves; those of hexadecimal do not. */
static void print_escaped(const char *text, FILE *out)
{
    const char *start = text;
    size_t left = strlen(text), length;

    fputs("$'", out);
    for (; left > 0; text += length, left -= length) {
        bool hidden = is_hidden(text, left, &length) ||
                      (text > start && strncmp(text - 1, "##[", 3) == 0);

        for (size_t i = 0; i < length; i++) {
            unsigned char byte = (unsigned char)text[i];

            fprintf(out,
                hidden                         ? "\\%03o"
                : byte == '\'' || byte == '\\' ? "\\%c"
                                               : "%c",
                byte);
        }
    }
    fputc('\'', out);
}

void shell_word_print_quoted(const char *text, FILE *out)
{
    if (has_hidden(text)) {
        print_escaped(text, out);
        return;
    }
    fputc('\'', out);
    for (const char *c = text; *c != '\0'; c++) {
        if (*c == '\'') {
            fputs("'\\''", out);
        } else {
            fputc(*c, out);
        }
    }
    fputc('\'', out);
}

void shell_word_print(const char *text, FILE *out)
{
    const char *plain = "abcdefghijklmnopqrstuvwxyz"
                        "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-+,";

    if (text[0] != '\0' && strspn(text, plain) == strlen(text)) {
        fputs(text, out);
    } else {
        shell_word_print_quoted(text, out);
    }
}
