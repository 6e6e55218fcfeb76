/* read_content.c - bytes that a scenario writes out: each entry says where they
 * begin, and has them as digits or as text. */
#include "scenarios/runner/scenario/read_content.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/scenario/reader.h"
#include "scenarios/runner/scenario/scenario.h"

static unsigned digit_of(char c)
{
    return isdigit((unsigned char)c) ? (unsigned)(c - '0')
                                     : (unsigned)(toupper(c) - 'A') + 10;
}

/* Two digits a byte, with a space between bytes or without. */
static bool read_hex(const struct schema *schema, const struct node *node,
    uint8_t *to, size_t *size)
{
    const char *at = node->text;

    *size = 0;
    while (isxdigit((unsigned char)at[0]) && isxdigit((unsigned char)at[1])) {
        to[(*size)++] = (uint8_t)(digit_of(at[0]) << 4 | digit_of(at[1]));
        at += at[2] == ' ' && at[3] != '\0' ? 3 : 2;
    }
    if (*at == '\0' && *size > 0) {
        return true;
    }
    schema_error(schema, DIAGNOSTIC_WRONG_TYPE, node,
        "expected bytes of two hexadecimal digits each");
    diagnostics_hint(schema->diagnostics, "write them as in \"52 53 44 20\"");
    return false;
}

/* The bytes of one entry, a child of `context`; NULL after reporting why there
 * are none. */
static uint8_t *read_bytes(struct reader *reader, const struct node *entry,
    void *context, size_t *size)
{
    const struct schema *schema = &reader->scope.schema;
    const struct node *value;
    const char *text;
    uint8_t *bytes;

    if (!schema_mapping(schema, entry, MAPPING_CONTENT, entry) ||
        schema_kind(schema, entry, MAPPING_CONTENT, false) == NULL) {
        return NULL;
    }
    value = node_get(entry, "hex");
    if (value == NULL) {
        value = node_get(entry, "text");
    }
    if (!schema_text(schema, value, &text)) {
        return NULL;
    }
    *size = strlen(text);
    bytes = talloc_size(context, *size);
    assert(bytes != NULL);
    if (value == node_get(entry, "text")) {
        memcpy(bytes, text, *size);
        return bytes;
    }
    return read_hex(schema, value, bytes, size) ? bytes : NULL;
}

static bool is_given(const struct content *content, size_t at, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (content->given[at + i] != 0) {
            return true;
        }
    }
    return false;
}

static void read_entry(struct reader *reader, const struct node *entry,
    size_t first, size_t room, const char *what, struct content *content)
{
    const struct schema *schema = &reader->scope.schema;
    const struct node *at;
    uint64_t begin = 0;
    size_t size = 0;
    uint8_t *bytes = read_bytes(reader, entry, reader->scenario, &size);

    if (bytes == NULL) {
        return;
    }
    at = node_get(entry, "at");
    if (at != NULL &&
        !schema_key_number(schema, MAPPING_CONTENT, "at", at, &begin)) {
        return;
    }
    if (begin < first || begin > room || size > room - begin) {
        schema_error(schema, DIAGNOSTIC_OUT_OF_RANGE, entry,
            "%zu bytes from 0x%llX on are not in %s, which has 0x%zX to 0x%zX",
            size, (unsigned long long)begin, what, first, room - 1);
        return;
    }
    if (is_given(content, begin, size)) {
        schema_error(schema, DIAGNOSTIC_CONFLICT, entry,
            "another entry has bytes there already");
        return;
    }
    memcpy(content->bytes + begin, bytes, size);
    memset(content->given + begin, 1, size);
    content->size = content->size < begin + size ? begin + size : content->size;
}

void read_content(struct reader *reader, const struct node *list, size_t first,
    size_t room, const char *what, uint8_t rest, struct content *content)
{
    content->bytes = talloc_size(reader->scenario, room);
    content->given = talloc_zero_size(reader->scenario, room);
    content->size = 0;
    assert(content->bytes != NULL && content->given != NULL);
    memset(content->bytes, rest, room);
    if (!schema_sequence(&reader->scope.schema, list)) {
        return;
    }
    for (size_t i = 0; i < list->count; i++) {
        read_entry(reader, list->item[i], first, room, what, content);
    }
}
