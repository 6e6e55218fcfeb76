/* json_schema_mapping.c - the JSON Schema of the mappings of keys.def, each a
 * definition; and what follows from one key for the others. */
#include <string.h>

#include "scenarios/runner/commands/schema/json_schema_writer.h"
#include "scenarios/runner/language/callback.h"
#include "scenarios/runner/steps/steps.h"

static const struct {
    const char *key;
    enum nt_type type;
    bool list, cycles;
} probes[] = {
#define PROBE(name, spelling, mapping, type, list, pmu, cycles, ...)           \
    {spelling, NT_##type, list, cycles},
#include "scenarios/runner/language/probes.def"
};

static void write_properties(struct schema_writer *writer, enum mapping mapping)
{
    json_out_object(&writer->json, "properties");
    for (size_t i = 0; i < key_row_count; i++) {
        if (key_rows[i].mapping == mapping && key_rows[i].presence != REFUSED) {
            json_schema_form(writer, key_rows[i].key, key_rows[i].form);
        }
    }
    json_out_object_end(&writer->json);
    json_out_bool(&writer->json, "additionalProperties", false);
}

static bool has(enum mapping mapping, enum presence presence)
{
    for (size_t i = 0; i < key_row_count; i++) {
        if (key_rows[i].mapping == mapping &&
            key_rows[i].presence == presence) {
            return true;
        }
    }
    return false;
}

static void write_required(struct schema_writer *writer, enum mapping mapping)
{
    if (!has(mapping, REQUIRED)) {
        return;
    }
    json_out_array(&writer->json, "required");
    for (size_t i = 0; i < key_row_count; i++) {
        if (key_rows[i].mapping == mapping &&
            key_rows[i].presence == REQUIRED) {
            json_out_string(&writer->json, NULL, key_rows[i].key);
        }
    }
    json_out_array_end(&writer->json);
}

/* The member anyOf: one of the keys that say what it is. */
static void write_kinds(struct schema_writer *writer, enum mapping mapping)
{
    json_out_array(&writer->json, "anyOf");
    for (size_t i = 0; i < key_row_count; i++) {
        if (key_rows[i].mapping == mapping && key_rows[i].presence == KIND) {
            json_schema_required(writer, NULL, key_rows[i].key);
        }
    }
    json_out_array_end(&writer->json);
}

/* What the probe gives is what `is` has. A list of owners names actors. */
static void depend_is(struct schema_writer *writer, const char *kind)
{
    const struct form actors = {FORM_ACTOR, .arrangement = ARRANGE_LIST};
    struct json_out *json = &writer->json;
    size_t n = 0;

    while (strcmp(probes[n].key, kind) != 0) {
        n++;
    }
    json_out_object(json, "is");
    json_out_array(json, "anyOf");
    if (key_find(MAPPING_STATE, kind)->form->mapping == MAPPING_OWNERS) {
        json_schema_form(writer, NULL, &actors);
        json_schema_open(writer, NULL, JSON_OBJECT, false);
        json_out_array(json, "allOf");
    }
    json_schema_ref_type(writer, NULL,
        probes[n].list     ? SCHEMA_MATCH_LIST
        : probes[n].cycles ? SCHEMA_MATCH_TIME
                           : SCHEMA_MATCH,
        probes[n].type);
    if (key_find(MAPPING_STATE, kind)->form->mapping == MAPPING_OWNERS) {
        json_out_array_end(json);
        json_out_object_end(json);
    }
    json_out_array_end(json);
    json_out_object_end(json);
}

/* What a key of KIND means for the others. */
static void depend_kind(
    struct schema_writer *writer, enum mapping mapping, const char *kind)
{
    struct json_out *json = &writer->json;

    json_out_object(json, kind);
    json_out_object(json, "properties");
    for (size_t i = 0; i < key_row_count; i++) {
        if (key_rows[i].mapping == mapping && key_rows[i].presence == KIND &&
            strcmp(key_rows[i].key, kind) != 0) {
            json_out_bool(json, key_rows[i].key, false);
        }
    }
    if (mapping == MAPPING_STATE) {
        depend_is(writer, kind);
    }
    json_out_object_end(json);
    if (mapping == MAPPING_STEP) {
        json_schema_kind(writer, kind);
    }
    json_out_object_end(json);
}

/* A key that belongs to some kinds of steps; one that any step can have
 * depends on nothing. */
static void depend_step_key(struct schema_writer *writer, const char *key)
{
    struct json_out *json = &writer->json;
    bool any = false;

    for (size_t i = 0; i < step_kinds.count; i++) {
        const struct step_kind *kind = &step_kinds.item[i];

        if (step_kind_key(kind, key) == NULL) {
            continue;
        }
        if (!any) {
            json_out_object(json, key);
            json_out_array(json, "anyOf");
        }
        any = true;
        json_schema_required(writer, NULL, kind->key);
    }
    if (any) {
        json_out_array_end(json);
        json_out_object_end(json);
    }
}

static void write_dependencies(
    struct schema_writer *writer, enum mapping mapping)
{
    json_out_object(&writer->json, "dependencies");
    for (size_t i = 0; i < key_row_count; i++) {
        if (key_rows[i].mapping == mapping && key_rows[i].presence == KIND) {
            depend_kind(writer, mapping, key_rows[i].key);
        }
    }
    for (size_t i = 0; mapping == MAPPING_STEP && i < key_row_count; i++) {
        if (key_rows[i].mapping == mapping) {
            depend_step_key(writer, key_rows[i].key);
        }
    }
    json_out_object_end(&writer->json);
}

/* A step is of a kind, or expectations alone. */
static void write_step(struct schema_writer *writer)
{
    struct json_out *json = &writer->json;

    json_out_object(json, "if");
    write_kinds(writer, MAPPING_STEP);
    json_out_object_end(json);
    json_out_object(json, "else");
    json_out_array(json, "required");
    json_out_string(json, NULL, "expect");
    json_out_array_end(json);
    json_out_array(json, "allOf");
    json_schema_ref(writer, NULL, "results.none");
    json_out_array_end(json);
    json_out_object_end(json);
}

/* What it returns is of its type. */
static void write_callback(struct schema_writer *writer)
{
    struct json_out *json = &writer->json;

    json_out_array(json, "allOf");
    for (size_t i = 0; i < CALLBACK_TYPE_COUNT; i++) {
        json_out_object(json, NULL);
        json_out_object(json, "if");
        json_out_array(json, "required");
        json_out_string(json, NULL, "type");
        json_out_array_end(json);
        json_out_object(json, "properties");
        json_schema_word(writer, "type", callback_rows[i].name);
        json_out_object_end(json);
        json_out_object_end(json);
        json_out_object(json, "then");
        json_out_object(json, "properties");
        if (callback_rows[i].returns == NT_VOID) {
            json_out_bool(json, "returns", false);
        } else {
            json_schema_ref_type(
                writer, "returns", SCHEMA_VALUE, callback_rows[i].returns);
        }
        json_out_object_end(json);
        json_out_object_end(json);
        json_out_object_end(json);
    }
    json_out_array_end(json);
}

/* Mappings in which something has to be expected; covers is nothing. */
static void write_expects(struct schema_writer *writer, enum mapping mapping)
{
    struct json_out *json = &writer->json;

    json_out_number(json, "minProperties", 1);
    if (key_find(mapping, "covers") != NULL) {
        json_out_object(json, "dependencies");
        json_out_object(json, "covers");
        json_out_number(json, "minProperties", 2);
        json_out_object_end(json);
        json_out_object_end(json);
    }
}

void json_schema_mapping(struct schema_writer *writer, enum mapping mapping)
{
    json_schema_open(writer, mapping_name(mapping), JSON_OBJECT, true);
    write_properties(writer, mapping);
    write_required(writer, mapping);
    if (has(mapping, KIND)) {
        write_dependencies(writer, mapping);
    }
    if (mapping == MAPPING_STEP) {
        write_step(writer);
    } else if (has(mapping, KIND)) {
        write_kinds(writer, mapping);
    }
    if (mapping == MAPPING_CALLBACK) {
        write_callback(writer);
    }
    if (mapping == MAPPING_EXPECT || mapping == MAPPING_EVENTS) {
        write_expects(writer, mapping);
    }
    json_out_object_end(&writer->json);
}
