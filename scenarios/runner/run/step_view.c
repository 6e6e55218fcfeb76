/* step_view.c - what --step shows: a step's line, the lines of the state that
 * differ since the step before, the records of the trace. */
#include "scenarios/runner/run/step_view.h"

#include <assert.h>
#include <ctype.h>
#include <inttypes.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/counters/rows.h"
#include "scenarios/runner/run/outcome.h"
#include "scenarios/runner/run/run.h"
#include "scenarios/runner/run/state_text.h"
#include "scenarios/runner/scenario/step.h"

enum {
    COLUMNS = 80,
    LEVEL = 2,           /* blanks for each step that this one is part of */
    BELOW = 4,           /* from a step's line to those below it */
    VALUE_COLUMNS = 160, /* of a list that is shown whole */
    ACTION_BYTES = 400,  /* of a step as it is written */
};

struct step_view {
    FILE *out;
    struct state_lines *lines; /* of the scenario that runs */
    struct state *state;       /* as it was shown last */
    size_t records;            /* of the trace that were shown */
};

struct step_view *step_view_new(void *context, FILE *out)
{
    struct step_view *view = talloc_zero(context, struct step_view);

    assert(view != NULL);
    view->out = out;
    return view;
}

void step_view_redirect(struct step_view *view, FILE *out)
{
    view->out = out;
}

void step_view_forward(struct step_view *view, const void *text, size_t length)
{
    const unsigned char *at = text;

    for (size_t i = 0; i < length; i++) {
        fputc(at[i] == '\n' || isprint(at[i]) ? at[i] : '?', view->out);
    }
}

void step_view_begin(const struct run *run)
{
    struct step_view *view = run->session->step_view;

    if (view == NULL) {
        return;
    }
    view->lines = state_lines_new(run->context, run->scenario);
    view->state = state_take(run->context, view->lines, run);
    view->records = run->session->machine.trace.count;
    fprintf(view->out, "---- %s\n", run->instance->id);
    fflush(view->out);
}

/* The text from column `indent` on; a line ends at a blank when the next word
 * would pass the last column. */
static void print_wrapped(FILE *out, size_t indent, const char *text)
{
    size_t column = indent;

    fprintf(out, "%*s", (int)indent, "");
    while (*text != '\0') {
        size_t word = 1 + strcspn(text + 1, " ");

        if (text[0] == ' ' && column + word > COLUMNS) {
            fprintf(out, "\n%*s", (int)(indent + BELOW + LEVEL), "");
            column = indent + BELOW + LEVEL - 1;
            fwrite(text + 1, 1, word - 1, out);
        } else {
            fwrite(text, 1, word, out);
        }
        column += word;
        text += word;
    }
    fputc('\n', out);
}

/* Those that its number names: 3.1 is a step of a fragment that 3 uses. */
static size_t depth_of_number(const char *number)
{
    size_t depth = 0;

    for (const char *c = number; *c != '\0'; c++) {
        depth += isdigit((unsigned char)c[0]) && c[1] == '.';
    }
    return depth;
}

/* How many steps this one is part of. A callback's are part of the scenario's
 * step that is open, whichever strand called it: the outer one that it knows of
 * may be another callback's, which has ended. */
static size_t depth_of(const struct run *run, const struct outcome *outcome)
{
    const struct outcome *open = run->open;
    size_t depth = depth_of_number(outcome->step->number);

    if (!outcome->step->in_callback) {
        return outcome->outer == NULL ? depth
                                      : 1 + depth_of(run, outcome->outer);
    }
    while (open != NULL && open->step->in_callback) {
        open = open->opened;
    }
    return depth + 1 + (open == NULL ? 0 : depth_of(run, open));
}

