/* utf16_text.c - the text of an XML file as UTF-8. */
#include "api/ctrpp/utf16_text.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <talloc.h>
#include <unistr.h>

/* In the host's byte order, without the mark; NULL: it has none. */
static uint16_t *units_of(
    void *context, const char *text, size_t size, size_t *count)
{
    const uint8_t *byte = (const uint8_t *)text;
    bool little = size >= 2 && byte[0] == 0xFF && byte[1] == 0xFE;
    bool big = size >= 2 && byte[0] == 0xFE && byte[1] == 0xFF;
    uint16_t *unit;

    if (!little && !big) {
        return NULL;
    }
    *count = size / 2 - 1;
    unit = talloc_array(context, uint16_t, (unsigned)size / 2);
    assert(unit != NULL);
    for (size_t i = 0; i < *count; i++) {
        const uint8_t *at = byte + 2 * (i + 1);

        unit[i] = (uint16_t)(at[little] << 8 | at[!little]);
    }
    return unit;
}

/* The declaration's encoding, which is UTF-16, becomes the one it now has. */
static char *declare(void *context, const char *text)
{
    const char *end = strstr(text, "?>");
    const char *encoding = strstr(text, "encoding");
    const char *quote;
    size_t value;

    if (strncmp(text, "<?xml", 5) != 0 || end == NULL || encoding == NULL ||
        encoding > end) {
        return talloc_strdup(context, text);
    }
    quote = strpbrk(encoding, "\"'");
    assert(quote != NULL && quote < end);
    value = strcspn(quote + 1, "\"'");
    return talloc_asprintf(context, "%.*sUTF-8%s", (int)(quote + 1 - text),
        text, quote + 1 + value);
}

const char *utf16_text_as_utf8(void *context, const char *text, size_t *size)
{
    size_t count;
    size_t length;
    uint16_t *unit = units_of(context, text, *size, &count);
    uint8_t *made;
    char *result;

    if (unit == NULL) {
        return text;
    }
    made = u16_to_u8(unit, count, NULL, &length);
    assert(made != NULL && "the reader lets no other text through");
    result = talloc_strndup(context, (const char *)made, length);
    free(made);
    assert(result != NULL);
    result = declare(context, result);
    assert(result != NULL);
    *size = strlen(result);
    return result;
}
