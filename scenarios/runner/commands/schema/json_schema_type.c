/* json_schema_type.c - the JSON Schema of values and matchers of each type, as
 * value.c, value_struct.c and match.c read them; blocks are
 * json_schema_block.c's. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "scenarios/runner/commands/schema/json_schema_writer.h"
#include "scenarios/runner/language/constants.h"
#include "scenarios/runner/language/duration.h"
#include "scenarios/runner/language/value_inner.h"
#include "sim/base/bits.h"

static bool is_struct(enum nt_type type)
{
    return nt_type_row(type)->kind == NT_KIND_STRUCT;
}

/* What a value can be besides a constant's name. */
static unsigned plain_types(enum nt_type type)
{
    enum nt_kind kind = nt_type_row(type)->kind;
    unsigned types = kind == NT_KIND_CALLBACK ? 0 : JSON_INTEGER;

    if (kind == NT_KIND_BOOLEAN) {
        types |= JSON_BOOLEAN;
    }
    if (kind == NT_KIND_HANDLE || kind == NT_KIND_POINTER ||
        kind == NT_KIND_CALLBACK) {
        types |= JSON_NULL;
    }
    return types;
}

/* Words that may stand for any value, and the type's own names. */
static void write_names(
    struct schema_writer *writer, enum nt_type type, const char *const *words)
{
    bool names = nt_type_row(type)->kind != NT_KIND_BOOLEAN &&
                 constant_name(type, 0) != NULL;
    struct json_out *json = &writer->json;
    const char *name;

    if (*words == NULL && !names) {
        return;
    }
    json_out_object(json, NULL);
    json_out_array(json, "enum");
    for (; *words != NULL; words++) {
        json_out_string(json, NULL, *words);
    }
    for (size_t i = 0; names && (name = constant_name(type, i)) != NULL; i++) {
        json_out_string(json, NULL, name);
    }
    json_out_array_end(json);
    json_out_object_end(json);
}

static void write_bounds(struct json_out *json, enum nt_type type)
{
    const struct nt_type_row *row = nt_type_row(type);
    char least[24];

    if (row->kind == NT_KIND_SIGNED) {
        snprintf(least, sizeof(least), "-%" PRIu64, bit(8u * row->size - 1));
        json_out_figure(json, "minimum", least);
    } else {
        json_out_number(json, "minimum", 0);
    }
    json_out_number(json, "maximum", bits_low(8u * row->size));
}

/* The member anyOf of one value that is no structure. */
void json_schema_scalar(struct schema_writer *writer, enum nt_type type,
    const char *const *words, unsigned more)
{
    struct json_out *json = &writer->json;

    json_out_array(json, "anyOf");
    write_names(writer, type, words);
    if ((plain_types(type) | more) != 0) {
        json_schema_open(writer, NULL, plain_types(type) | more, false);
        write_bounds(json, type);
        json_out_object_end(json);
    }
    json_schema_ref(writer, NULL, "computed");
    json_out_array_end(json);
}

/* The properties of {repeat: n, item: x}. */
void json_schema_repeat(
    struct schema_writer *writer, enum type_schema of, enum nt_type type)
{
    json_schema_ref_type(writer, "repeat", SCHEMA_VALUE, NT_ULONG);
    json_schema_ref_type(writer, "item", of, type);
}

/* Their dependencies: both, and nothing else. */
void json_schema_depend_repeat(struct schema_writer *writer)
{
    static const char *const keys[][2] = {
        {"repeat", "item"}, {"item", "repeat"}};

    for (size_t i = 0; i < 2; i++) {
        json_out_object(&writer->json, keys[i][0]);
        json_out_array(&writer->json, "required");
        json_out_string(&writer->json, NULL, keys[i][1]);
        json_out_array_end(&writer->json);
        json_out_number(&writer->json, "maxProperties", 2);
        json_out_object_end(&writer->json);
    }
}

/* An array inside of a structure. */
static void write_array(struct schema_writer *writer, const char *key,
    const struct nt_member *member)
{
    struct json_out *json = &writer->json;

    json_schema_open(writer, key, JSON_ARRAY | JSON_OBJECT, true);
    json_schema_ref_type(writer, "items", SCHEMA_VALUE, member->type);
    if (member->count_member == NULL) {
        json_out_number(json, "maxItems", member->length);
    }
    json_out_object(json, "properties");
    json_schema_repeat(writer, SCHEMA_VALUE, member->type);
    json_out_object_end(json);
    json_out_bool(json, "additionalProperties", false);
    json_out_array(json, "required");
    json_out_string(json, NULL, "repeat");
    json_out_string(json, NULL, "item");
    json_out_array_end(json);
    json_out_object_end(json);
}

