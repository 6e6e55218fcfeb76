/* manifest_text.c - the bytes of a manifest's file decoded into UTF-8, and
 * places in that. Only encodings that need no table of the host's: what a file
 * says does not depend on the machine that reads it. */
#define _POSIX_C_SOURCE 200809L
#include "api/ctrpp/manifest_text.h"

#include <assert.h>
#include <string.h>
#include <strings.h>
#include <talloc.h>
#include <unistr.h>

#include "api/ctrpp/encoding.h"
#include "api/ctrpp/limits.h"
#include "api/text/utf8.h"

enum { ENCODING_NAME = 40 };

struct manifest_place manifest_place_forward(
    struct manifest_place place, const char *text, size_t from, size_t to)
{
    const char *end;

    assert(from <= to);
    while ((end = memchr(text + from, '\n', to - from)) != NULL) {
        from = (size_t)(end - text) + 1;
        place.line++;
        place.column = 1;
    }
    place.column += (uint32_t)utf8_characters(text + from, to - from);
    place.width = 1;
    return place;
}

static const struct manifest_place first_place = {1, 1, 1};

static char *text_new(void *context, size_t size)
{
    char *text = talloc_array(context, char, (unsigned)size + 1);

    assert(text != NULL);
    text[size] = '\0';
    return text;
}

static uint16_t unit_at(const char *bytes, size_t n, bool big)
{
    unsigned char first = (unsigned char)bytes[2 * n];
    unsigned char second = (unsigned char)bytes[2 * n + 1];

    return (uint16_t)(big ? first << 8 | second : second << 8 | first);
}

/* UTF-16 behind its mark. */
static char *text_from_utf16(void *context, const char *bytes, size_t size,
    bool big, struct manifest_problems *problems, size_t *length)
{
    size_t units = size / 2;
    uint16_t *unit = talloc_array(context, uint16_t, (unsigned)units + 1);
    char *text = text_new(context, units * 3);
    const uint16_t *bad;

    assert(unit != NULL);
    for (size_t i = 0; i < units; i++) {
        unit[i] = unit_at(bytes, i, big);
    }
    bad = u16_check(unit, units);
    *length = units * 3;
    u16_to_u8(unit, bad == NULL ? units : (size_t)(bad - unit), (uint8_t *)text,
        length);
    if (bad != NULL || size % 2 != 0) {
        manifest_problem_add(problems, MANIFEST_PROBLEM_ENCODING,
            manifest_place_forward(first_place, text, 0, *length),
            bad != NULL ? "half of a pair of surrogates stands alone"
                        : "the file ends within a character of UTF-16");
        manifest_problem_hint(problems, "save the file again as UTF-16 or "
                                        "UTF-8; it may be cut off");
        text = NULL;
    } else {
        text[*length] = '\0';
    }
    talloc_free(unit);
    return text;
}

static char *text_from_latin1(
    void *context, const char *bytes, size_t size, size_t *length)
{
    char *text = text_new(context, size * 2);
    size_t at = 0;

    for (size_t i = 0; i < size; i++) {
        at +=
            (size_t)u8_uctomb((uint8_t *)text + at, (unsigned char)bytes[i], 2);
    }
    text[at] = '\0';
    *length = at;
    return text;
}

/* The bad one, of a file that declares US-ASCII: the first that is none. */
static void refuse_ascii(
    const char *bytes, size_t size, struct manifest_problems *problems)
{
    size_t at = 0;

    while (at < size && (unsigned char)bytes[at] < 0x80) {
        at++;
    }
    assert(at < size);
    manifest_problem_add(problems, MANIFEST_PROBLEM_ENCODING,
        manifest_place_forward(first_place, bytes, 0, at),
        "the byte 0x%02X there is no US-ASCII, which the XML declaration says",
        (unsigned char)bytes[at]);
    manifest_problem_hint(problems,
        "save the file as UTF-8 and write encoding=\"utf-8\", or name the "
        "encoding that it is in");
}

/* Behind its mark, if it has one. */
static char *text_from_utf8(void *context, const char *bytes, size_t size,
    size_t mark, struct manifest_problems *problems, size_t *length)
{
    const char *start = bytes + mark;
    const uint8_t *bad = u8_check((const uint8_t *)start, size - mark);
    char *text;

    if (bad != NULL && mark == 0 && encoding_is_ascii(bytes, size)) {
        refuse_ascii(bytes, size, problems);
        return NULL;
    }
    if (bad != NULL) {
        manifest_problem_add(problems, MANIFEST_PROBLEM_ENCODING,
            manifest_place_forward(
                first_place, start, 0, (size_t)(bad - (const uint8_t *)start)),
            "the byte 0x%02X there is no UTF-8", *bad);
        manifest_problem_hint(problems,
            "save the file as UTF-8, or as UTF-16 with a byte order mark");
        return NULL;
    }
    text = text_new(context, size - mark);
    memcpy(text, start, size - mark);
    *length = size - mark;
    return text;
}

