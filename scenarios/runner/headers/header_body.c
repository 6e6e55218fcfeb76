/* header_body.c - the text of one structure of a C header, field by field, as a
 * scenario's `structures` has it. */
#include "scenarios/runner/headers/header_body.h"

#include <assert.h>
#include <inttypes.h>

static uint64_t least(uint64_t one, uint64_t other)
{
    return one < other ? one : other;
}

static uint64_t most(uint64_t one, uint64_t other)
{
    return one > other ? one : other;
}

static void note(struct header_body *body, uint64_t end, uint64_t alignment)
{
    body->end = most(body->end, end);
    body->natural = most(body->natural, alignment);
    body->alignment = most(body->alignment, least(alignment, body->pack));
}

static void begin(FILE *out, size_t *count, const char *name)
{
    fprintf(out, "%s%s: ", *count == 0 ? "" : ", ", name);
    (*count)++;
}

void header_body_add(struct header_body *body, const char *name,
    const char *type, const struct header_type *element, uint64_t count,
    uint64_t at)
{
    uint64_t alignment = least(element->alignment, body->pack);
    bool is_next = at == (body->end + alignment - 1) / alignment * alignment;

    begin(body->fields, &body->count, name);
    if (is_next && count == 0) {
        fputs(type, body->fields);
    } else {
        fprintf(body->fields, "{type: %s", type);
        if (count > 0) {
            fprintf(body->fields, ", count: %" PRIu64, count);
        }
        if (!is_next) {
            fprintf(body->fields, ", at: %" PRIu64, at);
        }
        fputc('}', body->fields);
    }
    note(body, at + element->size * (count == 0 ? 1 : count),
        element->alignment);
}

void header_body_add_bits(
    struct header_body *body, const char *name, uint64_t bit, uint64_t bits)
{
    static const struct {
        uint64_t size;
        const char *type;
    } units[] = {{1, "UCHAR"}, {2, "USHORT"}, {4, "ULONG"}, {8, "ULONG64"}};
    uint64_t bytes = (bit % 8 + bits + 7) / 8;

    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
        uint64_t size = units[i].size;

        if (size >= bytes && size <= body->size) {
            uint64_t at = least(bit / 8, body->size - size);

            begin(body->fields, &body->count, name);
            fprintf(body->fields,
                "{type: %s, at: %" PRIu64 ", bit: %" PRIu64 ", bits: %" PRIu64
                "}",
                units[i].type, at, bit - at * 8, bits);
            note(body, at + size, size);
            return;
        }
    }
    header_body_leave_out(body, name, "bits of more than 8 bytes");
}

void header_body_leave_out(
    struct header_body *body, const char *name, const char *reason)
{
    begin(body->left_out, &body->left, name);
    fputs(reason, body->left_out);
}
