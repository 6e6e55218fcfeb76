/* events.c - expect events: the records between a step's beginning and its end,
 * on all processors: some in an order, some never, some at a cycle. */
#include <assert.h>
#include <inttypes.h>
#include <string.h>
#include <talloc.h>

#include "api/core/show.h"
#include "scenarios/runner/checks/checks.h"
#include "scenarios/runner/language/event.h"
#include "scenarios/runner/language/event_field.h"
#include "scenarios/runner/language/facts.h"
#include "scenarios/runner/language/literal.h"
#include "scenarios/runner/language/match_accepts.h"
#include "scenarios/runner/run/evaluate.h"
#include "scenarios/runner/run/outcome.h"
#include "scenarios/runner/run/run.h"
#include "scenarios/runner/scenario/check_kind.h"
#include "scenarios/runner/scenario/read_cpus.h"
#include "scenarios/runner/scenario/reader.h"
#include "scenarios/runner/scenario/step.h"
#include "sim/machine/strand.h"

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
    uint32_t cpu;

    if (node->kind == NODE_SCALAR && node->text[0] != '$') {
        read_cpu(&reader->scope.schema, reader->scenario->machine.processors,
            node, &cpu);
    } else {
        match_check(&reader->scope, reader->scenario, node, NT_ULONG);
    }
}

/* The values that a field may have. */
static struct match_domain domain_of(
    const struct reader *reader, const char *event, const char *key)
{
    struct match_domain domain =
        match_domain_of(&reader->scope, NT_VOID, false);
    struct trace_field field;

    if (strcmp(key, "cpu") == 0) {
        domain = match_domain_of(&reader->scope, NT_ULONG, false);
        domain.most = reader->scenario->machine.processors - 1;
    } else if (strcmp(key, "cycle") == 0) {
        domain = match_domain_of(&reader->scope, NT_ULONG64, false);
    } else if (event_field(event, key, &field)) {
        domain =
            match_domain_of(&reader->scope, event_field_type(&field), false);
    }
    return domain;
}

/* What a cycle is, a number or a time. */
static uint64_t per_us_of(const struct reader *reader, const char *key)
{
    return strcmp(key, "cycle") == 0 ? reader->scenario->machine.pmu.mhz : 0;
}

