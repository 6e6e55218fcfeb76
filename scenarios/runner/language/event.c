/* event.c - what the trace can hold, the lists of sim/ and api/ as one, and a
 * record of it against a pattern of events. */
#include "scenarios/runner/language/event.h"

#include <assert.h>
#include <string.h>
#include <talloc.h>

#include "api/core/trace_events.h"
#include "scenarios/runner/language/event_field.h"
#include "scenarios/runner/language/facts.h"
#include "sim/base/trace.h"

const struct trace_kind *event_kind(size_t n)
{
    if (n < SIM_EVENT_COUNT) {
        return &sim_events[n];
    }
    n -= SIM_EVENT_COUNT;
    return n < API_EVENT_COUNT ? &api_events[n] : NULL;
}

const char *name_of_event(size_t n, const void *context)
{
    const struct trace_kind *kind;
    const char *last = "";

    (void)context;
    for (size_t i = 0; (kind = event_kind(i)) != NULL; i++) {
        if (strcmp(kind->name, last) != 0 && n-- == 0) {
            return kind->name;
        }
        last = kind->name;
    }
    return NULL;
}

bool event_kind_field(
    const struct trace_kind *kind, const char *name, struct trace_field *field)
{
    for (unsigned i = 0; trace_field(kind, i, field); i++) {
        if (strlen(name) == field->name_length &&
            memcmp(name, field->name, field->name_length) == 0) {
            return true;
        }
    }
    return false;
}

bool event_field(const char *event, const char *name, struct trace_field *field)
{
    const struct trace_kind *kind;

    for (size_t i = 0; (kind = event_kind(i)) != NULL; i++) {
        if (strcmp(kind->name, event) == 0 &&
            event_kind_field(kind, name, field)) {
            return true;
        }
    }
    return false;
}

bool event_field_check(struct match *match, const struct node *node,
    const struct trace_field *field)
{
    return event_field_match(match, node, field, NULL);
}

/* Whether the record has the value that the pattern's key wants. */
static bool meets(struct match *match, const struct entry *entry,
    const struct trace *trace, size_t n)
{
    const struct trace_record *record = &trace->record[n];
    struct trace_field field;
    struct field_value value = {.number = 0};

    if (strcmp(entry->key->text, "cpu") == 0) {
        return match_number(match, entry->value, NT_ULONG, record->processor);
    }
    if (!event_kind_field(record->kind, entry->key->text, &field)) {
        return false;
    }
    if (field.conversion == 0) {
        value.text =
            talloc_strndup(match->context, field.word, field.word_length);
    } else if (field.conversion == 's') {
        value.text = trace_text_at(trace, record->value[field.value]);
    } else {
        value.number = record->value[field.value];
    }
    return event_field_match(match, entry->value, &field, &value);
}

size_t event_differences(struct match *match, const struct node *pattern,
    const struct trace *trace, size_t n, char **names)
{
    size_t count = 0;

    if (names != NULL) {
        *names = talloc_strdup(match->context, "");
    }
    for (size_t i = 0; i < pattern->count; i++) {
        const char *key = pattern->entry[i].key->text;
        struct match inner = *match;

        /* One report is there already, so none is made. */
        inner.report = "";
        if (strcmp(key, "event") == 0 || strcmp(key, "cycle") == 0 ||
            meets(&inner, &pattern->entry[i], trace, n)) {
            continue;
        }
        if (names != NULL) {
            *names = talloc_asprintf_append_buffer(
                *names, "%s%s", count == 0 ? "" : ", ", key);
        }
        count++;
    }
    return count;
}

/* Its number in the list of all. */
static uint64_t number_of_kind(const struct trace_kind *kind)
{
    uint64_t n = 0;

    while (event_kind(n) != kind) {
        assert(event_kind(n) != NULL);
        n++;
    }
    return n;
}

/* A text of the record. Of statuses only those are heard that a record can
 * have. */
static void exchange_text(struct scope *scope, struct trace *trace,
    const struct trace_field *field, uint64_t *value)
{
    struct facts *facts = scope->facts;
    const char *text;

    if (!facts_heard(facts)) {
        facts_text(facts, trace_text_at(trace, *value));
        return;
    }
    text = facts_text(facts, "");
    if (field->meaning == 'S' && !event_field_is_status(scope->arch, text)) {
        facts_refuse(facts, "a status is none");
        text = "STATUS_SUCCESS";
    }
    *value = trace_text(trace, text);
}

static void exchange_fields(struct scope *scope, struct trace *trace,
    const struct trace_kind *kind, uint64_t value[TRACE_VALUES])
{
    struct trace_field field;

    for (unsigned i = 0; trace_field(kind, i, &field); i++) {
        if (field.conversion == 's') {
            exchange_text(scope, trace, &field, &value[field.value]);
        } else if (field.conversion != 0) {
            value[field.value] = facts_number(scope->facts, value[field.value]);
        }
    }
}

void event_exchange(
    struct scope *scope, struct trace *trace, size_t n, uint32_t processors)
{
    struct facts *facts = scope->facts;
    struct trace_record record = {.kind = event_kind(0)};

    if (!facts_heard(facts)) {
        record = trace->record[n];
    }
    record.kind = event_kind(facts_below(
        facts, number_of_kind(record.kind), SIM_EVENT_COUNT + API_EVENT_COUNT));
    record.time = facts_number(facts, record.time);
    record.processor =
        (uint32_t)facts_below(facts, record.processor, processors);
    exchange_fields(scope, trace, record.kind, record.value);
    if (facts_heard(facts)) {
        trace_add(
            trace, record.time, record.processor, record.kind, record.value);
    }
}

bool event_is(const struct node *pattern, const struct trace *trace, size_t n)
{
    return node_is_word(
        node_get(pattern, "event"), trace->record[n].kind->name);
}

bool event_matches(struct match *match, const struct node *pattern,
    const struct trace *trace, size_t n)
{
    return event_is(pattern, trace, n) &&
           event_differences(match, pattern, trace, n, NULL) == 0;
}
