/* json_schema_step.c - the JSON Schema of what a kind of step, and a routine,
 * has as arguments and as results. */
#include <stdio.h>
#include <string.h>

#include "scenarios/runner/commands/schema/json_schema_writer.h"
#include "scenarios/runner/language/names.h"
#include "scenarios/runner/scenario/step.h"

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
static void write_out(struct schema_writer *writer, const struct step *step)
{
    const struct parameter *parameter = step_parameter(step, 0);
    struct json_out *json = &writer->json;

    if (parameter == NULL) {
        json_out_bool(json, "out", false);
        return;
    }
    json_schema_open(writer, "out", JSON_OBJECT, true);
    json_out_object(json, "properties");
    for (size_t i = 0; (parameter = step_parameter(step, i)) != NULL; i++) {
        if (step->kind == STEP_DRIVER && strcmp(parameter->count, "one") != 0) {
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

/* The checks of a step's own results; those that it has not are false. */
static void write_checks(struct schema_writer *writer, const struct step *step)
{
    static const char *const names[] = {"status", "returns", "value", "eax",
        "ebx", "ecx", "edx", "row_count", "cancelled"};
    static const struct form rows = {
        .shape = SHAPE_COLLECTED, .mapping = MAPPING_ROW};
    struct json_out *json = &writer->json;
    struct step_result result;
    size_t n;

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (step_result_find(step, names[i], &n, &result)) {
            json_schema_ref_type(writer, names[i], SCHEMA_MATCH, result.type);
        } else {
            json_out_bool(json, names[i], false);
        }
    }
    if (step->kind == STEP_COLLECT) {
        json_schema_form(writer, "rows", &rows);
    } else {
        json_out_bool(json, "rows", false);
    }
    if (step_raises(step) == NULL) {
        json_out_bool(json, "raises", false);
    } else {
        const char *const words[] = {step_raises(step), NULL};

        json_schema_words(writer, "raises", words, true);
    }
    write_out(writer, step);
}

static void write_expect(struct schema_writer *writer, const struct step *step)
{
    struct json_out *json = &writer->json;

    json_out_object(json, "expect");
    json_out_object(json, "properties");
    write_checks(writer, step);
    json_out_object_end(json);
    json_out_object(json, "items");
    json_out_object(json, "properties");
    write_checks(writer, step);
    json_out_object_end(json);
    json_out_object_end(json);
    json_out_object_end(json);
}

/* save: {name: result} */
static void write_save(struct schema_writer *writer, const struct step *step)
{
    const struct parameter *parameter;
    struct json_out *json = &writer->json;
    struct step_result result;
    bool any = step_result(step, 0, &result);
    char name[80];

    for (size_t i = 0; (parameter = step_parameter(step, i)) != NULL; i++) {
        any |= parameter_is_out(parameter);
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
    for (size_t i = 0; (parameter = step_parameter(step, i)) != NULL; i++) {
        if (parameter_is_out(parameter)) {
            snprintf(name, sizeof(name), "out.%s", parameter->name);
            json_schema_word(writer, NULL, name);
        }
    }
    if (step->kind == STEP_DRIVER && step->u.driver.action == DRIVER_IOCTL) {
        json_schema_ref_mapping(writer, NULL, MAPPING_OUTPUT_SAVE, false);
    }
    if (step->kind == STEP_COLLECT) {
        json_schema_open(writer, NULL, JSON_STRING, false);
        json_out_string(json, "pattern", "^rows\\.[0-9]+\\.(id|values\\..+)$");
        json_out_object_end(json);
    }
    json_schema_ref(writer, NULL, "computed");
    json_out_array_end(json);
    json_out_object_end(json);
    json_out_object_end(json);
}

/* The arguments of a call: those that are no outputs must be there. */
static void write_arguments(
    struct schema_writer *writer, const struct routine_row *row)
{
    struct json_out *json = &writer->json;
    size_t count = routine_parameter_count(row);
    bool any = false;

    json_schema_open(writer, "args", JSON_OBJECT, true);
    json_out_object(json, "properties");
    for (size_t i = 0; i < count; i++) {
        json_schema_argument(
            writer, row->parameter[i].name, &row->parameter[i]);
    }
    json_out_object_end(json);
    json_out_array(json, "required");
    for (size_t i = 0; i < count; i++) {
        if (!parameter_is_out(&row->parameter[i])) {
            json_out_string(json, NULL, row->parameter[i].name);
            any = true;
        }
    }
    json_out_array_end(json);
    json_out_bool(json, "additionalProperties", false);
    json_out_object_end(json);
    json_out_object_end(json); /* of properties */
    if (any) {
        json_out_array(json, "required");
        json_out_string(json, NULL, "args");
        json_out_array_end(json);
    }
}

static void definition_name(char *name, size_t size, const char *routine)
{
    snprintf(name, size, "call.%s", routine);
}

/* Results of a kind that has no table of its own. */
static void write_results(
    struct schema_writer *writer, const char *name, const struct step *step)
{
    struct json_out *json = &writer->json;

    json_out_object(json, name);
    json_out_object(json, "properties");
    if (step->kind != STEP_USE) {
        write_save(writer, step);
    }
    write_expect(writer, step);
    json_out_object_end(json);
    json_out_object_end(json);
}

/* If the step's `kind` is this word, the definition holds. */
static void write_case(struct schema_writer *writer, const char *kind,
    const char *word, const char *definition)
{
    struct json_out *json = &writer->json;

    json_out_object(json, NULL);
    json_out_object(json, "if");
    json_out_object(json, "properties");
    json_schema_word(writer, kind, word);
    json_out_object_end(json);
    json_out_object_end(json);
    json_schema_ref(writer, "then", definition);
    json_out_object_end(json);
}

static void write_kind_cases(
    struct schema_writer *writer, enum step_kind kind, const char *spelling)
{
    struct json_out *json = &writer->json;
    const char *name;
    char definition[96];

    if (kind == STEP_CALL) {
        for (size_t i = 0; (name = name_of_callable(i, NULL)) != NULL; i++) {
            definition_name(definition, sizeof(definition), name);
            write_case(writer, spelling, name, definition);
        }
    } else if (kind == STEP_DRIVER) {
        for (size_t i = 0; (name = name_of_driver_action(i, NULL)) != NULL;
             i++) {
            write_case(writer, spelling, name, "results.driver");
        }
        json_out_object(json, NULL);
        json_out_object(json, "if");
        json_out_object(json, "properties");
        json_schema_open(writer, spelling, JSON_OBJECT, false);
        json_out_object_end(json);
        json_out_object_end(json);
        json_out_object_end(json);
        json_schema_ref(writer, "then", "results.ioctl");
        json_out_object_end(json);
    } else {
        snprintf(definition, sizeof(definition), "results.%s", spelling);
        json_schema_ref(writer, NULL, definition);
    }
}

static const char *const kinds[] = {
#define STEP(name, spelling, ...) [STEP_##name] = spelling,
#include "scenarios/runner/language/steps.def"
};

void json_schema_kind(struct schema_writer *writer, const char *kind)
{
    struct json_out *json = &writer->json;
    enum step_kind found = 0;

    while (strcmp(kinds[found], kind) != 0) {
        found++;
    }
    if (found == STEP_EACH) {
        json_out_array(json, "required");
        json_out_string(json, NULL, "do");
        json_out_array_end(json);
    }
    json_out_array(json, "allOf");
    write_kind_cases(writer, found, kind);
    json_out_array_end(json);
}

static void write_call(struct schema_writer *writer, const char *name)
{
    struct step step = {.kind = STEP_CALL};
    char definition[96];

    routine_find(name, &step.u.call.routine);
    definition_name(definition, sizeof(definition), name);
    json_out_object(&writer->json, definition);
    json_out_object(&writer->json, "properties");
    write_save(writer, &step);
    write_expect(writer, &step);
    write_arguments(writer, &routine_rows[step.u.call.routine]);
    json_out_object_end(&writer->json);
}

void json_schema_calls(struct schema_writer *writer)
{
    const char *name;
    char definition[96];

    for (size_t i = 0; (name = name_of_callable(i, NULL)) != NULL; i++) {
        write_call(writer, name);
    }
    for (enum step_kind kind = 0; kind < STEP_EXPECT; kind++) {
        if (kind != STEP_CALL && kind != STEP_DRIVER) {
            snprintf(definition, sizeof(definition), "results.%s", kinds[kind]);
            write_results(writer, definition, &(struct step){.kind = kind});
        }
    }
    write_results(writer, "results.none", &(struct step){.kind = STEP_EXPECT});
    write_results(writer, "results.driver",
        &(struct step){.kind = STEP_DRIVER, .u.driver.action = 0});
    write_results(writer, "results.ioctl",
        &(struct step){.kind = STEP_DRIVER, .u.driver.action = DRIVER_IOCTL});
}
