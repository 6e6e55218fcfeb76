/* json_schema.c - the language as a JSON Schema: the kinds of files, and the
 * definitions. */
#include "scenarios/runner/commands/schema/json_schema.h"

#include <string.h>

#include "scenarios/runner/commands/schema/json_schema_writer.h"
#include "scenarios/runner/language/type_name.h"
#include "sim/machine/msr.h"

#define DEFINITIONS "#/definitions/"
#define COMPUTED "^\\$"

static const char *const type_schemas[] = {"value", "value_time", "match",
    "match_time", "match_none", "match_list", "match_out", "match_out_list",
    "block", "block_list"};

_Static_assert(
    sizeof(type_schemas) / sizeof(type_schemas[0]) == SCHEMA_OF_TYPE_COUNT,
    "a name each");

void json_schema_types(
    struct schema_writer *writer, const char *key, unsigned types)
{
    static const char *const names[] = {
        "object", "array", "string", "integer", "number", "boolean", "null"};

    json_out_array(&writer->json, key);
    for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if ((types & (1u << i)) != 0) {
            json_out_string(&writer->json, NULL, names[i]);
        }
    }
    json_out_array_end(&writer->json);
}

void json_schema_open(struct schema_writer *writer, const char *key,
    unsigned types, bool computed)
{
    json_out_object(&writer->json, key);
    json_schema_types(
        writer, "type", computed ? types | (unsigned)JSON_STRING : types);
    if (computed) {
        json_out_string(&writer->json, "pattern", COMPUTED);
    }
}

void json_schema_ref(
    struct schema_writer *writer, const char *key, const char *name)
{
    char path[160];

    snprintf(path, sizeof(path), DEFINITIONS "%s", name);
    json_out_object(&writer->json, key);
    json_out_string(&writer->json, "$ref", path);
    json_out_object_end(&writer->json);
}

void json_schema_ref_type(struct schema_writer *writer, const char *key,
    enum type_schema of, enum nt_type type)
{
    char name[128];

    snprintf(
        name, sizeof(name), "%s.%s", type_schemas[of], nt_type_row(type)->name);
    writer->wanted[of][type] = true;
    json_schema_ref(writer, key, name);
}

void json_schema_ref_mapping(struct schema_writer *writer, const char *key,
    enum mapping mapping, bool written)
{
    if (!written) {
        json_schema_ref(writer, key, mapping_name(mapping));
        return;
    }
    json_schema_open(writer, key, JSON_OBJECT, false);
    json_out_array(&writer->json, "allOf");
    json_schema_ref(writer, NULL, mapping_name(mapping));
    json_out_array_end(&writer->json);
    json_out_object_end(&writer->json);
}

void json_schema_word(
    struct schema_writer *writer, const char *key, const char *word)
{
    json_out_object(&writer->json, key);
    json_out_string(&writer->json, "const", word);
    json_out_object_end(&writer->json);
}

const char *json_schema_word_or(
    struct schema_writer *writer, const char *key, const struct form *form)
{
    if (form->word == NULL) {
        return key;
    }
    json_out_object(&writer->json, key);
    json_out_array(&writer->json, "anyOf");
    json_schema_word(writer, NULL, form->word);
    return NULL;
}

void json_schema_word_or_end(
    struct schema_writer *writer, const struct form *form)
{
    if (form->word != NULL) {
        json_out_array_end(&writer->json);
        json_out_object_end(&writer->json);
    }
}

void json_schema_words(struct schema_writer *writer, const char *key,
    const char *const *words, bool computed)
{
    json_out_object(&writer->json, key);
    if (computed) {
        json_out_array(&writer->json, "anyOf");
        json_out_object(&writer->json, NULL);
    }
    json_out_array(&writer->json, "enum");
    for (; *words != NULL; words++) {
        json_out_string(&writer->json, NULL, *words);
    }
    json_out_array_end(&writer->json);
    if (computed) {
        json_out_object_end(&writer->json);
        json_schema_ref(writer, NULL, "computed");
        json_out_array_end(&writer->json);
    }
    json_out_object_end(&writer->json);
}

void json_schema_required(
    struct schema_writer *writer, const char *key, const char *name)
{
    json_out_object(&writer->json, key);
    json_out_array(&writer->json, "required");
    json_out_string(&writer->json, NULL, name);
    json_out_array_end(&writer->json);
    json_out_object_end(&writer->json);
}

void json_schema_alone(
    struct schema_writer *writer, const char *key, uint64_t most)
{
    json_out_object(&writer->json, key);
    json_out_number(&writer->json, "maxProperties", most);
    json_out_object_end(&writer->json);
}

