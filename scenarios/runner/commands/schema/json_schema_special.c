/* json_schema_special.c - the JSON Schema of forms that one key has. */
#include <assert.h>
#include <string.h>

#include "api/core/routine.h"
#include "api/nt/rulings.h"
#include "scenarios/runner/commands/schema/json_schema_writer.h"
#include "scenarios/runner/language/callback.h"
#include "scenarios/runner/language/constants.h"
#include "scenarios/runner/language/duration.h"
#include "scenarios/runner/language/names.h"
#include "sim/base/limits.h"
#include "sim/pmu/model.h"

#define NUMBER "(0|[1-9][0-9]*|0x[0-9A-Fa-f]+)"

/* Whether the row is a value of the ruling, which may be chosen. */
static bool is_choice(enum ruling ruling, size_t n)
{
    return n < RULED_COUNT && ruled_rows[n].ruling == ruling &&
           n != ruling_rows[ruling].usual && ruled_rows[n].why == NULL &&
           strcmp(ruled_rows[n].name, "number") != 0;
}

/* A number, or a time. */
static void write_count(
    struct schema_writer *writer, const char *key, uint64_t low, uint64_t high)
{
    struct json_out *json = &writer->json;

    json_out_object(json, key);
    json_schema_types(writer, "type", JSON_INTEGER | JSON_STRING);
    json_out_number(json, "minimum", low);
    json_out_number(json, "maximum", high);
    json_out_string(json, "pattern", "^\\$|^" DURATION_PATTERN "$");
    json_out_object_end(json);
}

static void write_cycles(
    struct schema_writer *writer, const char *key, const struct form *form)
{
    write_count(writer, key, form->low, form->high);
}

static void write_ruling(struct schema_writer *writer, enum ruling ruling)
{
    const struct ruling_number *range = &ruling_numbers[ruling];
    struct json_out *json = &writer->json;

    json_out_object(json, ruling_rows[ruling].id);
    json_out_array(json, "anyOf");
    for (size_t i = 0; i < RULED_COUNT; i++) {
        if (is_choice(ruling, i)) {
            json_schema_word(writer, NULL, ruled_rows[i].name);
        }
    }
    if (range->is_time) {
        write_count(writer, NULL, range->low, range->high);
    } else if (range->high != 0) {
        json_schema_open(writer, NULL, JSON_INTEGER, false);
        json_out_number(json, "minimum", range->low);
        json_out_number(json, "maximum", range->high);
        json_out_object_end(json);
    }
    json_schema_ref(writer, NULL, "computed");
    json_out_array_end(json);
    json_out_object_end(json);
}

static void write_rulings(
    struct schema_writer *writer, const char *key, const struct form *form)
{
    struct json_out *json = &writer->json;

    (void)form;
    json_schema_open(writer, key, JSON_OBJECT, true);
    json_out_object(json, "properties");
    for (enum ruling i = 0; i < RULING_COUNT; i++) {
        if (ruling_rows[i].why == NULL) {
            write_ruling(writer, i);
        }
    }
    json_out_object_end(json);
    json_out_bool(json, "additionalProperties", false);
    json_out_number(json, "minProperties", 1);
    json_out_object_end(json);
}

/* Axes of the machine's keys have their values, the others any word. */
static void write_axes(
    struct schema_writer *writer, const char *key, const struct form *form)
{
    const struct form word = {
        FORM_LETTERS(AXIS), FORM_LIST_OF, .written = true};
    struct json_out *json = &writer->json;

    (void)form;
    json_schema_open(writer, key, JSON_OBJECT, false);
    json_out_object(json, "properties");
    for (size_t i = 0; i < key_row_count; i++) {
        const struct key_row *row = &key_rows[i];
        struct form axis = *row->form;

        if (row->mapping != MAPPING_MACHINE) {
            continue;
        }
        if (row->presence == REFUSED || axis.shape == SHAPE_MAPPING ||
            axis.shape == SHAPE_GIVEN) {
            json_out_bool(json, row->key, false);
            continue;
        }
        if (axis.shape == SHAPE_GROUPS) {
            axis.shape = SHAPE_NUMBER; /* an axis has no lists */
        }
        axis.arrangement = ARRANGE_LIST;
        axis.least = 1;
        axis.written = true;
        json_schema_form(writer, row->key, &axis);
    }
    json_out_object_end(json);
    json_schema_form(writer, "additionalProperties", &word);
    json_out_object(json, "propertyNames");
    json_out_string(json, "pattern", PATTERN_VARIABLE);
    json_out_object_end(json);
    json_out_number(json, "minProperties", 1);
    json_out_object_end(json);
}

static void write_rows(
    struct schema_writer *writer, const char *key, const struct form *form)
{
    struct json_out *json = &writer->json;