static void write_member(
    struct schema_writer *writer, const struct nt_member *line)
{
    bool one =
        line->pointee_count == NULL || strcmp(line->pointee_count, "one") == 0;

    if (line->length > 1 || line->count_member != NULL) {
        write_array(writer, line->name, line);
    } else if (line->pointee != NT_VOID) {
        json_schema_ref_type(writer, line->name,
            one ? SCHEMA_BLOCK : SCHEMA_BLOCK_LIST, line->pointee);
    } else {
        json_schema_ref_type(writer, line->name,
            nt_type_row(line->type)->kind == NT_KIND_POINTER ? SCHEMA_BLOCK
                                                             : SCHEMA_VALUE,
            line->type);
    }
}

/* One line, which can have lines inside. Lines are few and at most three deep,
 * as the C headers have them. */
void json_schema_lines(
    struct schema_writer *writer, const struct nt_member *first, size_t count)
{
    struct json_out *json = &writer->json;

    for (size_t i = 0; i < count; i += nt_member_step(&first[i])) {
        const struct nt_member *line = &first[i];

        if (nt_member_is_overlay(line)) {
            continue;
        }
        if (line->line == NT_LINE_MEMBER) {
            write_member(writer, line);
            continue;
        }
        json_schema_open(writer, line->name, JSON_OBJECT, true);
        json_out_object(json, "properties");
        json_schema_lines(writer, line + 1, nt_member_lines(line) - 2);
        json_out_object_end(json);
        json_out_bool(json, "additionalProperties", false);
        if (line->line == NT_LINE_UNION) {
            json_out_number(json, "minProperties", 1);
            json_out_number(json, "maxProperties", 1);
        }
        json_out_object_end(json);
    }
}

void json_schema_open_struct(struct schema_writer *writer, const char *key,
    enum nt_type type, unsigned types)
{
    bool text = value_inner_is_string(type);

    json_schema_open(
        writer, key, types | (text ? (unsigned)JSON_STRING : 0), !text);
}

static void write_value(
    struct schema_writer *writer, const char *key, enum nt_type type)
{
    static const char *const none[] = {NULL};
    const struct nt_type_row *row = nt_type_row(type);

    if (!is_struct(type)) {
        json_out_object(&writer->json, key);
        json_schema_scalar(writer, type, none, 0);
        json_out_object_end(&writer->json);
        return;
    }
    json_schema_open_struct(writer, key, type, JSON_OBJECT);
    json_out_object(&writer->json, "properties");
    json_schema_lines(writer, row->member, row->member_count);
    json_out_object_end(&writer->json);
    json_out_bool(&writer->json, "additionalProperties", false);
    json_out_object_end(&writer->json);
}

/* The properties of matchers that every value has. */
static void write_matchers(
    struct schema_writer *writer, enum type_schema of, enum nt_type type)
{
    struct json_out *json = &writer->json;

    json_schema_ref_type(writer, "not", of, type);
    json_schema_open(writer, "one_of", JSON_ARRAY, true);
    json_schema_ref_type(writer, "items", of, type);
    json_out_number(json, "minItems", 1);
    json_out_object_end(json);
}

/* What ends an object of matchers: each of these keys stands alone. */
static void end_matchers(
    struct schema_writer *writer, const char *const *alone, bool repeat)
{
    struct json_out *json = &writer->json;

    json_out_object_end(json); /* of properties */
    json_out_bool(json, "additionalProperties", false);
    json_out_object(json, "dependencies");
    for (; *alone != NULL; alone++) {
        json_schema_alone(writer, *alone, 1);
    }
    if (repeat) {
        json_schema_depend_repeat(writer);
    }
    json_out_object_end(json);
}

static void write_bits(struct schema_writer *writer, enum nt_type type)
{
    json_schema_open(writer, "bits", JSON_OBJECT, true);
    json_out_object(&writer->json, "properties");
    json_schema_ref_type(writer, "set", SCHEMA_VALUE, type);
    json_schema_ref_type(writer, "clear", SCHEMA_VALUE, type);
    json_out_object_end(&writer->json);
    json_out_bool(&writer->json, "additionalProperties", false);
    json_out_object_end(&writer->json);
}

/* What such a value is without, or a time. */
static void or_time(struct schema_writer *writer, const char *key,
    enum type_schema of, enum nt_type type)
{
    struct json_out *json = &writer->json;

    json_out_object(json, key);
    json_out_array(json, "anyOf");
    json_schema_ref_type(writer, NULL, of, type);
    json_out_object(json, NULL);
    json_out_string(json, "type", "string");
    json_out_string(json, "pattern", "^" DURATION_PATTERN "$");
    json_out_object_end(json);
    json_out_array_end(json);
    json_out_object_end(json);
}

