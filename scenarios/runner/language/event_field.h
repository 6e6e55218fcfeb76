/* event_field.h - what a field of an event means, by the letters of
 * sim/base/trace_events.def and api/core/trace_events.def, and what can be
 * expected of it. */
#ifndef RUNNER_LANGUAGE_EVENT_FIELD_H
#define RUNNER_LANGUAGE_EVENT_FIELD_H

#include <stdbool.h>
#include <stdint.h>

#include "scenarios/runner/language/match.h"
#include "sim/base/trace.h"

/* One or the other, as the field's conversion says. */
struct field_value {
    uint64_t number;
    const char *text;
};

/* What a field of texts or registers can be, by its letter. */
struct event_field_list {
    char letter; /* 0: any other text */
    const char *what;
    schema_nth *names; /* all that there are; NULL: any */
    bool none;         /* or the word none */
};

/* NULL after the last one, which is that of letter 0. */
const struct event_field_list *event_field_nth_list(size_t n);

/* Whether the value is as expected. `value` is NULL while the scope checks. */
bool event_field_match(struct match *match, const struct node *node,
    const struct trace_field *field, const struct field_value *value);

/* Whether a record can show a status so. */
bool event_field_is_status(enum arch arch, const char *text);

/* The type of the number that the field has; NT_VOID: it has none. */
enum nt_type event_field_type(const struct trace_field *field);

/* What kind of thing the field has, as a noun. */
const char *event_field_noun(const struct trace_field *field);

#endif
