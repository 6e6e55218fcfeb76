/* expect_events.c - the records between a step's beginning and its end, on all
 * processors: some in an order, some never, some at a cycle. */
#include <assert.h>
#include <inttypes.h>
#include <string.h>
#include <talloc.h>

#include "api/core/show.h"
#include "scenarios/runner/language/event.h"
#include "scenarios/runner/language/literal.h"
#include "scenarios/runner/run/evaluate.h"
#include "scenarios/runner/run/outcome.h"
#include "scenarios/runner/run/run.h"
#include "scenarios/runner/scenario/read_checks.h"
#include "scenarios/runner/scenario/step.h"
#include "sim/machine/strand.h"

enum { LINE_BYTES = SHOW_CALL_BYTES + 64 };

void events_begin(const struct run *run, struct outcome *outcome)
{
    struct machine *machine = &run->session->machine;
    const struct strand *strand = strand_current(machine);
    uint64_t now = strand == NULL ? machine->now : strand->cpu->time;
    uint32_t processors = machine->config.processors;

    outcome->first_event = machine->trace.count;
    if (!step_expects(outcome->step, CHECK_EVENTS)) {
        return;
    }
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

/* Cycles from the step's beginning, on the record's processor; negative where
 * that was behind the others. */
static int64_t cycle_of(const struct window *window, size_t n)
{
    const struct trace_record *record = &window->trace->record[n];

    return (int64_t)(record->time -
                     window->evaluation->outcome->began[record->processor]);
}

static void evaluate_at(
    struct window *window, const struct node *pattern, const char *name)
{
    void *context = window->match.context;
    struct match match = window->match;
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
    match.literals = window->evaluation->run->verdict->literals;
    if (count > 1) {
        fail(window, pattern, name,
            talloc_asprintf(context,
                "came %zu times and has to come once: at cycle %s%s", count,
                cycles, count > 8 ? ", ..." : ""));
    } else if (cycle_of(window, n) < 0 ||
               !match_number(&match, node_get(pattern, "cycle"), NT_ULONG64,
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

void evaluate_events(const struct evaluation *evaluation)
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
        .last = outcome->last_event};

    evaluate_cites(evaluation);
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
