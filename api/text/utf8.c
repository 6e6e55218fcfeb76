/* utf8.c - UTF-8 taken apart into characters, counted and cut, by libunistring.
 */
#include "api/text/utf8.h"

#include <assert.h>
#include <string.h>
#include <unistr.h>

enum { ASCII = 0x80 }; /* code points below are a byte */

size_t utf8_decode(const char *text, size_t size, uint32_t *code)
{
    ucs4_t character;
    int length;

    assert(size > 0);
    if ((unsigned char)text[0] < ASCII) { /* as nearly all text is */
        *code = (unsigned char)text[0];
        return 1;
    }
    length = u8_mbtoucr(&character, (const uint8_t *)text, size);
    assert(length <= 4 && (length < 0 || (size_t)length <= size));
    *code = length > 0 ? character : UTF8_REPLACEMENT;
    return length > 0 ? (size_t)length : 1;
}

void utf8_repair(const char *text, size_t size, char *to)
{
    for (size_t at = 0; at < size;) {
        uint32_t code;
        size_t used = utf8_decode(text + at, size - at, &code);
        bool right = code != UTF8_REPLACEMENT;
        size_t length = right ? used : strlen(UTF8_REPLACEMENT_TEXT);

        assert(length <= UTF8_REPAIRED_BYTES * used); /* as `to` has room */
        memcpy(to, right ? text + at : UTF8_REPLACEMENT_TEXT, length);
        to += length;
        at += used;
    }
    *to = '\0';
}

bool utf8_is_valid(const char *text, size_t size)
{
    return u8_check((const uint8_t *)text, size) == NULL;
}

size_t utf8_characters(const char *text, size_t size)
{
    size_t characters = 0;
    uint32_t code;

    for (size_t at = 0; at < size; characters++) {
        at += utf8_decode(text + at, size - at, &code);
    }
    return characters;
}

size_t utf8_bytes(const char *text, size_t size, size_t characters)
{
    size_t at = 0;
    uint32_t code;

    for (; at < size && characters > 0; characters--) {
        at += utf8_decode(text + at, size - at, &code);
    }
    return at;
}

size_t utf8_cut(const char *text, size_t size, size_t most)
{
    size_t at = 0, next = 0;
    uint32_t code;

    while (next <= most) {
        at = next;
        if (at == size) {
            break;
        }
        next += utf8_decode(text + at, size - at, &code);
    }
    assert(at <= size && at <= most);
    return at;
}
