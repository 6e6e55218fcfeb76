/* json_schema_step.c - the JSON Schema of what a kind of step, and a routine,
 * has as arguments and as results. */
#include <stdio.h>
#include <string.h>

#include "scenarios/runner/checks/checks.h"
#include "scenarios/runner/commands/schema/json_schema_writer.h"
#include "scenarios/runner/scenario/output_view.h"
#include "scenarios/runner/scenario/step.h"
#include "scenarios/runner/steps/steps.h"

/* What a driver has put out: bytes, or values at offsets. */
static void write_output(
    struct schema_writer *writer, const struct parameter *parameter)
{
    const struct form values = {.shape = SHAPE_MAPPING,
        .arrangement = ARRANGE_ALONE_OR_LIST,
        .least = 1,
        .mapping = MAPPING_OUTPUT_VALUE};
    struct json_out *json = &writer->json;

    json_out_object(json, parameter->name);
    json_out_array(json, "anyOf");
    json_schema_ref_type(writer, NULL, SCHEMA_MATCH_OUT_LIST, parameter->type);
    json_schema_form(writer, NULL, &values);
    json_out_array_end(json);
    json_out_object_end(json);
}

/* out: {Name: matcher} */
static void write_out(struct schema_writer *writer, const char *key,
    const struct signature *signature)
{
    struct json_out *json = &writer->json;

    if (signature->parameter_count == 0) {
        json_out_bool(json, key, false);
        return;
    }
    json_schema_open(writer, key, JSON_OBJECT, true);
    json_out_object(json, "properties");
    for (size_t i = 0; i < signature->parameter_count; i++) {
        const struct parameter *parameter = &signature->parameter[i];

        if (output_view_has(parameter)) {
            write_output(writer, parameter);
        } else if (parameter_is_out(parameter)) {
            json_schema_ref_type(writer, parameter->name,
                strcmp(parameter->count, "one") == 0 ? SCHEMA_MATCH_OUT
                                                     : SCHEMA_MATCH_OUT_LIST,
                parameter->type);
        }
    }
    json_out_object_end(json);
    json_out_bool(json, "additionalProperties", false);
    json_out_number(json, "minProperties", 1);
    json_out_object_end(json);
}

static void write_result_check(
    struct schema_writer *writer, const char *key, const struct step *step)
{
    struct step_result result;
    size_t n;

    if (step_result_find(step, key, &n, &result)) {
        json_schema_ref_type(writer, key, SCHEMA_MATCH, result.type);
    } else {
        json_out_bool(&writer->json, key, false);
    }
}

/* A check of what the step itself gives; false where it does not. */
static void write_check(struct schema_writer *writer,
    const struct check_kind *check, const struct step *step)
{
    struct json_out *json = &writer->json;

    switch (check->compares) {
    case COMPARES_RESULT:
        write_result_check(writer, check->key, step);
        break;
    case COMPARES_OUTPUTS:
        write_out(writer, check->key, &step->signature);
        break;
    case COMPARES_ROWS:
        if (step->kind->code->gives_rows) {
            json_schema_form(
                writer, check->key, key_find(MAPPING_EXPECT, check->key)->form);
        } else {
            json_out_bool(json, check->key, false);
        }
        break;
    case COMPARES_EXCEPTION:
        if (step->kind->raises[0] != NULL) {
            json_schema_words(writer, check->key, step->kind->raises, true);
        } else {
            json_out_bool(json, check->key, false);
        }
        break;
    case COMPARES_MACHINE:
        break;
    }
}

static void write_checks(struct schema_writer *writer, const struct step *step)
{
    json_out_object(&writer->json, "properties");
    for (size_t i = 0; i < check_kinds.count; i++) {
        write_check(writer, &check_kinds.item[i], step);
    }
    json_out_object_end(&writer->json);
}

static void write_expect(struct schema_writer *writer, const struct step *step)
{
    struct json_out *json = &writer->json;

    json_out_object(json, "expect");
    write_checks(writer, step);
    json_out_object(json, "items");
    write_checks(writer, step);
    json_out_object_end(json);
    json_out_object_end(json);
}

static void write_saved_outputs(
    struct schema_writer *writer, const struct signature *signature)
{
    bool views = false;
    char name[80];

    for (size_t i = 0; i < signature->parameter_count; i++) {
        if (parameter_is_out(&signature->parameter[i])) {
            snprintf(
                name, sizeof(name), "out.%s", signature->parameter[i].name);
            json_schema_word(writer, NULL, name);
            views |= output_view_has(&signature->parameter[i]);
        }
    }
    if (views) {
        json_schema_ref_mapping(writer, NULL, MAPPING_OUTPUT_SAVE, false);
    }
}

/* save: {name: result} */
static void write_save(struct schema_writer *writer, const struct step *step)
{
    const struct signature *signature = &step->signature;
    struct json_out *json = &writer->json;
    struct step_result result;
    bool any = step_result(step, 0, &result);

    for (size_t i = 0; i < signature->parameter_count; i++) {
        any |= parameter_is_out(&signature->parameter[i]);
    }
    if (!any) {
        json_out_bool(json, "save", false);
        return;
    }
    json_out_object(json, "save");
    json_out_object(json, "additionalProperties");
    json_out_array(json, "anyOf");
    for (size_t i = 0; step_result(step, i, &result); i++) {
        json_schema_word(writer, NULL, result.name);
    }
    write_saved_outputs(writer, signature);
    if (step->kind->code->gives_rows) {
        json_schema_open(writer, NULL, JSON_STRING, false);
        json_out_string(json, "pattern", "^rows\\.[0-9]+\\.(id|values\\..+)$");
        json_out_object_end(json);
    }
    json_schema_ref(writer, NULL, "computed");
    json_out_array_end(json);
    json_out_object_end(json);
    json_out_object_end(json);
}

