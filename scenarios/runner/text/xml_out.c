/* xml_out.c - XML 1.0, sections 2.2 (characters), 2.7 (CDATA) and 3.3.3 (what
 * happens to attributes). */
#include "scenarios/runner/text/xml_out.h"

#include <stdbool.h>

#include "scenarios/runner/text/utf8.h"

static bool is_forbidden(uint32_t code)
{
    return (code < 0x20 && code != '\t' && code != '\n' && code != '\r') ||
           code == 0xFFFE || code == 0xFFFF;
}

static void put_character(
    const char *text, size_t length, uint32_t code, FILE *out)
{
    if (code == UTF8_REPLACEMENT) {
        fputs(UTF8_REPLACEMENT_TEXT, out);
    } else if (!is_forbidden(code)) {
        fwrite(text, 1, length, out);
    }
}

/* NULL: it stands for itself. A parser makes spaces of line breaks and tabs. */
static const char *entity(uint32_t code)
{
    switch (code) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\t':
        return "&#9;";
    case '\n':
        return "&#10;";
    case '\r':
        return "&#13;";
    default:
        return NULL;
    }
}

void xml_attribute(const char *name, const char *text, FILE *out)
{
    fprintf(out, " %s=\"", name);
    while (*text != '\0') {
        uint32_t code;
        size_t length = utf8_decode(text, &code);

        if (entity(code) != NULL) {
            fputs(entity(code), out);
        } else {
            put_character(text, length, code, out);
        }
        text += length;
    }
    fputc('"', out);
}

/* An end in the text is split between two sections. What is dropped must not
 * join the parts of one, so brackets are counted as they are written. */
void xml_cdata(const char *text, FILE *out)
{
    unsigned brackets = 0;

    fputs("<![CDATA[", out);
    while (*text != '\0') {
        uint32_t code;
        size_t length = utf8_decode(text, &code);

        if (code == '>' && brackets >= 2) {
            fputs("]]><![CDATA[", out);
        }
        if (!is_forbidden(code)) {
            brackets = code == ']' ? brackets + 1 : 0;
        }
        put_character(text, length, code, out);
        text += length;
    }
    fputs("]]>", out);
}
