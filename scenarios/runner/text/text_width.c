/* text_width.c - wcwidth() wants a locale, so it is asked in C.UTF-8's. */
#include "scenarios/runner/text/text_width.h"

#include <assert.h>
#include <locale.h>
#include <stdbool.h>
#include <string.h>
#include <talloc.h>
#include <wchar.h>

#include "scenarios/runner/text/visible_text.h"

enum { MESSAGE_CHARACTERS = 400 };

/* The next character of the text, *used bytes long; a byte that is no UTF-8
 * counts as a character. */
static wchar_t next_character(const char *at, size_t left, size_t *used)
{
    mbstate_t state = {0};
    wchar_t character = L'?';
    size_t length = mbrtowc(&character, at, left, &state);

    if (length == 0 || length > left) {
        *used = 1;
        return L'?';
    }
    *used = length;
    return character;
}

static size_t measure(
    const char *line, size_t length, size_t first, size_t count)
{
    size_t at = 0, character = 0, columns = 0;
    locale_t utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    locale_t old = uselocale(utf8);

    while (at < length && character < first + count) {
        size_t used;
        int width = wcwidth(next_character(line + at, length - at, &used));

        if (character >= first) {
            columns += width < 0 ? 1 : (size_t)width;
        }
        at += used;
        character++;
    }
    uselocale(old);
    if (utf8 != (locale_t)0) {
        freelocale(utf8);
    }
    return columns;
}

size_t text_width_columns(const char *line, size_t length, size_t characters)
{
    return measure(line, length, 0, characters);
}

size_t text_width_range(
    const char *line, size_t length, size_t first, size_t count)
{
    size_t columns = measure(line, length, first, count);

    return columns == 0 ? 1 : columns;
}

size_t text_width_bytes(const char *line, size_t length, size_t characters)
{
    size_t at = 0;

    for (; at < length; at++) {
        /* Continuation bytes of UTF-8 are no characters of their own. */
        bool starts = ((unsigned char)line[at] & 0xC0) != 0x80;

        if (starts && characters-- == 0) {
            break;
        }
    }
    return at;
}

/* C1, which UTF-8 writes as C2 80 to 9F, moves cursors as well as C0 does. */
static bool is_control(const char *at, size_t left, size_t *used)
{
    unsigned char byte = (unsigned char)at[0];

    *used = 1;
    if (byte == 0xC2 && left > 1 && (unsigned char)at[1] < 0xA0) {
        *used = 2;
        return true;
    }
    return byte < 0x20 || byte == 0x7F;
}

void text_width_print(const char *line, size_t length, FILE *out)
{
    size_t used;

    for (size_t at = 0; at < length; at += used) {
        fputc(is_control(line + at, length - at, &used) ? ' ' : line[at], out);
    }
}

void text_width_print_message(const char *text, FILE *out)
{
    size_t length = strlen(text);
    size_t shown = text_width_bytes(text, length, MESSAGE_CHARACTERS);
    char *cut = talloc_strndup(NULL, text, shown);
    char *visible;

    assert(cut != NULL);
    visible = visible_text(cut, cut);
    fprintf(out, "%s%s", visible, shown < length ? "..." : "");
    talloc_free(cut);
}
