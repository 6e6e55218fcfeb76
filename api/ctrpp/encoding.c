/* encoding.c - encodings of manifests: which one a file is in, by its mark or
 * declaration, and a text encoded in one. */
#include "api/ctrpp/encoding.h"

#include <assert.h>
#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>
#include <talloc.h>
#include <unistr.h>

static const char *const marks[] = {
    [ENCODING_UTF8] = "",
    [ENCODING_UTF8_MARK] = "\xEF\xBB\xBF",
    [ENCODING_UTF16_LITTLE] = "\xFF\xFE",
    [ENCODING_UTF16_BIG] = "\xFE\xFF",
    [ENCODING_LATIN1] = "",
    [ENCODING_OTHER] = "",
};

const char *encoding_mark(enum encoding encoding)
{
    return marks[encoding];
}

/* What a declaration may say of a file. A mark overrules it. */
static const struct {
    const char *name;
    enum encoding encoding;
    bool plain; /* it has ASCII alone */
} names[] = {
    {"utf-8", ENCODING_UTF8, false},
    {"utf8", ENCODING_UTF8, false},
    {"us-ascii", ENCODING_UTF8, true},
    {"ascii", ENCODING_UTF8, true},
    {"utf-8", ENCODING_UTF8_MARK, false},
    {"utf8", ENCODING_UTF8_MARK, false},
    {"utf-16", ENCODING_UTF16_LITTLE, false},
    {"utf-16le", ENCODING_UTF16_LITTLE, false},
    {"utf-16", ENCODING_UTF16_BIG, false},
    {"utf-16be", ENCODING_UTF16_BIG, false},
    {"iso-8859-1", ENCODING_LATIN1, false},
    {"iso-latin-1", ENCODING_LATIN1, false},
    {"latin1", ENCODING_LATIN1, false},
};

enum { NAMES = sizeof(names) / sizeof(names[0]) };

static bool is_called(const char *name, const char *at, size_t length)
{
    return strlen(name) == length && strncasecmp(name, at, length) == 0;
}

const char *encoding_declared(const char *text, size_t size, size_t *length)
{
    const char *end = size < 6 || memcmp(text, "<?xml", 5) != 0
                          ? NULL
                          : memchr(text, '>', size < 400 ? size : 400);
    const char *at = text;

    *length = 0;
    if (end == NULL) {
        return NULL;
    }
    while (at + 8 < end && memcmp(at, "encoding", 8) != 0) {
        at++;
    }
    for (at += 8; at < end && (isspace((unsigned char)*at) || *at == '=');) {
        at++;
    }
    if (at >= end || (*at != '"' && *at != '\'')) {
        return NULL;
    }
    for (at++;
         at + *length < end &&
         (isalnum((unsigned char)at[*length]) ||
             (at[*length] != '\0' && strchr("._-", at[*length]) != NULL));) {
        ++*length;
    }
    return at;
}

bool encoding_is_ascii(const char *bytes, size_t size)
{
    size_t length;
    const char *declared = encoding_declared(bytes, size, &length);
    bool ascii = false;

    for (size_t i = 0; i < NAMES && declared != NULL; i++) {
        ascii |= names[i].plain && is_called(names[i].name, declared, length);
    }
    return ascii;
}

enum encoding encoding_of(const char *bytes, size_t size)
{
    size_t length;
    const char *declared;

    for (enum encoding i = 0; i < ENCODING_OTHER; i++) {
        size_t mark = strlen(marks[i]);

        if (mark > 0 && size >= mark && memcmp(bytes, marks[i], mark) == 0) {
            return i;
        }
    }
    declared = encoding_declared(bytes, size, &length);
    if (declared == NULL || length == 0) {
        return ENCODING_UTF8;
    }
    for (size_t i = 0; i < NAMES; i++) {
        if (marks[names[i].encoding][0] == '\0' &&
            is_called(names[i].name, declared, length)) {
            return names[i].encoding;
        }
    }
    return ENCODING_OTHER;
}

static bool is_plain(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if ((unsigned char)text[i] >= 0x80) {
            return false;
        }
    }
    return true;
}

const char *encoding_usual_name(enum encoding encoding)
{
    size_t i = 0;

    assert(encoding != ENCODING_OTHER);
    while (names[i].encoding != encoding) {
        i++;
    }
    return names[i].name;
}

const char *encoding_misdeclared(const char *text, size_t length,
    enum encoding encoding, size_t *name_length)
{
    const char *at = encoding_declared(text, length, name_length);
    bool right = at == NULL || *name_length == 0;

    for (size_t i = 0; i < NAMES && !right; i++) {
        right = names[i].encoding == encoding &&
                is_called(names[i].name, at, *name_length) &&
                (!names[i].plain || is_plain(text, length));
    }
    return right ? NULL : at;
}

/* The text with a declaration that is true of the encoding. */
static char *declare(
    void *context, const char *text, size_t length, enum encoding encoding)
{
    size_t name_length;
    const char *at = encoding_misdeclared(text, length, encoding, &name_length);

    return at == NULL
               ? talloc_strndup(context, text, length)
               : talloc_asprintf(context, "%.*s%s%s", (int)(at - text), text,
                     encoding_usual_name(encoding), at + name_length);
}

static void put_unit(char *at, uint16_t unit, bool big)
{
    at[big ? 0 : 1] = (char)(unit >> 8);
    at[big ? 1 : 0] = (char)(unit & 0xFF);
}

/* Appends a character; returns how many bytes it takes. */
static size_t put(char *at, ucs4_t character, enum encoding encoding)
{
    uint16_t units[2];
    int count;

    if (encoding == ENCODING_UTF8 || encoding == ENCODING_UTF8_MARK) {
        return (size_t)u8_uctomb((uint8_t *)at, character, 4);
    }
    if (encoding == ENCODING_LATIN1) {
        assert(character <= 0xFF);
        at[0] = (char)character;
        return 1;
    }
    count = u16_uctomb(units, character, 2);
    for (int i = 0; i < count; i++) {
        put_unit(at + 2 * i, units[i], encoding == ENCODING_UTF16_BIG);
    }
    return 2 * (size_t)count;
}

char *encoding_encoded(void *context, const char *text, size_t length,
    enum encoding encoding, size_t *size)
{
    size_t mark = strlen(marks[encoding]), at = 0, rest;
    char *declared = declare(NULL, text, length, encoding);
    char *bytes;

    assert(declared != NULL && encoding != ENCODING_OTHER);
    rest = strlen(declared);
    /* No byte of UTF-8 becomes more than one unit of UTF-16. */
    bytes = talloc_array(context, char, (unsigned)(mark + 2 * rest + 1));
    assert(bytes != NULL);
    memcpy(bytes, marks[encoding], mark);
    *size = mark;
    while (rest > 0) {
        ucs4_t character;
        int taken =
            u8_mbtoucr(&character, (const uint8_t *)declared + at, rest);

        assert(taken > 0 && "the reader lets no other text through");
        *size += put(bytes + *size, character, encoding);
        at += (size_t)taken;
        rest -= (size_t)taken;
    }
    bytes[*size] = '\0';
    talloc_free(declared);
    return bytes;
}
