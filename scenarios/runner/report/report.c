/* report.c - failures as people are shown them: the place and its line, what
 * was there instead, the call, requirements, and the command that repeats it.
 */
#include "scenarios/runner/report/report.h"

#include <assert.h>
#include <string.h>
#include <talloc.h>

#include "api/text/utf8.h"
#include "scenarios/runner/language/scenario_limits.h"
#include "scenarios/runner/run/driver_files.h"
#include "scenarios/runner/run/samples.h"
#include "scenarios/runner/run/session.h"
#include "scenarios/runner/run/verdict.h"
#include "scenarios/runner/scenario/outline.h"
#include "scenarios/runner/scenario/scenario.h"
#include "scenarios/runner/text/shell_word.h"
#include "scenarios/runner/text/terminal.h"
#include "scenarios/runner/text/text_width.h"
#include "scenarios/runner/text/visible_text.h"

enum {
    REPORT_GIVEN = 4, /* names of parameters whose values are shown */
};

static void report_requirement(
    const struct requirements *requirements, const char *id, FILE *out)
{
    const struct requirement *requirement = requirements_find(requirements, id);

    assert(requirement != NULL); /* checked when the file was read */
    fprintf(out, "      = source: %s [%c] %s (%s)\n", id, requirement->tag,
        requirement->text, requirement->source);
}

static void print_path(const char *path, FILE *out)
{
    if (path[0] == '-') {
        shell_word_print_quoted(path, out);
    } else {
        shell_word_print(path, out);
    }
}

/* What does not hold by default. */
static void report_rulings(const struct rulings *rulings, FILE *out)
{
    const struct rulings usual = rulings_default();
    const char *before = "      = rulings: ";

    for (size_t i = 0; i < RULING_COUNT; i++) {
        if (rulings->number[i] != usual.number[i]) {
            fprintf(out, "%s%s=%llu", before, ruling_rows[i].id,
                (unsigned long long)rulings->number[i]);
        } else if (rulings->value[i] != usual.value[i]) {
            fprintf(out, "%s%s=%s", before, ruling_rows[i].id,
                ruled_rows[rulings->value[i]].name);
        } else {
            continue;
        }
        before = ", ";
    }
    if (before[0] == ',') {
        fputc('\n', out);
    }
}

/* A call that samples names one instance: it is its own repetition. */
static void report_repro_sampled(const struct sampling *sampling, FILE *out)
{
    fputs("      = repro:  ntpmu", out);
    for (int i = 1; i < sampling->argc; i++) {
        fputc(' ', out);
        shell_word_print(sampling->argv[i], out);
    }
    fputc('\n', out);
}

/* The options that let the calls fail again, whose names have spaces between.
 */
static void report_calls(
    const struct session *session, const char *failed_calls, FILE *out)
{
    for (size_t i = 0; i < session->fail_scope.count; i++) {
        fputs(" --fail-scope ", out);
        shell_word_print(session->fail_scope.item[i], out);
    }
    while (failed_calls[0] != '\0') {
        size_t length = strcspn(failed_calls, " ");
        char *name = talloc_strndup(NULL, failed_calls, length);

        fputs(" --fail ", out);
        shell_word_print(name, out);
        talloc_free(name);
        failed_calls += length + (failed_calls[length] == ' ');
    }
}

/* The command that runs just this instance again. */
static void report_repro(const struct session *session,
    const struct instance *instance, const struct explored *explored,
    const char *failed_calls, FILE *out)
{
    const char *allowed;

    if (session->sampling != NULL && session->sampling->argv != NULL) {
        report_repro_sampled(session->sampling, out);
        return;
    }
    fputs(explored->schedule == NULL ? "      = repro:  ntpmu run "
                                     : "      = replay: ntpmu replay ",
        out);
    print_path(instance->outline->source->path, out);
    fputs(" --id ", out);
    shell_word_print_quoted(instance->id, out);
    for (size_t i = 0;
         instance->native && session->drivers != NULL &&
         (allowed = driver_files_allowed(session->drivers, i)) != NULL;
         i++) {
        fputs(" --allow-driver ", out);
        print_path(allowed, out);
    }
    for (size_t i = 0; i < session->given.count; i++) {
        fputs(" -D ", out);
        shell_word_print_quoted(session->given.item[i], out);
    }
    if (session->strict_imports) {
        fputs(" --strict-imports", out);
    }
    if (session->documented) {
        fputs(" --basis documented", out);
    }
    if (explored->schedule != NULL && instance->native &&
        session->step_drivers) {
        fputs(" --step-drivers", out);
    }
    if (explored->schedule != NULL) {
        fputs(" --schedule ", out);
        shell_word_print(explored->schedule, out);
    }
    if (failed_calls != NULL) {
        report_calls(session, failed_calls, out);
    }
    fputs(" --trace -\n", out);
}

/* What is written at a place, which is on one line. */
static void print_written(const struct node *place, FILE *out)
{
    size_t length;
    const char *line = source_line(place->source, place->mark.line, &length);
    size_t before = utf8_bytes(line, length, place->mark.column - 1);

    text_width_print(line + before,
        utf8_bytes(line + before, length - before, place->width), out);
}

