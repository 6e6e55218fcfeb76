/* event.h - what the trace can hold, the machine's events and the kernel's, and
 * whether a record is as a pattern says: {event: wrmsr, index: IA32_PMC0}. */
#ifndef RUNNER_LANGUAGE_EVENT_H
#define RUNNER_LANGUAGE_EVENT_H

#include <stdbool.h>
#include <stddef.h>

#include "scenarios/runner/language/match.h"
#include "scenarios/runner/language/schema.h"
#include "sim/base/trace.h"

/* Each event's name, once. */
schema_nth name_of_event;

/* The n-th kind of record; NULL: no more. Kinds of one event stand side by
 * side and agree in what a field means. */
const struct trace_kind *event_kind(size_t n);

/* A field that an event has, or one kind of it. Returns false when there is
 * none of that name. */
bool event_field(
    const char *event, const char *name, struct trace_field *field);
bool event_kind_field(
    const struct trace_kind *kind, const char *name, struct trace_field *field);

/* Whether `node` can be expected of the field; the scope checks, and errors are
 * reported. */
bool event_field_check(struct match *match, const struct node *node,
    const struct trace_field *field);

/* How many of the pattern's keys the n-th record does not meet; a field that it
 * does not have is not met. `names`, unless it is NULL, is set to a list of
 * them, child of match->context. `event` and `cycle` are not looked at. */
size_t event_differences(struct match *match, const struct node *pattern,
    const struct trace *trace, size_t n, char **names);

/* The n-th record as a fact, on one of that many processors. What is heard is
 * added to the trace. */
void event_exchange(
    struct scope *scope, struct trace *trace, size_t n, uint32_t processors);

/* Whether it is a record of the pattern's event, and it meets all keys. */
bool event_is(const struct node *pattern, const struct trace *trace, size_t n);
bool event_matches(struct match *match, const struct node *pattern,
    const struct trace *trace, size_t n);

#endif