static const char *action_text(
    void *context, const struct run *run, const struct outcome *outcome)
{
    const struct step *step = outcome->step;
    const char *key = step->key->text;

    const char *shown = step->kind->code->show == NULL
                            ? NULL
                            : step->kind->code->show(context, run, outcome);

    if (shown != NULL) {
        return shown;
    }
    if (!step_has_action(step)) {
        return key;
    }
    return talloc_asprintf(context, "%s %.*s", key, (int)ACTION_BYTES,
        node_show(context, node_get(step->node, key)));
}

/* How much a consumer was given. */
static const char *rows_text(void *context, const struct rows *rows)
{
    return talloc_asprintf(context, " = %zu row%s%s", rows->count,
        rows->count == 1 ? "" : "s", rows->cancelled ? ", cancelled" : "");
}

/* What it has read: = 0x5, or = eax 0x5, ebx 0x0. */
static const char *values_text(void *context, const struct outcome *outcome)
{
    struct step_result result;
    bool several = step_result(outcome->step, 1, &result);
    char *text = talloc_strdup(context, " =");

    for (size_t n = 0; step_result(outcome->step, n, &result); n++) {
        text = talloc_asprintf_append_buffer(text, "%s%s%s 0x%" PRIX64,
            n == 0 ? "" : ",", several ? " " : "", several ? result.name : "",
            outcome->value[n]);
    }
    return text;
}

/* What became of it, behind its text. */
static const char *result_text(
    void *context, const struct run *run, const struct outcome *outcome)
{
    const struct step *step = outcome->step;
    char number[NT_STATUS_DIGITS];
    const char *returned;

    if (outcome->failed) {
        return " could not be done";
    }
    if (outcome->raised) {
        return talloc_asprintf(context, " raised %s",
            nt_status_text((uint32_t)outcome->exception, number));
    }
    if (!outcome->finished) {
        return " did not come to its end";
    }
    if (outcome->rows != NULL) {
        return rows_text(context, outcome->rows);
    }
    if (step_reads(step)) {
        return values_text(context, outcome);
    }
    returned = step->kind->code->show_returned == NULL
                   ? NULL
                   : step->kind->code->show_returned(context, run, outcome);
    return returned == NULL ? "" : talloc_asprintf(context, " = %s", returned);
}

/* Whether the line has to say whose step it is. */
static bool is_of_one_of_several(const struct run *run, const struct step *step)
{
    const enum step_whose whose = step->kind->whose;

    return run->scenario->actor_count > 1 && step->branch == 0 &&
           !step->in_callback && whose != WHOSE_BRANCHES &&
           whose != WHOSE_ITS_STEPS && whose != WHOSE_ASKED;
}

static void print_step(void *context, const struct run *run,
    const struct outcome *outcome, size_t indent)
{
    const struct step *step = outcome->step;
    bool whose = is_of_one_of_several(run, step);
    const char *actor = run->scenario->actor[step->actor].driver.name;

    print_wrapped(run->session->step_view->out, indent,
        talloc_asprintf(context, "%s %s%s%s%s",
            outcome_number(context, outcome), whose ? actor : "",
            whose ? ": " : "", action_text(context, run, outcome),
            result_text(context, run, outcome)));
}

/* A value, of a long list how it begins and how long it is. */
static const char *shorten(void *context, const char *text)
{
    size_t elements = 1;
    int cut = VALUE_COLUMNS;

    if (strlen(text) <= VALUE_COLUMNS) {
        return text;
    }
    for (const char *c = text; *c != '\0'; c++) {
        elements += *c == ',';
    }
    while (text[cut] != ',') {
        cut--;
    }
    return talloc_asprintf(
        context, "%.*s, ... %zu in all]", cut, text, elements);
}

/* One line of the state, before and after. */
struct change {
    const struct step_view *view;
    const struct state *now;
    size_t line;
};

static const char *old_text(const struct change *change, uint32_t processor)
{
    return state_text(
        change->view->lines, change->view->state, change->line, processor);
}

static const char *new_text(const struct change *change, uint32_t processor)
{
    return state_text(
        change->view->lines, change->now, change->line, processor);
}