    (void)form;
    json_schema_open(writer, key, JSON_OBJECT, false);
    json_schema_open(writer, "additionalProperties", JSON_OBJECT, false);
    json_out_object(json, "propertyNames");
    json_out_string(json, "pattern", PATTERN_VARIABLE);
    json_out_object_end(json);
    json_out_number(json, "minProperties", 1);
    json_out_object_end(json);
    json_out_object(json, "propertyNames");
    json_out_string(json, "pattern", "^[" LETTERS_ROW "]+$");
    json_out_object_end(json);
    json_out_number(json, "minProperties", 1);
    json_out_object_end(json);
}

static void write_rate(
    struct schema_writer *writer, const char *key, const struct form *form)
{
    struct json_out *json = &writer->json;

    (void)form;
    json_out_object(json, key);
    json_schema_types(writer, "type", JSON_INTEGER | JSON_STRING);
    json_out_number(json, "minimum", 0);
    json_out_string(json, "pattern", "^\\$|^" NUMBER "/" NUMBER "$");
    json_out_object_end(json);
}

static void write_rates(
    struct schema_writer *writer, const char *key, const struct form *form)
{
    struct json_out *json = &writer->json;

    json_schema_open(writer, key, JSON_OBJECT, true);
    json_out_object(json, "properties");
    for (size_t i = 0; i < EVENT_COUNT; i++) {
        if (!event_rows[i].clock) {
            write_rate(writer, event_rows[i].name, form);
        }
    }
    json_out_object_end(json);
    json_out_bool(json, "additionalProperties", false);
    json_out_object_end(json);
}

static void write_totals(
    struct schema_writer *writer, const char *key, const struct form *form)
{
    const struct form number = {FORM_NUMBER(form->low, form->high)};
    struct json_out *json = &writer->json;

    json_schema_open(writer, key, JSON_OBJECT, true);
    json_out_object(json, "properties");
    for (size_t i = 0; i < EVENT_COUNT; i++) {
        if (!event_rows[i].clock) {
            json_schema_form(writer, event_rows[i].name, &number);
        }
    }
    json_out_object_end(json);
    json_out_bool(json, "additionalProperties", false);
    json_out_number(json, "minProperties", 1);
    json_out_object_end(json);
}

/* load, or a device control. */
static void write_driver(
    struct schema_writer *writer, const char *key, const struct form *form)
{
    const struct form words = {FORM_NAME(driver_action)};
    struct json_out *json = &writer->json;

    json_out_object(json, key);
    json_out_object(json, "if");
    json_out_string(json, "type", "object");
    json_out_object_end(json);
    json_schema_ref_mapping(writer, "then", form->mapping, false);
    json_schema_form(writer, "else", &words);
    json_out_object_end(json);
}

static void write_branches(
    struct schema_writer *writer, const char *key, const struct form *form)
{
    struct json_out *json = &writer->json;
    struct form steps = *form;

    steps.shape = SHAPE_MAPPING;
    steps.arrangement = ARRANGE_LIST;
    steps.least = 0; /* that actor does nothing */
    json_schema_open(writer, key, JSON_OBJECT, true);
    json_schema_form(writer, "additionalProperties", &steps);
    json_out_object(json, "propertyNames");
    json_out_string(json, "pattern", PATTERN_NAME);
    json_out_object_end(json);
    json_out_number(json, "minProperties", 2);
    json_out_object_end(json);
}

static void write_named_values(
    struct schema_writer *writer, const char *key, const struct form *form)
{
    struct json_out *json = &writer->json;

    json_schema_open(writer, key, JSON_OBJECT, true);
    json_out_object(json, "propertyNames");
    json_out_string(json, "pattern", form->keys);
    json_out_object_end(json);
    json_out_number(json, "minProperties", 1);
    json_out_object_end(json);
}

/* Parameters of any callback: which one is meant is not in sight. */
static void write_handler_arguments(
    struct schema_writer *writer, const char *key, const struct form *form)
{
    struct json_out *json = &writer->json;

    (void)form;
    json_schema_open(writer, key, JSON_OBJECT, true);
    json_out_object(json, "properties");
    for (size_t i = 0; i < CALLBACK_TYPE_COUNT; i++) {
        const struct callback_row *row = &callback_rows[i];

        for (size_t k = 0;
             k < CALLBACK_PARAMETERS && row->parameter[k].name != NULL; k++) {
            json_schema_ref_type(writer, row->parameter[k].name, SCHEMA_MATCH,
                row->parameter[k].type);
        }
    }
    json_out_object_end(json);
    json_out_bool(json, "additionalProperties", false);
    json_out_object_end(json);
}

static void write_pattern(
    struct schema_writer *writer, const char *key, const struct form *form)
{
    json_schema_ref(writer, key, form->timed ? "timed_event" : "event");
}