/* One that is not read. */
static void refuse_other(
    const char *bytes, size_t size, struct manifest_problems *problems)
{
    size_t length;
    const char *name = encoding_declared(bytes, size, &length);
    int shown = (int)(length < ENCODING_NAME ? length : ENCODING_NAME);

    if (strncasecmp(name, "UTF-16", 6) == 0) {
        manifest_problem_add(problems, MANIFEST_PROBLEM_ENCODING, first_place,
            "the XML declaration says %.*s, but the file is not: it has no "
            "byte order mark",
            shown, name);
    } else {
        manifest_problem_add(problems, MANIFEST_PROBLEM_ENCODING, first_place,
            "the encoding '%.*s' is not read", shown, name);
    }
    manifest_problem_hint(problems,
        "save the file as UTF-8 and write encoding=\"utf-8\", or as UTF-16 "
        "with a byte order mark");
}

/* The file is read as what it is, which readers that go by the declaration may
 * do otherwise. */
static void warn_of_declaration(const char *text, size_t length,
    enum encoding encoding, struct manifest_problems *problems)
{
    size_t name_length;
    const char *name =
        encoding_misdeclared(text, length, encoding, &name_length);
    const char *usual;
    struct manifest_place place;

    if (name == NULL) {
        return;
    }
    usual = encoding_usual_name(encoding);
    place = manifest_place_forward(first_place, text, 0, (size_t)(name - text));
    place.width = (uint32_t)name_length;
    manifest_problem_add(problems, MANIFEST_PROBLEM_MISDECLARED, place,
        "the XML declaration says '%.*s', but the file is %s%s",
        (int)(name_length < ENCODING_NAME ? name_length : ENCODING_NAME), name,
        usual,
        encoding_mark(encoding)[0] == '\0' ? "" : " by its byte order mark");
    manifest_problem_hint(problems, "write encoding=\"%s\"", usual);
}

static char *decoded(void *context, const char *bytes, size_t size,
    struct manifest_problems *problems, size_t *length)
{
    enum encoding encoding = encoding_of(bytes, size);
    size_t mark = strlen(encoding_mark(encoding));

    switch (encoding) {
    case ENCODING_UTF8:
    case ENCODING_UTF8_MARK:
        return text_from_utf8(context, bytes, size, mark, problems, length);
    case ENCODING_UTF16_LITTLE:
    case ENCODING_UTF16_BIG:
        return text_from_utf16(context, bytes + mark, size - mark,
            encoding == ENCODING_UTF16_BIG, problems, length);
    case ENCODING_LATIN1:
        return text_from_latin1(context, bytes, size, length);
    case ENCODING_OTHER:
        break;
    }
    refuse_other(bytes, size, problems);
    return NULL;
}

/* XML has no NUL, and no other place looks for one. */
static bool has_nul(
    const char *text, size_t length, struct manifest_problems *problems)
{
    const char *nul = memchr(text, '\0', length);

    if (nul == NULL) {
        return false;
    }
    manifest_problem_add(problems, MANIFEST_PROBLEM_ENCODING,
        manifest_place_forward(first_place, text, 0, (size_t)(nul - text)),
        "a NUL character");
    manifest_problem_hint(problems, "save the file as UTF-8, or as UTF-16 "
                                    "with a byte order mark");
    return true;
}

char *manifest_text(void *context, const char *bytes, size_t size,
    struct manifest_problems *problems, size_t *length)
{
    char *text;

    *length = 0;
    if (size > MANIFEST_MOST_BYTES) {
        manifest_problem_add(problems, MANIFEST_PROBLEM_LIMIT, first_place,
            "the file is larger than the limit of %d bytes",
            MANIFEST_MOST_BYTES);
        manifest_problem_hint(
            problems, "%s", manifest_limit_rows[MANIFEST_LIMIT_BYTES].hint);
        return NULL;
    }
    text = decoded(context, bytes, size, problems, length);
    if (text == NULL || has_nul(text, *length, problems)) {
        return NULL;
    }
    warn_of_declaration(text, *length, encoding_of(bytes, size), problems);
    return text;
}