/* Lists that several definitions use. */
static void write_lists(struct schema_writer *writer)
{
    struct json_out *json = &writer->json;
    char name[40], type[80];

    json_out_object(json, "computed");
    json_out_string(json, "type", "string");
    json_out_string(json, "pattern", COMPUTED);
    json_out_object_end(json);
    json_out_object(json, "requirement");
    json_out_array(json, "enum");
    for (size_t i = 0; i < writer->requirements->count; i++) {
        json_out_string(
            json, NULL, requirement_at(writer->requirements, i)->id);
    }
    json_out_array_end(json);
    json_out_object_end(json);
    json_out_object(json, "register");
    json_out_array(json, "enum");
    for (size_t i = 0; msr_name(i, name, sizeof(name)); i++) {
        json_out_string(json, NULL, name);
    }
    json_out_array_end(json);
    json_out_object_end(json);
    json_out_object(json, "type");
    json_out_array(json, "enum");
    for (size_t i = 0; type_name(i, type, sizeof(type)); i++) {
        json_out_string(json, NULL, type);
    }
    json_out_array_end(json);
    json_out_object_end(json);
}

/* A definition can want others, so it is done when none is missing. */
static bool write_wanted(struct schema_writer *writer)
{
    bool any = false;

    for (size_t of = 0; of < SCHEMA_OF_TYPE_COUNT; of++) {
        for (size_t type = 0; type < NT_TYPE_COUNT; type++) {
            char name[128];

            if (!writer->wanted[of][type] || writer->done[of][type]) {
                continue;
            }
            snprintf(name, sizeof(name), "%s.%s", type_schemas[of],
                nt_type_row((enum nt_type)type)->name);
            writer->done[of][type] = true;
            any = true;
            json_schema_type(
                writer, name, (enum type_schema)of, (enum nt_type)type);
        }
    }
    return any;
}

/* The key that tells files of this mapping from scenarios: the one besides
 * ntpmu that they must have. NULL: the mapping is no file's. */
static const char *key_of_file(enum mapping mapping)
{
    const char *found = NULL;

    if (mapping == MAPPING_SCENARIO || key_find(mapping, "ntpmu") == NULL) {
        return NULL;
    }
    for (size_t i = 0; i < key_row_count; i++) {
        const struct key_row *row = &key_rows[i];

        if (row->mapping == mapping && row->presence == REQUIRED &&
            strcmp(row->key, "ntpmu") != 0) {
            found = row->key;
        }
    }
    return found;
}

/* Whether it is such a file. A scenario's key of the same name is no list. */
static void write_file_condition(struct schema_writer *writer, const char *name)
{
    struct json_out *json = &writer->json;

    json_out_object(json, "if");
    json_out_array(json, "required");
    json_out_string(json, NULL, name);
    json_out_array_end(json);
    if (key_find(MAPPING_SCENARIO, name) != NULL) {
        json_out_object(json, "properties");
        json_out_object(json, name);
        json_out_string(json, "type", "array");
        json_out_object_end(json);
        json_out_object_end(json);
    }
    json_out_object_end(json);
}

static void write_files(struct schema_writer *writer)
{
    struct json_out *json = &writer->json;
    unsigned open = 0;

    for (enum mapping i = 0; i < MAPPING_COUNT; i++) {
        if (key_of_file(i) == NULL) {
            continue;
        }
        if (open > 0) {
            json_out_object(json, "else");
        }
        write_file_condition(writer, key_of_file(i));
        json_schema_ref_mapping(writer, "then", i, false);
        open++;
    }
    json_schema_ref_mapping(writer, "else", MAPPING_SCENARIO, false);
    for (; open > 1; open--) {
        json_out_object_end(json);
    }
}

void json_schema_write(const struct requirements *requirements, FILE *out)
{
    struct schema_writer writer = {
        .json = {.out = out}, .requirements = requirements};
    struct json_out *json = &writer.json;

    json_out_object(json, NULL);
    json_out_string(json, "$schema", "http://json-schema.org/draft-07/schema#");
    json_out_string(json, "title", "ntpmu scenario, version 1");
    json_out_string(json, "type", "object");
    write_files(&writer);
    json_out_object(json, "definitions");
    write_lists(&writer);
    for (enum mapping i = 0; i < MAPPING_COUNT; i++) {
        json_schema_mapping(&writer, i);
    }
    json_schema_kinds(&writer);
    json_schema_events(&writer);
    while (write_wanted(&writer)) {
    }
    json_out_object_end(json);
    json_out_object_end(json);
}