/* A list, {repeat: n, item: row}, or {len: n}. */
static void write_collected(
    struct schema_writer *writer, const char *key, const struct form *form)
{
    struct json_out *json = &writer->json;

    json_schema_open(writer, key, JSON_ARRAY | JSON_OBJECT, true);
    json_schema_ref_mapping(writer, "items", form->mapping, false);
    json_out_object(json, "properties");
    json_schema_ref_type(writer, "len", SCHEMA_MATCH, NT_ULONG64);
    json_schema_ref_type(writer, "repeat", SCHEMA_VALUE, NT_ULONG);
    json_schema_ref_mapping(writer, "item", form->mapping, false);
    json_out_object_end(json);
    json_out_bool(json, "additionalProperties", false);
    json_out_number(json, "minProperties", 1);
    json_out_object(json, "dependencies");
    json_schema_alone(writer, "len", 1);
    json_schema_depend_repeat(writer);
    json_out_object_end(json);
    json_out_object_end(json);
}

/* Of a structure of the scenario's, or a control code. */
static void write_own_name(struct schema_writer *writer)
{
    json_out_object(&writer->json, NULL);
    json_out_string(&writer->json, "type", "string");
    json_out_string(&writer->json, "pattern", PATTERN_NAME);
    json_out_object_end(&writer->json);
}

/* {TYPE: value}, {bytes: [..]} or {text: abc}; of the value its type says what
 * it is, which is too much to say here. */
static void write_layout(
    struct schema_writer *writer, const char *key, const struct form *form)
{
    static const char *const others[] = {"bytes", "text", NULL};
    struct json_out *json = &writer->json;

    (void)form;
    json_schema_open(writer, key, JSON_OBJECT, false);
    json_out_object(json, "propertyNames");
    json_out_array(json, "anyOf");
    json_schema_ref(writer, NULL, "type");
    json_schema_words(writer, NULL, others, false);
    write_own_name(writer);
    json_out_array_end(json);
    json_out_object_end(json);
    json_out_number(json, "minProperties", 1);
    json_out_number(json, "maxProperties", 1);
    json_out_object_end(json);
}

/* A name of the list, or a number that has none. */
static void write_bugcheck_code(
    struct schema_writer *writer, const char *key, const struct form *form)
{
    struct json_out *json = &writer->json;
    const char *name;

    (void)form;
    json_out_object(json, key);
    json_out_array(json, "anyOf");
    json_schema_ref_type(writer, NULL, SCHEMA_VALUE, NT_ULONG);
    json_out_object(json, NULL);
    json_out_array(json, "enum");
    for (size_t n = 0; (name = name_of_bugcheck(n, NULL)) != NULL; n++) {
        json_out_string(json, NULL, name);
    }
    json_out_array_end(json);
    json_out_object_end(json);
    json_out_array_end(json);
    json_out_object_end(json);
}

/* A number, or what a bug check says with one: a level, a status, a routine. */
static void write_bugcheck_parameter(
    struct schema_writer *writer, const char *key, const struct form *form)
{
    static const enum nt_type types[] = {NT_KIRQL, NT_NTSTATUS};
    struct json_out *json = &writer->json;
    const char *name;

    (void)form;
    json_out_object(json, key);
    json_out_array(json, "anyOf");
    json_schema_ref_type(writer, NULL, SCHEMA_MATCH, NT_ULONG64);
    json_out_object(json, NULL);
    json_out_array(json, "enum");
    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
        for (size_t n = 0; (name = constant_name(types[i], n)) != NULL; n++) {
            json_out_string(json, NULL, name);
        }
    }
    for (size_t n = 0; (name = name_of_routine(n, NULL)) != NULL; n++) {
        json_out_string(json, NULL, name);
    }
    json_out_array_end(json);
    json_out_object_end(json);
    json_out_array_end(json);
    json_out_object_end(json);
}

static void write_given(
    struct schema_writer *writer, const char *key, const struct form *form)
{
    const struct form value = {FORM_NUMBER(0, UINT64_MAX)};
    struct json_out *json = &writer->json;

    json_out_object(json, key);
    json_out_array(json, "anyOf");
    json_schema_form(writer, NULL, &value);
    json_schema_ref_mapping(writer, NULL, form->mapping, false);
    json_out_array_end(json);
    json_out_object_end(json);
}

/* How many, or a list of sizes. */
static void write_groups(
    struct schema_writer *writer, const char *key, const struct form *form)
{
    const struct form count = {FORM_NUMBER(form->low, form->high)};
    const struct form sizes = {
        FORM_NUMBERS(1, LIMIT_GROUP_PROCESSORS), .most = form->high};
    struct json_out *json = &writer->json;

