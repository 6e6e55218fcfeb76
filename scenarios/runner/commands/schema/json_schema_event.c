/* json_schema_event.c - the JSON Schema of patterns of events: the fields of
 * the trace. */
#include <stdio.h>
#include <string.h>

#include "scenarios/runner/commands/schema/json_schema_writer.h"
#include "scenarios/runner/language/event.h"
#include "scenarios/runner/language/event_field.h"

static void field_definition(char name[16], char letter)
{
    if (letter == 0) {
        strcpy(name, "field");
    } else {
        snprintf(name, 16, "field.%c", letter);
    }
}

/* One of a list of names: itself, any, not and one_of. */
static void write_named(
    struct schema_writer *writer, const char *key, char letter)
{
    char name[16];

    field_definition(name, letter);
    json_schema_ref(writer, key, name);
}

static void write_field(
    struct schema_writer *writer, const struct trace_field *field)
{
    bool text = field->conversion == 's' || field->conversion == 0;
    char name[40], word[40];

    snprintf(name, sizeof(name), "%.*s", (int)field->name_length, field->name);
    if (field->conversion == 0) {
        const char *const words[] = {word, NULL};

        snprintf(
            word, sizeof(word), "%.*s", (int)field->word_length, field->word);
        json_schema_words(writer, name, words, true);
    } else if (field->meaning == 'S') {
        json_schema_ref_type(writer, name, SCHEMA_MATCH, NT_NTSTATUS);
    } else if (field->meaning == 'L') {
        json_schema_ref_type(writer, name, SCHEMA_MATCH, NT_KIRQL);
    } else if (field->meaning == 0 && !text) {
        json_schema_ref_type(writer, name, SCHEMA_MATCH, NT_ULONG64);
    } else {
        write_named(writer, name, field->meaning);
    }
}

/* The fields that one kind of the event has. */
static void write_kind(
    struct schema_writer *writer, const struct trace_kind *kind, bool timed)
{
    struct json_out *json = &writer->json;
    struct trace_field field;

    json_out_object(json, NULL);
    json_out_object(json, "properties");
    json_out_object(json, "event");
    json_out_object_end(json);
    json_schema_ref_type(writer, "cpu", SCHEMA_MATCH, NT_ULONG);
    if (timed) {
        json_schema_ref_type(writer, "cycle", SCHEMA_MATCH_TIME, NT_ULONG64);
    }
    for (unsigned i = 0; trace_field(kind, i, &field); i++) {
        write_field(writer, &field);
    }
    json_out_object_end(json);
    json_out_bool(json, "additionalProperties", false);
    json_out_object_end(json);
}

/* If it is this event, one of its kinds has all the fields. */
static void write_event(
    struct schema_writer *writer, const char *event, bool timed)
{
    struct json_out *json = &writer->json;
    const struct trace_kind *kind;

    json_out_object(json, NULL);
    json_out_object(json, "if");
    json_out_object(json, "properties");
    json_schema_word(writer, "event", event);
    json_out_object_end(json);
    json_out_array(json, "required");
    json_out_string(json, NULL, "event");
    json_out_array_end(json);
    json_out_object_end(json);
    json_out_object(json, "then");
    json_out_array(json, "anyOf");
    for (size_t i = 0; (kind = event_kind(i)) != NULL; i++) {
        if (strcmp(kind->name, event) == 0) {
            write_kind(writer, kind, timed);
        }
    }
    json_out_array_end(json);
    json_out_object_end(json);
    json_out_object_end(json);
}

static void write_pattern(
    struct schema_writer *writer, const char *name, bool timed)
{
    const struct form events = {FORM_NAME(event)};
    struct json_out *json = &writer->json;
    const char *event;

    json_schema_open(writer, name, JSON_OBJECT, true);
    json_out_array(json, "required");
    json_out_string(json, NULL, "event");
    if (timed) {
        json_out_string(json, NULL, "cycle");
    }
    json_out_array_end(json);
    json_out_object(json, "properties");
    json_schema_form(writer, "event", &events);
    json_out_object_end(json);
    json_out_array(json, "allOf");
    for (size_t i = 0; (event = name_of_event(i, NULL)) != NULL; i++) {
        write_event(writer, event, timed);
    }
    json_out_array_end(json);
    json_out_object_end(json);
}

/* The names of a field's list; any text where there is none. */
static void write_names(
    struct schema_writer *writer, const struct event_field_list *list)
{
    struct json_out *json = &writer->json;
    const char *name;

    if (list->letter == 'R') {
        json_schema_ref(writer, NULL, "register");
        json_schema_ref_type(writer, NULL, SCHEMA_VALUE, NT_ULONG);
        return;
    }
    if (list->names == NULL) {
        json_schema_open(writer, NULL,
            JSON_STRING | JSON_NUMBER | JSON_BOOLEAN | JSON_NULL, false);
        json_out_object_end(json);
        return;
    }
    json_out_object(json, NULL);
    json_out_array(json, "enum");
    json_out_string(json, NULL, "any");
    if (list->none) {
        json_out_string(json, NULL, "none");
    }
    for (size_t i = 0; (name = list->names(i, NULL)) != NULL; i++) {
        json_out_string(json, NULL, name);
    }
    json_out_array_end(json);
    json_out_object_end(json);
    if (list->letter == 'A') {
        /* One that the scenario answers for. */
        json_schema_open(writer, NULL, JSON_STRING, false);
        json_out_string(json, "pattern", PATTERN_NAME);
        json_out_object_end(json);
    }
    json_schema_ref(writer, NULL, "computed");
}

static void write_list(
    struct schema_writer *writer, const struct event_field_list *list)
{
    struct json_out *json = &writer->json;
    char name[16];

    field_definition(name, list->letter);
    json_out_object(json, name);
    json_out_object(json, "if");
    json_out_string(json, "type", "object");
    json_out_object_end(json);
    json_out_object(json, "then");
    json_out_object(json, "properties");
    write_named(writer, "not", list->letter);
    json_schema_open(writer, "one_of", JSON_ARRAY, true);
    write_named(writer, "items", list->letter);
    json_out_number(json, "minItems", 1);
    json_out_object_end(json);
    json_out_object_end(json);
    json_out_bool(json, "additionalProperties", false);
    json_out_number(json, "minProperties", 1);
    json_out_number(json, "maxProperties", 1);
    json_out_object_end(json);
    json_out_object(json, "else");
    json_out_array(json, "anyOf");
    if (list->letter == 'R') {
        json_schema_word(writer, NULL, "any");
    }
    write_names(writer, list);
    json_out_array_end(json);
    json_out_object_end(json);
    json_out_object_end(json);
}

void json_schema_events(struct schema_writer *writer)
{
    const struct event_field_list *list;

    write_pattern(writer, "event", false);
    write_pattern(writer, "timed_event", true);
    for (size_t i = 0; (list = event_field_nth_list(i)) != NULL; i++) {
        write_list(writer, list);
    }
}