/* The arguments of a call. Returns whether there have to be any: those that are
 * no outputs. */
static bool write_arguments(
    struct schema_writer *writer, const struct signature *signature)
{
    struct json_out *json = &writer->json;
    bool any = false;

    json_schema_open(writer, "args", JSON_OBJECT, true);
    json_out_object(json, "properties");
    for (size_t i = 0; i < signature->parameter_count; i++) {
        json_schema_argument(
            writer, signature->parameter[i].name, &signature->parameter[i]);
    }
    json_out_object_end(json);
    json_out_array(json, "required");
    for (size_t i = 0; i < signature->parameter_count; i++) {
        if (!parameter_is_out(&signature->parameter[i])) {
            json_out_string(json, NULL, signature->parameter[i].name);
            any = true;
        }
    }
    json_out_array_end(json);
    json_out_bool(json, "additionalProperties", false);
    json_out_object_end(json);
    return any;
}

/* What a step has to say besides what stands behind its key. */
static void write_definition(
    struct schema_writer *writer, const char *name, const struct step *step)
{
    struct json_out *json = &writer->json;
    bool required = false;

    json_out_object(json, name);
    json_out_object(json, "properties");
    if (!step->kind->code->reads_saves) {
        write_save(writer, step);
    }
    write_expect(writer, step);
    if (step_kind_key(step->kind, "args") != NULL) {
        required = write_arguments(writer, &step->signature);
    }
    json_out_object_end(json);
    if (required) {
        json_out_array(json, "required");
        json_out_string(json, NULL, "args");
        json_out_array_end(json);
    }
    json_out_object_end(json);
}

enum { DEFINITION_BYTES = 96 };

/* The definition of a variant, of a kind that has no others with NULL. */
static void name_definition(char name[DEFINITION_BYTES],
    const struct step_kind *kind, const struct step_variant *variant)
{
    if (variant != NULL && variant->name == NULL) {
        snprintf(name, DEFINITION_BYTES, "%s.%s", kind->key, variant->word);
    } else {
        snprintf(name, DEFINITION_BYTES, "results.%s",
            variant == NULL ? kind->key : variant->name);
    }
}

/* If the step's `kind` is this word, or such a mapping, the definition holds.
 */
static void write_case(struct schema_writer *writer,
    const struct step_kind *kind, const struct step_variant *variant)
{
    char definition[DEFINITION_BYTES];
    struct json_out *json = &writer->json;

    name_definition(definition, kind, variant);
    json_out_object(json, NULL);
    json_out_object(json, "if");
    json_out_object(json, "properties");
    if (variant->word != NULL) {
        json_schema_word(writer, kind->key, variant->word);
    } else {
        json_schema_open(writer, kind->key, JSON_OBJECT, false);
        if (variant->key != NULL) {
            json_out_array(json, "required");
            json_out_string(json, NULL, variant->key);
            json_out_array_end(json);
        }
        json_out_object_end(json);
    }
    json_out_object_end(json);
    json_out_object_end(json);
    json_schema_ref(writer, "then", definition);
    json_out_object_end(json);
}

static void write_cases(
    struct schema_writer *writer, const struct step_kind *kind)
{
    char definition[DEFINITION_BYTES];
    struct step_variant variant;

    if (kind->code->variant == NULL) {
        name_definition(definition, kind, NULL);
        json_schema_ref(writer, NULL, definition);
        return;
    }
    for (size_t i = 0; kind->code->variant(i, &variant); i++) {
        write_case(writer, kind, &variant);
    }
}

void json_schema_kind(struct schema_writer *writer, const char *key)
{
    struct json_out *json = &writer->json;
    const struct step_kind *kind = step_kinds.item;

    while (strcmp(kind->key, key) != 0) {
        kind++;
    }
    for (const struct step_key *own = kind->keys; own->key != NULL; own++) {
        if (own->required) {
            json_out_array(json, "required");
            json_out_string(json, NULL, own->key);
            json_out_array_end(json);
        }
    }
    json_out_array(json, "allOf");
    write_cases(writer, kind);
    json_out_array_end(json);
}

/* The definitions of a kind; variants with one name share one. */
static void write_kind(
    struct schema_writer *writer, const struct step_kind *kind)
{
    char last[DEFINITION_BYTES] = "", definition[DEFINITION_BYTES];
    struct step step = {.kind = kind, .signature = {.returns = NT_VOID}};
    struct step_variant variant;

    if (kind->code->variant == NULL) {
        name_definition(definition, kind, NULL);
        if (kind->code->signature != NULL) {
            step.signature = *kind->code->signature;
        }
        write_definition(writer, definition, &step);
        return;
    }
    for (size_t i = 0; kind->code->variant(i, &variant); i++) {
        name_definition(definition, kind, &variant);
        step.signature = variant.signature;
        if (strcmp(definition, last) != 0) {
            write_definition(writer, definition, &step);
        }
        memcpy(last, definition, sizeof(last));
    }
}

void json_schema_kinds(struct schema_writer *writer)
{
    const struct step none = {
        .kind = &step_kind_none, .signature = {.returns = NT_VOID}};

    for (size_t i = 0; i < step_kinds.count; i++) {
        write_kind(writer, &step_kinds.item[i]);
    }
    write_definition(writer, "results.none", &none);
}
