/* read_events.c - whether an events expectation is one that a trace can meet.
 */
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/language/event.h"
#include "scenarios/runner/scenario/read_checks.h"
#include "scenarios/runner/scenario/read_steps.h"
#include "scenarios/runner/scenario/reader.h"
#include "scenarios/runner/scenario/step.h"

static void unknown_field(struct reader *reader, const char *event,
    const struct node *key, bool timed)
{
    struct suggestion suggestion = suggest_for(key->text);
    const struct trace_kind *kind;
    struct trace_field field;

    schema_error(&reader->scope.schema, DIAGNOSTIC_UNKNOWN_KEY, key,
        "the event '%s' has no field '%s'", event, key->text);
    for (size_t i = 0; (kind = event_kind(i)) != NULL; i++) {
        for (unsigned k = 0;
             strcmp(kind->name, event) == 0 && trace_field(kind, k, &field);
             k++) {
            suggest_offer(&suggestion, talloc_strndup(reader->scenario,
                                           field.name, field.name_length));
        }
    }
    suggest_offer(&suggestion, "cpu");
    if (timed) {
        suggest_offer(&suggestion, "cycle");
    }
    schema_suggest(&reader->scope.schema, &suggestion);
}

/* One that the machine does not have can be expected of nothing. */
static void check_cpu(struct reader *reader, const struct node *node)
{
    int cpu;

    if (node->kind == NODE_SCALAR && node->text[0] != '$') {
        read_cpu(reader, node, &cpu);
    } else {
        match_check(&reader->scope, reader->scenario, node, NT_ULONG);
    }
}

static void check_field(struct reader *reader, const char *event,
    const struct entry *entry, bool timed)
{
    struct match match = {.scope = &reader->scope, .context = reader->scenario};
    const char *key = entry->key->text;
    struct trace_field field;

    if (strcmp(key, "event") == 0 ||
        match_refuse_idle(&reader->scope.schema, entry->value)) {
        return;
    }
    if (strcmp(key, "cpu") == 0) {
        check_cpu(reader, entry->value);
    } else if (timed && strcmp(key, "cycle") == 0) {
        match_check(&reader->scope, reader->scenario, entry->value, NT_ULONG64);
    } else if (event_field(event, key, &field)) {
        event_field_check(&match, entry->value, &field);
    } else {
        unknown_field(reader, event, entry->key, timed);
    }
}

/* Kinds of one event differ in their fields; one of them has to have all. */
static bool has_all(const struct trace_kind *kind, const struct node *pattern)
{
    struct trace_field field;

    for (size_t i = 0; i < pattern->count; i++) {
        const char *key = pattern->entry[i].key->text;

        if (strcmp(key, "event") != 0 && strcmp(key, "cpu") != 0 &&
            strcmp(key, "cycle") != 0 && !event_kind_field(kind, key, &field)) {
            return false;
        }
    }
    return true;
}

static void check_together(struct reader *reader, const struct node *pattern)
{
    const char *event = node_get(pattern, "event")->text;
    const struct trace_kind *kind;

    for (size_t i = 0; (kind = event_kind(i)) != NULL; i++) {
        if (strcmp(kind->name, event) == 0 && has_all(kind, pattern)) {
            return;
        }
    }
    schema_error(&reader->scope.schema, DIAGNOSTIC_NO_EFFECT, pattern,
        "no '%s' has all of these fields at once", event);
}

static void check_pattern(
    struct reader *reader, const struct node *node, bool timed)
{
    const struct schema *schema = &reader->scope.schema;
    size_t errors = diagnostics_errors(schema->diagnostics);
    const struct node *event;
    size_t n;

    if (node->kind != NODE_MAPPING) {
        schema_error(schema, DIAGNOSTIC_WRONG_TYPE, node,
            "expected an event, {event: name, field: value}");
        return;
    }
    event = node_get(node, "event");
    if (event == NULL || (timed && node_get(node, "cycle") == NULL)) {
        schema_error(schema, DIAGNOSTIC_MISSING_KEY, node, "missing key '%s'",
            event == NULL ? "event" : "cycle");
        return;
    }
    if (!schema_name(schema, event, "event", name_of_event, NULL, &n)) {
        return;
    }
    for (size_t i = 0; i < node->count; i++) {
        check_field(reader, event->text, &node->entry[i], timed);
    }
    if (diagnostics_errors(schema->diagnostics) == errors) {
        check_together(reader, node);
    }
}

static void check_patterns(
    struct reader *reader, const struct node *node, bool timed)
{
    if (node == NULL || !schema_sequence(&reader->scope.schema, node)) {
        return;
    }
    for (size_t i = 0; i < node->count; i++) {
        check_pattern(reader, node->item[i], timed);
    }
}

void check_events(struct reader *reader, const struct step *step,
    const struct node *key, const struct node *value)
{
    const struct schema *schema = &reader->scope.schema;
    const struct node *at;

    reader->scenario->traced = true;
    if (step->kind == STEP_EXPECT) {
        schema_error(schema, DIAGNOSTIC_NO_EFFECT, key,
            "a step without an action has no events");
        diagnostics_hint(schema->diagnostics,
            "expect them of the step during which they come");
        return;
    }
    if (!schema_mapping(schema, value, MAPPING_EVENTS, value)) {
        return;
    }
    if (value->count == 0) {
        schema_error(
            schema, DIAGNOSTIC_NO_EFFECT, value, "nothing is expected here");
        diagnostics_hint(schema->diagnostics, "write in_order, never or at");
        return;
    }
    check_patterns(reader, node_get(value, "in_order"), false);
    check_patterns(reader, node_get(value, "never"), false);
    at = node_get(value, "at");
    if (at != NULL && at->kind == NODE_MAPPING) {
        check_pattern(reader, at, true);
    } else {
        check_patterns(reader, at, true);
    }
}
