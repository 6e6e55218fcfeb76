/* report_github.c - --report github: workflow commands of GitHub Actions. It
 * keeps ten errors of a step, so the worst ten are written, one for the same
 * failure of several instances, and a warning that counts the others: an error
 * more would be dropped. */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <talloc.h>

#include "api/text/fnv.h"
#include "scenarios/runner/language/scenario_limits.h"
#include "scenarios/runner/report/report.h"
#include "scenarios/runner/report/report_kind.h"
#include "scenarios/runner/run/verdict.h"
#include "scenarios/runner/text/github_text.h"
#include "scenarios/runner/text/visible_text.h"

enum { GITHUB_KEPT = 10, GITHUB_NAMED = 10, GITHUB_FILE = RESULT_COUNT };

struct annotation {
    unsigned badness; /* a result, or GITHUB_FILE: nothing of it could run */
    size_t number;    /* as they came */
    const char *path;
    struct mark mark;
    const char *title, *message;
    const struct outline *outline; /* of a failure, with what was said of it */
    uint64_t said;                 /* a hash of step and message */
    char *also; /* instances with the same failure; NULL: none */
    size_t others;
};

struct annotations {
    struct annotation *item;
    size_t count;
};

void report_github_begin(struct reporter *reporter)
{
    reporter->state = talloc_zero(reporter, struct annotations);
    assert(reporter->state != NULL);
}

static void add(struct reporter *reporter, struct annotation annotation)
{
    struct annotations *list = reporter->state;

    list->item = talloc_realloc(
        list, list->item, struct annotation, (unsigned)list->count + 1);
    assert(list->item != NULL);
    annotation.number = list->count;
    list->item[list->count++] = annotation;
}

static uint64_t hash_said(const struct failure *failure)
{
    return fnv1a(failure->step) * 31 + fnv1a(failure->message);
}

/* Adds the instance to those that have failed so; false: it is the first. */
static bool add_same(struct annotations *list, const struct instance *instance,
    enum result result, const struct failure *failure)
{
    const uint64_t said = hash_said(failure);

    for (size_t i = 0; i < list->count; i++) {
        struct annotation *one = &list->item[i];

        if (one->said != said || one->outline != instance->outline ||
            one->badness != (unsigned)result ||
            one->mark.line != failure->place->mark.line ||
            one->mark.column != failure->place->mark.column ||
            strcmp(one->path, failure->place->source->path) != 0) {
            continue;
        }
        if (one->others++ < GITHUB_NAMED) {
            one->also = talloc_asprintf_append(
                one->also, "%s%s", one->others == 1 ? "" : ", ", instance->id);
            assert(one->also != NULL);
        }
        return true;
    }
    return false;
}

static void add_failure(struct reporter *reporter,
    const struct instance *instance, const struct verdict *verdict, size_t nth)
{
    void *context = reporter->state;
    enum result result = verdict->result;
    const struct failure *failure = &verdict->failure[nth];
    const char *missing = report_missing_text(context, &verdict->missing);
    char *message;

    if (add_same(context, instance, result, failure)) {
        return;
    }
    message = visible_text(context, failure->message);
    if (failure->call != NULL) {
        message = talloc_asprintf_append(
            message, "\ncall: %s", visible_text(context, failure->call));
    }
    for (size_t i = 0; i < CHECK_COVERS && failure->covers[i] != NULL; i++) {
        message = talloc_asprintf_append(
            message, "%s%s", i == 0 ? "\ncovers: " : ", ", failure->covers[i]);
    }
    if (missing != NULL) {
        message = talloc_asprintf_append(message, "\nimports: %s", missing);
    }
    add(reporter,
        (struct annotation){
            .badness = result,
            .path = failure->place->source->path,
            .mark = failure->place->mark,
            .outline = instance->outline,
            .said = hash_said(failure),
            .also = talloc_strdup(context, ""),
            .title = talloc_asprintf(context, "%s %s%s%s",
                verdict_result_name(result), instance->id,
                failure->step[0] == '\0' ? "" : " step ", failure->step),
            .message = message,
        });
}

void report_github_result(struct reporter *reporter,
    const struct instance *instance, const struct verdict *verdict)
{
    switch (report_class(verdict->result)) {
    case REPORT_PASSED:
    case REPORT_SKIPPED:
    case REPORT_EXPECTED:
        break;
    case REPORT_FAILED:
    case REPORT_BROKEN:
        for (size_t i = 0; i < verdict->failure_count; i++) {
            add_failure(reporter, instance, verdict, i);
        }
        break;
    }
}

/* An error with the notes behind it; returns where the next one is. */
static size_t add_error(
    struct reporter *reporter, const struct diagnostics *errors, size_t at)
{
    void *context = reporter->state;
    const struct diagnostic *error = &errors->item[at++];
    char *message = visible_text(context, error->message);

    if (error->hint != NULL) {
        message = talloc_asprintf_append(
            message, "\n%s", visible_text(context, error->hint));
    }
    for (; at < errors->count && errors->item[at].code == DIAGNOSTIC_NOTE;
         at++) {
        const struct diagnostic *note = &errors->item[at];

        message = talloc_asprintf_append(message, "\n%s:%zu:%zu: %s",
            visible_name(note->path), note->mark.line, note->mark.column,
            visible_text(context, note->message));
    }
    add(reporter, (struct annotation){
                      .badness = GITHUB_FILE,
                      .path = error->path,
                      .mark = error->mark,
                      .title = talloc_asprintf(context, "invalid file, %s",
                          diagnostics_code(error->code)),
                      .message = message,
                  });
    return at;
}

static void put_annotation(const struct annotation *annotation, FILE *out)
{
    fputs("::error file=", out);
    github_text_property(annotation->path, out);
    fprintf(out, ",line=%zu,col=%zu,title=", annotation->mark.line,
        annotation->mark.column);
    github_text_property(annotation->title, out);
    fputs("::", out);
    github_text_data(annotation->message, out);
    if (annotation->others > 0) {
        fprintf(out, "%%0Athe same %zu more time%s, in: ", annotation->others,
            annotation->others == 1 ? "" : "s");
        github_text_data(annotation->also, out);
        fputs(annotation->others > GITHUB_NAMED ? ", ..." : "", out);
    }
    fputc('\n', out);
}

static int compare(const void *left, const void *right)
{
    const struct annotation *a = left, *b = right;

    if (a->badness != b->badness) {
        return a->badness > b->badness ? -1 : 1;
    }
    return a->number < b->number ? -1 : 1;
}

void report_github_end(
    struct reporter *reporter, const struct report_totals *totals)
{
    const struct annotations *list = reporter->state;
    size_t more = 0;

    for (size_t i = 0; i < reporter->file_count; i++) {
        const struct diagnostics *errors = &reporter->file[i].errors;

        for (size_t at = 0; at < errors->count;) {
            at = add_error(reporter, errors, at);
        }
    }
    if (list->count > 0) {
        qsort(list->item, list->count, sizeof(*list->item), compare);
    }
    for (size_t i = 0; i < list->count && i < GITHUB_KEPT; i++) {
        put_annotation(&list->item[i], reporter->out);
    }
    for (size_t i = GITHUB_KEPT; i < list->count; i++) {
        more += 1 + list->item[i].others;
    }
    if (more > 0) {
        fprintf(reporter->out, "::warning::%zu more failure%s\n", more,
            more == 1 ? "" : "s");
    }
    if (totals->not_run > 0) {
        fprintf(reporter->out, "::warning::%s\n",
            report_not_run_text(reporter, totals));
    }
}