static void check_field(struct reader *reader, const char *event,
    const struct entry *entry, bool timed)
{
    struct match match = {.scope = &reader->scope, .context = reader->scenario};
    const char *key = entry->key->text;
    struct trace_field field;

    if (strcmp(key, "event") == 0 ||
        match_refuse_idle(
            &reader->scope, entry->value, domain_of(reader, event, key))) {
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
        reader->scope.per_us = per_us_of(reader, node->entry[i].key->text);
        check_field(reader, event->text, &node->entry[i], timed);
        reader->scope.per_us = 0;
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

static void read_events(struct reader *reader, const struct step *step,
    const struct node *key, const struct node *value)
{
    const struct schema *schema = &reader->scope.schema;
    const struct node *at;

    reader->scenario->traced = true;
    if (!step_has_action(step)) {
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

enum { LINE_BYTES = SHOW_CALL_BYTES + 64 };

static void begin(const struct run *run, struct outcome *outcome)
{
    struct machine *machine = &run->session->machine;
    const struct strand *strand = strand_current(machine);
    uint64_t now = strand == NULL ? machine->now : strand->cpu->time;
    uint32_t processors = machine->config.processors;

    outcome->began = talloc_array(outcome, uint64_t, (unsigned)processors);
    assert(outcome->began != NULL);
    for (uint32_t i = 0; i < processors; i++) {
        uint64_t time = machine_cpu(machine, i)->time;

        /* What a step does elsewhere begins when the step does. */
        outcome->began[i] = now > time ? now : time;
    }
}

/* The records of a step, and how patterns are compared with them. */
struct window {
    const struct evaluation *evaluation;
    struct match match;
    const struct trace *trace;
    size_t first, last;
    uint64_t *began; /* by processor */
};

/* The first match from `from` on; `last` when there is none. */
static size_t find(
    struct window *window, const struct node *pattern, size_t from)
{
    for (size_t i = from; i < window->last; i++) {
        if (event_matches(&window->match, pattern, window->trace, i)) {
            return i;
        }
    }
    return window->last;
}

static char *line_of(const struct window *window, size_t n)
{
    char line[LINE_BYTES];

    trace_format(window->trace, n, line, sizeof(line));
    return talloc_strdup(window->match.context, line);
}

/* Of the pattern's event, the record that differs least; of equal ones the
 * first from `from` on. */
static size_t nearest(
    struct window *window, const struct node *pattern, size_t from)
{
    size_t best = window->last, least = SIZE_MAX;

    for (size_t i = window->first; i < window->last; i++) {
        size_t differences;

        if (!event_is(pattern, window->trace, i)) {
            continue;
        }
        differences =
            event_differences(&window->match, pattern, window->trace, i, NULL);
        if (differences < least ||
            (differences == least && best < from && i >= from)) {
            best = i;
            least = differences;
        }
    }
    return best;
}

/* What comes near to a pattern that no record from `from` on meets. */
static const char *hint(
    struct window *window, const struct node *pattern, size_t from)
{
    size_t n = nearest(window, pattern, from);
    void *context = window->match.context;
    char *names;

    if (n == window->last) {
        return talloc_asprintf(context, "; there is no %s in this step",
            node_get(pattern, "event")->text);
    }
    if (event_differences(&window->match, pattern, window->trace, n, &names) ==
        0) {
        return talloc_asprintf(
            context, "; '%s' comes too early", line_of(window, n));
    }
    return talloc_asprintf(context, "; nearest is '%s', but for its %s",
        line_of(window, n), names);
}

static void fail(struct window *window, const struct node *place,
    const char *name, const char *what)
{
    evaluate_fail(window->evaluation, place, "events: %s %s %s", name,
        node_show(window->match.context, place), what);
}

/* in_order[2], and of a single one: at. */
static const char *name_of(
    const struct window *window, const char *key, size_t n, bool list)
{
    return list ? talloc_asprintf(window->match.context, "%s[%zu]", key, n)
                : key;
}

static void evaluate_in_order(struct window *window, const struct node *list)
{
    void *context = window->match.context;
    size_t from = window->first;

    for (size_t i = 0; i < list->count; i++) {
        const struct node *pattern = list->item[i];
        size_t n = find(window, pattern, from);
        const struct trace_record *before;

        if (n < window->last) {
            from = n + 1;
            continue;
        }
        before =
            from == window->first ? NULL : &window->trace->record[from - 1];
        fail(window, pattern, name_of(window, "in_order", i, true),
            before == NULL
                ? talloc_asprintf(
                      context, "did not come%s", hint(window, pattern, from))
                : talloc_asprintf(context,
                      "did not follow %s at %" PRIu64 " cpu%" PRIu32 "%s",
                      before->kind->name, before->time, before->processor,
                      hint(window, pattern, from)));
        return;
    }
}

static void evaluate_never(struct window *window, const struct node *list)
{
    for (size_t i = 0; i < list->count; i++) {
        size_t n = find(window, list->item[i], window->first);

        if (n < window->last) {
            fail(window, list->item[i], name_of(window, "never", i, true),
                talloc_asprintf(
                    window->match.context, "came: '%s'", line_of(window, n)));
        }
    }
}

/* The records of the step are facts, and when it began on the processor of
 * each. */
static void exchange_window(struct run *run, struct window *window)
{
    struct facts *facts = run->scope.facts;
    struct trace *trace = &run->session->machine.trace;
    uint32_t processors = run->session->machine.config.processors;
    size_t count;

    if (facts == NULL) {
        return;
    }
    count = facts_count(facts, window->last - window->first);
    if (facts_heard(facts)) {
        window->first = trace->count;
        window->began = talloc_zero_array(
            window->match.context, uint64_t, (unsigned)processors);
        assert(window->began != NULL);
    }
    for (size_t i = 0; i < count; i++) {
        uint32_t processor;

        event_exchange(&run->scope, trace, window->first + i, processors);
        processor = trace->record[window->first + i].processor;
        window->began[processor] =
            facts_number(facts, window->began[processor]);
    }
    window->last = window->first + count;
}

/* Cycles from the step's beginning, on the record's processor; negative where
 * that was behind the others. */
static int64_t cycle_of(const struct window *window, size_t n)
{
    const struct trace_record *record = &window->trace->record[n];

    return (int64_t)(record->time - window->began[record->processor]);
}

/* A time, too, can be expected of it. */
static bool match_cycle(struct match *match, struct run *run,
    const struct node *node, uint64_t cycle)
{
    bool met;

    run->scope.per_us = run->scenario->machine.pmu.mhz;
    met = match_number(match, node, NT_ULONG64, cycle);
    run->scope.per_us = 0;
    return met;
}

static void evaluate_at(
    struct window *window, const struct node *pattern, const char *name)
{
    void *context = window->match.context;
    struct match match = window->match;
    struct run *run = window->evaluation->run;
    size_t n = find(window, pattern, window->first);
    size_t count = 0;
    char *cycles = talloc_strdup(context, "");

    if (n == window->last) {
        fail(window, pattern, name,
            talloc_asprintf(context, "did not come%s",
                hint(window, pattern, window->first)));
        return;
    }
    for (size_t i = n; i < window->last; i = find(window, pattern, i + 1)) {
        cycles = count < 8 ? talloc_asprintf_append_buffer(cycles, "%s%" PRId64,
                                 count == 0 ? "" : ", ", cycle_of(window, i))
                           : cycles;
        count++;
    }
    match.report = "";
    match.literals = run->verdict->literals;
    if (count > 1) {
        fail(window, pattern, name,
            talloc_asprintf(context,
                "came %zu times and has to come once: at cycle %s%s", count,
                cycles, count > 8 ? ", ..." : ""));
    } else if (cycle_of(window, n) < 0 ||
               !match_cycle(&match, run, node_get(pattern, "cycle"),
                   (uint64_t)cycle_of(window, n))) {
        fail(window, pattern, name,
            talloc_asprintf(context, "came at cycle %s", cycles));
        if (match.literals != NULL && cycle_of(window, n) >= 0) {
            match.literals->failures++;
        }
    }
}

static void evaluate_each_at(struct window *window, const struct node *at)
{
    if (at->kind == NODE_MAPPING) {
        evaluate_at(window, at, "at");
        return;
    }
    for (size_t i = 0; i < at->count; i++) {
        evaluate_at(window, at->item[i], name_of(window, "at", i, true));
    }
}

static void evaluate_events(const struct evaluation *evaluation)
{
    struct run *run = evaluation->run;
    const struct outcome *outcome = evaluation->outcome;
    static const struct {
        const char *key;
        void (*evaluate)(struct window *window, const struct node *node);
    } parts[] = {
        {"in_order", evaluate_in_order},
        {"never", evaluate_never},
        {"at", evaluate_each_at},
    };
    struct window window = {.evaluation = evaluation,
        .match = {.scope = &run->scope, .context = talloc_new(run->context)},
        .trace = &run->session->machine.trace,
        .first = outcome->first_event,
        .last = outcome->last_event,
        .began = outcome->began};

    evaluate_cites(evaluation);
    exchange_window(run, &window);
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        const struct node *node =
            node_get(evaluation->check->value, parts[i].key);

        if (node != NULL) {
            parts[i].evaluate(&window, node);
        }
        if (run->scope.failure != NULL) {
            evaluate_fail(evaluation, node, "events: %s",
                scope_take_failure(&run->scope));
        }
    }
    talloc_free(window.match.context);
}

const struct check_code check_events = {
    .read = read_events,
    .evaluate = evaluate_events,
    .begin = begin,
};