static bool has_changed(const struct change *change, uint32_t processor)
{
    return strcmp(old_text(change, processor), new_text(change, processor)) !=
           0;
}

static bool is_same_change(
    const struct change *change, uint32_t one, uint32_t other)
{
    return strcmp(old_text(change, one), old_text(change, other)) == 0 &&
           strcmp(new_text(change, one), new_text(change, other)) == 0;
}

static void print_change(void *context, const struct change *change,
    const char *where, uint32_t processor, size_t indent)
{
    print_wrapped(change->view->out, indent,
        talloc_asprintf(context, "%s%s %s -> %s", where,
            state_line_name(change->view->lines, change->line),
            shorten(context, old_text(change, processor)),
            shorten(context, new_text(change, processor))));
}

/* cpu 0-2,5: the processors from `first` on that changed in the same way. */
static char *processors_text(void *context, const struct change *change,
    uint32_t first, uint32_t processors)
{
    char *text = talloc_asprintf(context, "cpu %" PRIu32, first);
    uint32_t from = first;

    for (uint32_t i = first + 1; i <= processors; i++) {
        bool same = i < processors && is_same_change(change, first, i);
        bool before = is_same_change(change, first, i - 1);

        if (same && !before) {
            text = talloc_asprintf_append_buffer(text, ",%" PRIu32, i);
            from = i;
        } else if (!same && before && from != i - 1) {
            text = talloc_asprintf_append_buffer(text, "-%" PRIu32, i - 1);
        }
    }
    return talloc_strdup_append_buffer(text, ": ");
}

/* On each processor, those that changed alike together. */
static void print_processors(void *context, const struct change *change,
    uint32_t processors, size_t indent)
{
    for (uint32_t i = 0; i < processors; i++) {
        uint32_t first = 0;

        if (!has_changed(change, i)) {
            continue;
        }
        while (!is_same_change(change, first, i)) {
            first++;
        }
        if (first == i) {
            print_change(context, change,
                processors_text(context, change, i, processors), i, indent);
        }
    }
}

static void print_changes(void *context, const struct run *run,
    const struct state *now, size_t indent)
{
    const struct step_view *view = run->session->step_view;
    struct change change = {view, now, 0};

    for (; change.line < view->lines->per_cpu; change.line++) {
        print_processors(
            context, &change, run->session->machine.config.processors, indent);
    }
    for (; change.line < view->lines->count; change.line++) {
        if (has_changed(&change, 0)) {
            print_change(context, &change, "", 0, indent);
        }
    }
}

/* What a consumer was given, a line a row. */
static void print_rows(void *context, const struct run *run,
    const struct rows *rows, size_t indent)
{
    for (size_t i = 0; rows != NULL && i < rows->count; i++) {
        print_wrapped(
            run->session->step_view->out, indent, row_text(context, rows, i));
    }
}

static void print_records(void *context, const struct run *run, size_t indent)
{
    struct step_view *view = run->session->step_view;
    const struct trace *trace = &run->session->machine.trace;

    for (; view->records < trace->count; view->records++) {
        size_t length = trace_format(trace, view->records, NULL, 0);
        char *line = talloc_array(context, char, (unsigned)length + 1);

        assert(line != NULL);
        trace_format(trace, view->records, line, length + 1);
        fprintf(view->out, "%*s| %s\n", (int)indent, "", line);
    }
}

void step_view_show(const struct run *run, const struct outcome *outcome)
{
    struct step_view *view = run->session->step_view;
    size_t indent;
    struct state *now;
    void *context;

    if (view == NULL) {
        return;
    }
    context = talloc_new(run->context);
    indent = LEVEL * depth_of(run, outcome);
    now = state_take(run->context, view->lines, run);
    print_step(context, run, outcome, indent);
    print_rows(context, run, outcome->rows, indent + BELOW);
    print_changes(context, run, now, indent + BELOW);
    print_records(context, run, indent + BELOW);
    talloc_free(view->state);
    view->state = now;
    talloc_free(context);
    fflush(view->out);
}