static void print_given(
    const struct outline *outline, const struct node *place, FILE *out)
{
    const struct node *value = place->from;
    char *shown = node_show(NULL, value);

    fputs("      = ", out);
    print_written(place, out);
    fprintf(out, ": %s, ", visible_name(shown));
    talloc_free(shown);
    if (value->source->path[0] == '-') {
        fputs("-D\n", out); /* the command line */
    } else if (value->source == place->source &&
               value->source == outline->source) {
        fprintf(out, "%s line %zu\n", outline_section(outline, value),
            value->mark.line);
    } else {
        fprintf(out, "%s line %zu\n", visible_name(value->source->path),
            value->mark.line);
    }
}

static void walk(const struct outline *outline, const struct node *place,
    size_t *left, FILE *out)
{
    if (place->from != NULL && *left > 0) {
        --*left;
        print_given(outline, place, out);
        return;
    }
    for (size_t i = 0; place->kind != NODE_SCALAR && i < place->count; i++) {
        walk(outline,
            place->kind == NODE_SEQUENCE ? place->item[i]
                                         : place->entry[i].value,
            left, out);
    }
}

/* A line "= $want: STATUS_SUCCESS, cases line 6" for each of the first four
 * names that stand at the place. A node that stands for a parameter knows where
 * its value is written; its own place has the name. */
static void report_given(
    const struct outline *outline, const struct node *place, FILE *out)
{
    size_t left = REPORT_GIVEN;

    /* The scenario as a whole, or a whole step, is no value. */
    if (place->kind == NODE_MAPPING && node_get(place, "steps") != NULL) {
        return;
    }
    walk(outline, place, &left, out);
}

/* In which schedule, of how many, and what decided it. */
static void report_explored(const struct explored *explored, FILE *out)
{
    if (explored->schedule != NULL && explored->schedules > 1) {
        fprintf(out, "      = found:  in %s of %llu schedules\n",
            explored->joined ? "one" : "the last",
            (unsigned long long)explored->schedules);
    }
    if (explored->order != NULL) {
        fprintf(out, "      = order:  %s\n", visible_name(explored->order));
    }
}

const char *report_missing_text(
    void *context, const struct verdict_missing *missing)
{
    return missing->count == 0
               ? NULL
               : talloc_asprintf(context,
                     "of %zu that %s not modelled, %zu never reached",
                     missing->count, missing->count == 1 ? "is" : "are",
                     missing->count - missing->reached);
}

static void report_missing(const struct verdict_missing *missing, FILE *out)
{
    void *context = talloc_new(NULL);
    const char *text = report_missing_text(context, missing);

    if (text != NULL) {
        fprintf(out, "      = imports: %s\n", text);
    }
    talloc_free(context);
}

/* What was not as it is modelled. */
static void report_replaced(const struct verdict_replaced *replaced, FILE *out)
{
    for (size_t i = 0; i < replaced->count; i++) {
        fprintf(out, "%s%s", i == 0 ? "      = replaced: " : ", ",
            replaced->name[i]);
    }
    if (replaced->count > 0) {
        fputc('\n', out);
    }
}

void report_failure_line(const struct instance *instance,
    const struct verdict *verdict, size_t n, FILE *out)
{
    const struct failure *failure = &verdict->failure[n];
    enum result result = verdict->result;
    const struct source *source = failure->place->source;
    struct mark mark = failure->place->mark;

    fprintf(out, "%s:%zu:%zu: %s%s%s %s", visible_name(source->path), mark.line,
        mark.column,
        terminal_colour(
            out, result == RESULT_SKIP ? TERMINAL_NEUTRAL : TERMINAL_BAD),
        verdict_result_name(result), terminal_plain(out), instance->id);
    if (failure->step[0] != '\0') {
        fprintf(out, " step %s", failure->step);
    }
    fprintf(out, ": %s\n", failure->message);
}

void report_failure(const struct session *session,
    const struct instance *instance, const struct verdict *verdict, size_t n,
    FILE *out)
{
    const struct failure *failure = &verdict->failure[n];
    const struct scenario *scenario = verdict->scenario;

    report_failure_line(instance, verdict, n, out);
    diagnostics_print_place(failure->place->source, failure->place->mark,
        failure->place->width, NULL, out);
    report_given(instance->outline, failure->place, out);
    if (failure->call != NULL) {
        fprintf(out, "      = call:   %s\n", failure->call);
    }
    for (size_t i = 0; i < CHECK_COVERS && failure->covers[i] != NULL; i++) {
        report_requirement(session->requirements, failure->covers[i], out);
    }
    if (scenario != NULL) {
        report_rulings(&scenario->rulings, out);
    }
    report_explored(&verdict->explored, out);
    if (failure->failed_at != NULL) {
        fprintf(out, "      = failed: %s\n", visible_name(failure->failed_at));
    }
    report_missing(&verdict->missing, out);
    report_replaced(&verdict->replaced, out);
    report_repro(
        session, instance, &verdict->explored, failure->failed_calls, out);
}

void report_failures(const struct session *session,
    const struct instance *instance, const struct verdict *verdict, FILE *out)
{
    for (size_t i = 0; i < verdict->failure_count; i++) {
        report_failure(session, instance, verdict, i, out);
    }
}
