/* wide_text.c - character by character. */
#include "scenarios/runner/text/wide_text.h"

#include <assert.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/text/utf8.h"

enum { UTF8_BYTES = 3 }; /* of a code unit, at most */

struct pcw_text wide_text(void *context, const char *utf8)
{
    uint16_t *at = talloc_array(context, uint16_t, (unsigned)strlen(utf8) + 1);
    size_t length = 0;

    assert(at != NULL);
    while (*utf8 != '\0') {
        uint32_t code;

        utf8 += utf8_decode(utf8, &code);
        if (code > 0xFFFF) {
            at[length++] = (uint16_t)(0xD800 + ((code - 0x10000) >> 10));
            code = 0xDC00 + ((code - 0x10000) & 0x3FF);
        }
        at[length++] = (uint16_t)code;
    }
    return (struct pcw_text){at, length};
}

struct pcw_text wide_text_copy(void *context, struct pcw_text text)
{
    uint16_t *at = talloc_array(context, uint16_t, (unsigned)text.length + 1);

    assert(at != NULL);
    if (text.length > 0) {
        memcpy(at, text.at, text.length * sizeof(*at));
    }
    return (struct pcw_text){at, text.length};
}

char *wide_text_utf8(void *context, struct pcw_text text)
{
    size_t size = UTF8_BYTES * text.length + 1;
    char *utf8 = talloc_array(context, char, (unsigned)size);

    assert(utf8 != NULL);
    pcw_text_utf8(text, utf8, size);
    return utf8;
}
