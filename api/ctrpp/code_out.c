/* code_out.c - the code that ctrpp generates while it is written: a text that
 * grows, and names as literals of C and of resource scripts in it.
 *
 * What a literal means must depend neither on the compiler's character set nor
 * on its trigraphs, so all that is not plain ASCII is escaped, and so is a
 * question mark after another one. */
#include "api/ctrpp/code_out.h"

#include <assert.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <talloc.h>
#include <unistr.h>

enum {
    UCN_MIN = 0xA0,   /* C has \u only from here on */
    BMP_MAX = 0xFFFF, /* above, two 16-bit characters */
    ASCII_DEL = 0x7F, /* the first that is not printable */
};

struct code_out code_out_new(void *context)
{
    struct code_out output = {.text = talloc_strdup(context, "")};

    assert(output.text != NULL);
    return output;
}

void code_out_add(struct code_out *output, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    output->text =
        talloc_vasprintf_append_buffer(output->text, format, arguments);
    va_end(arguments);
    assert(output->text != NULL);
}

void code_out_add_bytes(
    struct code_out *output, const char *bytes, size_t length)
{
    output->text = talloc_strndup_append_buffer(output->text, bytes, length);
    assert(output->text != NULL);
}

static bool is_plain(ucs4_t character, ucs4_t before)
{
    return character >= ' ' && character < ASCII_DEL && character != '"' &&
           character != '\\' && !(character == '?' && before == '?');
}

/* How one character that is not plain is written. */
typedef void add_escape(struct code_out *output, ucs4_t character);

static void add_text(
    struct code_out *output, const char *text, add_escape *escape)
{
    const uint8_t *at = (const uint8_t *)text;
    const uint8_t *end = at + strlen(text);
    ucs4_t before = 0;

    while (at < end) {
        ucs4_t character;
        int length = u8_mbtoucr(&character, at, (size_t)(end - at));

        assert(length > 0 && "the reader lets no other text through");
        if (is_plain(character, before)) {
            code_out_add_bytes(output, (const char *)at, 1);
        } else {
            escape(output, character);
        }
        before = character;
        at += length;
    }
}

/* Quotes, backslashes, question marks, and what has a universal name. Returns
 * false for others, which are control characters. */
static bool add_c_escape(struct code_out *output, ucs4_t character)
{
    if (character >= UCN_MIN) {
        code_out_add(output, character > BMP_MAX ? "\\U%08X" : "\\u%04X",
            (unsigned)character);
        return true;
    }
    if (character == '"' || character == '\\' || character == '?') {
        code_out_add(output, "\\%c", (char)character);
        return true;
    }
    return false;
}

/* Octal, because a hexadecimal escape has no end. */
static void add_wide_escape(struct code_out *output, ucs4_t character)
{
    if (!add_c_escape(output, character)) {
        code_out_add(output, "\\%03o", (unsigned)character);
    }
}

static void add_message_escape(struct code_out *output, ucs4_t character)
{
    if (!add_c_escape(output, character)) {
        code_out_add(output, " ");
    }
}

/* An escape of a resource script has four digits. */
static void add_resource_escape(struct code_out *output, ucs4_t character)
{
    if (character > BMP_MAX) {
        uint16_t pair[2];
        int count = u16_uctomb(pair, character, 2);

        assert(count == 2);
        (void)count;
        code_out_add(
            output, "\\x%04X\\x%04X", (unsigned)pair[0], (unsigned)pair[1]);
    } else if (character == '"') {
        code_out_add(output, "\"\"");
    } else if (character == '\\') {
        code_out_add(output, "\\\\");
    } else {
        code_out_add(output, "\\x%04X", (unsigned)character);
    }
}

void code_out_add_wide(struct code_out *output, const char *text)
{
    code_out_add(output, "L\"");
    add_text(output, text, add_wide_escape);
    code_out_add(output, "\"");
}

void code_out_add_message(struct code_out *output, const char *text)
{
    add_text(output, text, add_message_escape);
}

void code_out_add_resource(struct code_out *output, const char *text)
{
    code_out_add(output, "L\"");
    add_text(output, text, add_resource_escape);
    code_out_add(output, "\"");
}

/* Whether a byte of a comment may stay: not one that ends it or starts another,
 * nor a backslash, which would join lines. */
static bool is_plain_in_comment(char byte, char before)
{
    return byte >= ' ' && byte < ASCII_DEL && byte != '\\' && byte != '?' &&
           !(byte == '/' && before == '*') && !(byte == '*' && before == '/');
}

void code_out_add_comment(struct code_out *output, const char *text)
{
    char before = '\0';

    for (const char *at = text; *at != '\0'; at++) {
        if (is_plain_in_comment(*at, before)) {
            code_out_add_bytes(output, at, 1);
        } else if (((unsigned char)*at & 0xC0) != 0x80) {
            code_out_add(output, "_"); /* once for each character */
        }
        before = *at;
    }
}

void code_out_add_origin(struct code_out *output, const char *source)
{
    code_out_add(output, "/* Made by ntpmu ctrpp of \"");
    code_out_add_comment(output, source);
    code_out_add(output, "\". DO NOT EDIT:\n"
                         " * change that file, and make this one anew. */\n");
}