static void match_scalar(
    struct schema_writer *writer, enum type_schema of, enum nt_type type)
{
    static const char *const alone[] = {"not", "one_of", "bits", NULL};
    static const char *const words[] = {"any", NULL};
    static const char *const out[] = {"unchanged", "any", NULL};
    static const char *const none[] = {"none", "any", NULL};
    const bool time = of == SCHEMA_MATCH_TIME;
    enum type_schema value = time ? SCHEMA_VALUE_TIME : SCHEMA_VALUE;
    struct json_out *json = &writer->json;

    json_out_object(json, "if");
    json_out_string(json, "type", "object");
    json_out_object_end(json);
    json_out_object(json, "then");
    json_out_object(json, "properties");
    write_matchers(writer, of, type);
    json_schema_ref_type(writer, "min", value, type);
    json_schema_ref_type(writer, "max", value, type);
    write_bits(writer, type);
    end_matchers(writer, alone, false);
    json_out_number(json, "minProperties", 1);
    json_out_object_end(json);
    if (time) {
        or_time(writer, "else", SCHEMA_MATCH, type);
        return;
    }
    json_out_object(json, "else");
    json_schema_scalar(writer, type,
        of == SCHEMA_MATCH_OUT    ? out
        : of == SCHEMA_MATCH_NONE ? none
                                  : words,
        0);
    json_out_object_end(json);
}

static const char *words_of(enum type_schema of)
{
    return of == SCHEMA_MATCH_OUT || of == SCHEMA_MATCH_OUT_LIST
               ? "^(\\$.*|any|unchanged)$"
               : "^(\\$.*|any)$";
}

static void match_struct(
    struct schema_writer *writer, enum type_schema of, enum nt_type type)
{
    static const char *const alone[] = {"not", "one_of", NULL};
    const struct nt_type_row *row = nt_type_row(type);
    struct json_out *json = &writer->json;

    json_schema_types(writer, "type", JSON_OBJECT | JSON_STRING);
    json_out_string(json, "pattern", words_of(of));
    json_out_object(json, "properties");
    write_matchers(writer, of, type);
    for (size_t i = 0; i < row->member_count;
         i += nt_member_step(&row->member[i])) {
        const struct nt_member *line = &row->member[i];

        if (line->line == NT_LINE_MEMBER) {
            json_schema_ref_type(writer, line->name,
                line->length > 1 ? SCHEMA_MATCH_LIST : SCHEMA_MATCH,
                line->type);
        }
    }
    end_matchers(writer, alone, false);
}

static void match_list(
    struct schema_writer *writer, enum type_schema of, enum nt_type type)
{
    static const char *const alone[] = {"not", "one_of", "len", NULL};
    enum type_schema item =
        of == SCHEMA_MATCH_OUT_LIST ? SCHEMA_MATCH_OUT : SCHEMA_MATCH;
    struct json_out *json = &writer->json;

    json_schema_types(writer, "type", JSON_OBJECT | JSON_ARRAY | JSON_STRING);
    json_out_string(json, "pattern", words_of(of));
    json_schema_ref_type(writer, "items", item, type);
    json_out_object(json, "properties");
    write_matchers(writer, of, type);
    json_schema_ref_type(writer, "len", SCHEMA_MATCH, NT_ULONG64);
    json_schema_repeat(writer, item, type);
    end_matchers(writer, alone, true);
    json_out_number(json, "minProperties", 1);
}

void json_schema_type(struct schema_writer *writer, const char *key,
    enum type_schema of, enum nt_type type)
{
    switch (of) {
    case SCHEMA_VALUE:
        write_value(writer, key, type);
        return;
    case SCHEMA_VALUE_TIME:
        or_time(writer, key, SCHEMA_VALUE, type);
        return;
    case SCHEMA_BLOCK:
    case SCHEMA_BLOCK_LIST:
        json_schema_block(writer, key, of, type);
        return;
    case SCHEMA_MATCH:
    case SCHEMA_MATCH_TIME:
    case SCHEMA_MATCH_NONE:
    case SCHEMA_MATCH_OUT:
        json_out_object(&writer->json, key);
        if (is_struct(type)) {
            match_struct(writer, of, type);
        } else {
            match_scalar(writer, of, type);
        }
        json_out_object_end(&writer->json);
        return;
    case SCHEMA_MATCH_LIST:
    case SCHEMA_MATCH_OUT_LIST:
        json_out_object(&writer->json, key);
        match_list(writer, of, type);
        json_out_object_end(&writer->json);
        return;
    case SCHEMA_OF_TYPE_COUNT:
        break;
    }
}
