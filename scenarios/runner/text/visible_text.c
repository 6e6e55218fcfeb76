/* visible_text.c - character by character. */
#include "scenarios/runner/text/visible_text.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <talloc.h>

#include "api/text/hidden_code.h"
#include "scenarios/runner/text/utf8.h"

enum {
    ESCAPE_BYTES = 12, /* \U000e0001 with its NUL */
    GROWN = 6,         /* times a byte of the text, at the most */
    BMP_MOST = 0xFFFF,
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

char *visible_text(void *context, const char *utf8)
{
    char *text =
        talloc_array(context, char, (unsigned)(GROWN * strlen(utf8)) + 1);
    size_t done = 0;

    assert(text != NULL);
    while (*utf8 != '\0') {
        uint32_t code;
        size_t length = utf8_decode(utf8, &code);
        char escaped[ESCAPE_BYTES] = UTF8_REPLACEMENT_TEXT;
        const char *shown = code == UTF8_REPLACEMENT ? escaped : utf8;

        if (code_is_hidden(code)) {
            escape(code, escaped);
            shown = escaped;
        }
        utf8 += length;
        length = shown == escaped ? strlen(escaped) : length;
        memcpy(text + done, shown, length);
        done += length;
    }
    text[done] = '\0';
    return text;
}
