/* visible_text.c - text of others with what cannot be seen, and what a log
 * takes for a command, written as escapes. */
#include "scenarios/runner/text/visible_text.h"

#include <assert.h>
#include <string.h>
#include <talloc.h>

#include "api/text/character.h"
#include "api/text/utf8.h"

enum {
    ESCAPE_BYTES = 12, /* \U000e0001 with its NUL */
    GROWN = 6,         /* times a byte of the text, at the most */
    BMP_MOST = 0xFFFF,
    MESSAGE_CHARACTERS = 400,
    NAMES_KEPT = 16,
};

static void escape(uint32_t code, char text[ESCAPE_BYTES])
{
    if (code == '\n' || code == '\t') {
        snprintf(text, ESCAPE_BYTES, code == '\n' ? "\\n" : "\\t");
    } else {
        snprintf(text, ESCAPE_BYTES, code > BMP_MOST ? "\\U%08x" : "\\u%04x",
            (unsigned)code);
    }
}

/* The sign of a command that has to be another one: the first of a line's ::,
 * the second of ##[. */
static bool begins_command(const char *start, const char *at)
{
    if (at[0] == ':') {
        return at[1] == ':' && strspn(start, " ") == (size_t)(at - start);
    }
    return at[0] == '#' && at[1] == '[' && at > start && at[-1] == '#';
}

char *visible_text(void *context, const char *utf8)
{
    const char *start = utf8;
    size_t left = strlen(utf8);
    char *text = talloc_array(context, char, (unsigned)(GROWN * left) + 1);
    size_t done = 0;

    assert(text != NULL);
    while (left > 0) {
        uint32_t code;
        size_t length = utf8_decode(utf8, left, &code);
        char escaped[ESCAPE_BYTES] = UTF8_REPLACEMENT_TEXT;
        const char *shown = code == UTF8_REPLACEMENT ? escaped : utf8;

        if (character_is_hidden(code) || begins_command(start, utf8)) {
            escape(code, escaped);
            shown = escaped;
        }
        utf8 += length;
        left -= length;
        length = shown == escaped ? strlen(escaped) : length;
        memcpy(text + done, shown, length);
        done += length;
    }
    text[done] = '\0';
    return text;
}

/* From `first` on, letters, digits and signs that nobody mistakes. */
static bool is_plain(const char *text, char first)
{
    const char *c = text;

    while (*c >= first && *c <= '~' && *c != ':' && *c != '#') {
        c++;
    }
    return *c == '\0';
}

const char *visible_text_of(void *context, const char *utf8)
{
    return is_plain(utf8, ' ') ? utf8 : visible_text(context, utf8);
}

const char *visible_name(const char *utf8)
{
    static char *kept[NAMES_KEPT];
    static size_t next;
    char **place;

    if (is_plain(utf8, '!')) {
        return utf8;
    }
    place = &kept[next++ % NAMES_KEPT];
    talloc_free(*place);
    *place = visible_text(NULL, utf8);
    return *place;
}

void visible_text_lines(const char *text, size_t length, FILE *out)
{
    while (length > 0) {
        const char *end = memchr(text, '\n', length);
        size_t line = end == NULL ? length : (size_t)(end - text);
        char *copy = talloc_strndup(NULL, text, line);
        char *visible;

        assert(copy != NULL);
        visible = visible_text(copy, copy);
        fputs(visible, out);
        fputs(end == NULL ? "" : "\n", out);
        talloc_free(copy);
        line += end != NULL;
        text += line;
        length -= line;
    }
}

void visible_text_print(const char *message, FILE *out)
{
    size_t length = strlen(message);
    size_t shown = utf8_bytes(message, length, MESSAGE_CHARACTERS);
    char *cut = talloc_strndup(NULL, message, shown);
    char *visible;

    assert(cut != NULL);
    visible = visible_text(cut, cut);
    fprintf(out, "%s%s", visible, shown < length ? "..." : "");
    talloc_free(cut);
}
