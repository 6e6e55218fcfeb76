/* json_schema_block.c - the JSON Schema of blocks that a pointer is given, as
 * value_block() reads them. */
#include <string.h>

#include "api/core/routine.h"
#include "scenarios/runner/commands/schema/json_schema_writer.h"
#include "scenarios/runner/language/block.h"
#include "scenarios/runner/language/duration.h"

/* The ways to write a block that have a key of their own. */
static void write_block_keys(
    struct schema_writer *writer, enum type_schema of, enum nt_type type)
{
    struct json_out *json = &writer->json;
    const char *words[BLOCK_STATE_COUNT];
    size_t n = 0;

    while ((words[n] = name_of_block_state(n, NULL)) != NULL) {
        n++;
    }
    json_schema_ref_type(writer, "at", SCHEMA_VALUE, NT_ULONG_PTR);
    json_schema_ref_type(writer, "buffer", SCHEMA_VALUE, NT_ULONG);
    json_schema_open(writer, "bytes", JSON_ARRAY, true);
    json_schema_ref_type(writer, "items", SCHEMA_VALUE, NT_UCHAR);
    json_out_number(json, "minItems", 1);
    json_out_object_end(json);
    json_schema_ref_type(writer, "value", of, type);
    json_schema_words(writer, "but", words, true);
    if (of == SCHEMA_BLOCK_LIST) {
        json_schema_repeat(writer, SCHEMA_VALUE, type);
    }
}

static void depend_block(struct schema_writer *writer, bool list)
{
    struct json_out *json = &writer->json;

    json_out_object(json, "dependencies");
    json_schema_alone(writer, "at", 1);
    json_schema_alone(writer, "buffer", 1);
    json_schema_alone(writer, "bytes", 1);
    json_schema_required(writer, "value", "but");
    json_out_object(json, "but");
    json_out_array(json, "required");
    json_out_string(json, NULL, "value");
    json_out_array_end(json);
    json_out_number(json, "maxProperties", 2);
    json_out_object_end(json);
    if (list) {
        json_schema_depend_repeat(writer);
    }
    json_out_object_end(json);
}

/* The keywords of a block that is an object or an array. */
static void block_inside(
    struct schema_writer *writer, enum type_schema of, enum nt_type type)
{
    const struct nt_type_row *row = nt_type_row(type);
    struct json_out *json = &writer->json;

    if (of == SCHEMA_BLOCK_LIST) {
        json_schema_ref_type(writer, "items", SCHEMA_VALUE, type);
    }
    json_out_object(json, "properties");
    write_block_keys(writer, of, type);
    if (nt_type_row(type)->kind == NT_KIND_STRUCT) {
        json_schema_lines(writer, row->member, row->member_count);
    }
    json_out_object_end(json);
    json_out_bool(json, "additionalProperties", false);
    depend_block(writer, of == SCHEMA_BLOCK_LIST);
}

void json_schema_block(struct schema_writer *writer, const char *key,
    enum type_schema of, enum nt_type type)
{
    static const char *const none[] = {NULL};
    struct json_out *json = &writer->json;
    unsigned types =
        JSON_OBJECT | (of == SCHEMA_BLOCK_LIST ? (unsigned)JSON_ARRAY : 0);

    if (nt_type_row(type)->kind == NT_KIND_STRUCT) {
        json_schema_open_struct(writer, key, type, types | JSON_NULL);
        block_inside(writer, of, type);
        json_out_object_end(json);
        return;
    }
    json_out_object(json, key);
    json_out_object(json, "if");
    json_schema_types(writer, "type", types);
    json_out_object_end(json);
    json_out_object(json, "then");
    block_inside(writer, of, type);
    json_out_number(json, "minProperties", 1);
    json_out_object_end(json);
    json_out_object(json, "else");
    json_schema_scalar(writer, type, none,
        type == NT_CHAR || type == NT_WCHAR
            ? (unsigned)JSON_NULL | (unsigned)JSON_STRING
            : (unsigned)JSON_NULL);
    json_out_object_end(json);
    json_out_object_end(json);
}

void json_schema_argument(struct schema_writer *writer, const char *key,
    const struct parameter *parameter)
{
    enum type_schema of =
        strcmp(parameter->count, "one") == 0 ? SCHEMA_BLOCK : SCHEMA_BLOCK_LIST;

    json_schema_ref_type(writer, key,
        parameter_is_pointer(parameter)               ? of
        : duration_of_parameter(parameter->name) != 0 ? SCHEMA_VALUE_TIME
                                                      : SCHEMA_VALUE,
        parameter->type);
}