    json_out_object(json, key);
    json_out_array(json, "anyOf");
    json_schema_form(writer, NULL, &count);
    json_schema_form(writer, NULL, &sizes);
    json_out_array_end(json);
    json_out_object_end(json);
}

/* A number or 0-3. */
static void write_one_cpus(
    struct schema_writer *writer, const char *key, const struct form *form)
{
    struct json_out *json = &writer->json;

    json_out_object(json, key);
    json_schema_types(writer, "type", JSON_INTEGER | JSON_STRING);
    json_out_number(json, "minimum", form->low);
    json_out_number(json, "maximum", form->high);
    json_out_string(json, "pattern", "^\\$|^" NUMBER "-" NUMBER "$");
    json_out_object_end(json);
}

/* A number, 0-3, a list of these, or all. */
static void write_cpus(
    struct schema_writer *writer, const char *key, const struct form *form)
{
    struct json_out *json = &writer->json;

    json_out_object(json, key);
    json_out_array(json, "anyOf");
    json_schema_word(writer, NULL, form->word);
    write_one_cpus(writer, NULL, form);
    json_schema_open(writer, NULL, JSON_ARRAY, false);
    write_one_cpus(writer, "items", form);
    json_out_number(json, "minItems", 1);
    json_out_object_end(json);
    json_out_array_end(json);
    json_out_object_end(json);
}

/* A type of Windows' or the scenario's; of a field an array too. */
static void write_own_type(
    struct schema_writer *writer, const char *key, const struct form *form)
{
    struct json_out *json = &writer->json;

    json_out_object(json, key);
    json_out_array(json, "anyOf");
    json_schema_ref(writer, NULL, "type");
    write_own_name(writer);
    if (form->shape == SHAPE_FIELD) {
        json_schema_ref_mapping(writer, NULL, form->mapping, true);
    }
    json_out_array_end(json);
    json_out_object_end(json);
}

/* A number, the form's mapping, or a name where the form has a pattern. */
static void write_code(
    struct schema_writer *writer, const char *key, const struct form *form)
{
    const struct form number = {
        FORM_NUMBER(0, UINT32_MAX), .written = form->written};
    struct json_out *json = &writer->json;

    json_out_object(json, key);
    json_out_array(json, "anyOf");
    json_schema_form(writer, NULL, &number);
    json_schema_ref_mapping(writer, NULL, form->mapping, form->written);
    if (form->pattern != NULL) {
        write_own_name(writer);
    }
    json_out_array_end(json);
    json_out_object_end(json);
}

/* The form's mapping, or its word. */
static void write_stored(
    struct schema_writer *writer, const char *key, const struct form *form)
{
    key = json_schema_word_or(writer, key, form);
    json_schema_ref_mapping(writer, key, form->mapping, false);
    json_schema_word_or_end(writer, form);
}

/* The values of a key of the registry by their names, or the form's word. */
static void write_key(
    struct schema_writer *writer, const char *key, const struct form *form)
{
    key = json_schema_word_or(writer, key, form);
    json_schema_open(writer, key, JSON_OBJECT, true);
    write_stored(writer, "additionalProperties", form);
    json_out_object_end(&writer->json);
    json_schema_word_or_end(writer, form);
}

void json_schema_special(
    struct schema_writer *writer, const char *key, const struct form *form)
{
    static void (*const shapes[SHAPE_COUNT])(
        struct schema_writer *, const char *, const struct form *) = {
        [SHAPE_RULINGS] = write_rulings,
        [SHAPE_AXES] = write_axes,
        [SHAPE_ROWS] = write_rows,
        [SHAPE_RATE] = write_rate,
        [SHAPE_RATES] = write_rates,
        [SHAPE_TOTALS] = write_totals,
        [SHAPE_DRIVER] = write_driver,
        [SHAPE_BRANCHES] = write_branches,
        [SHAPE_NAMED_VALUES] = write_named_values,
        [SHAPE_HANDLER_ARGUMENTS] = write_handler_arguments,
        [SHAPE_PATTERN] = write_pattern,
        [SHAPE_LAYOUT] = write_layout,
        [SHAPE_COLLECTED] = write_collected,
        [SHAPE_BUGCHECK_CODE] = write_bugcheck_code,
        [SHAPE_BUGCHECK_PARAMETER] = write_bugcheck_parameter,
        [SHAPE_CYCLES] = write_cycles,
        [SHAPE_CPUS] = write_cpus,
        [SHAPE_GROUPS] = write_groups,
        [SHAPE_GIVEN] = write_given,
        [SHAPE_KEY] = write_key,
        [SHAPE_STORED] = write_stored,
        [SHAPE_OWN_TYPE] = write_own_type,
        [SHAPE_FIELD] = write_own_type,
        [SHAPE_CODE] = write_code,
    };

    assert(shapes[form->shape] != NULL);
    shapes[form->shape](writer, key, form);
}
