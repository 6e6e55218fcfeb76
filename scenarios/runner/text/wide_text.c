/* wide_text.c - UTF-8 of scenarios made the kernel's UTF-16, and back. */
#include "scenarios/runner/text/wide_text.h"

#include <assert.h>
#include <string.h>
#include <talloc.h>
#include <unistr.h>

enum { UTF8_BYTES = 3 }; /* of a code unit, at most */

struct pcw_text wide_text(void *context, const char *utf8)
{
    size_t bytes = strlen(utf8);
    size_t length = bytes + 1; /* no byte becomes more than one code unit */
    uint16_t *at = talloc_array(context, uint16_t, (unsigned)length);
    const uint16_t *made;

    assert(at != NULL);
    made = u8_to_u16((const uint8_t *)utf8, bytes, at, &length);
    assert(made == at && "the text is right UTF-8");
    (void)made;
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
