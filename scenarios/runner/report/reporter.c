/* reporter.c - one report of a run (--report) while it is written: the table of
 * kinds, and what they share. */
#define _POSIX_C_SOURCE 200809L
#include "scenarios/runner/report/reporter.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/output/whole_file.h"
#include "scenarios/runner/report/report.h"
#include "scenarios/runner/report/report_kind.h"
#include "scenarios/runner/run/verdict.h"
#include "scenarios/runner/yaml/yaml_paths.h"

static const struct report_kind {
    const char *name;
    void (*begin)(struct reporter *reporter);
    void (*result)(struct reporter *reporter, const struct instance *instance,
        const struct verdict *verdict);
    void (*end)(struct reporter *reporter, const struct report_totals *totals);
} kinds[] = {
#define REPORT(name, spelling, help)                                           \
    {spelling, report_##name##_begin, report_##name##_result,                  \
        report_##name##_end},
#include "scenarios/runner/report/reports.def"
};

enum { KINDS = sizeof(kinds) / sizeof(kinds[0]) };

static const enum report_class classes[] = {
#define RESULT(name, class) [RESULT_##name] = REPORT_##class,
#include "scenarios/runner/run/results.def"
};

enum report_class report_class(enum result result)
{
    assert(result < RESULT_COUNT);
    return classes[result];
}

const char *report_reason(const struct verdict *verdict)
{
    if (verdict->reason != NULL) {
        return verdict->reason;
    }
    return verdict->failure_count == 0 ? "" : verdict->failure[0].message;
}

static const struct report_kind *find_kind(
    void *context, const char *name, const char **problem)
{
    char *known = talloc_strdup(context, "");

    for (size_t i = 0; i < KINDS; i++) {
        if (strcmp(kinds[i].name, name) == 0) {
            talloc_free(known);
            return &kinds[i];
        }
        known = talloc_asprintf_append(
            known, "%s%s", i == 0 ? " " : ", ", kinds[i].name);
    }
    *problem = talloc_asprintf(
        context, "no kind of report is called '%s'; there is%s", name, known);
    return NULL;
}

struct reporter *reporter_open(
    void *context, const char *kind, const char *path, const char **problem)
{
    const struct report_kind *found = find_kind(context, kind, problem);
    struct reporter *reporter;

    if (found == NULL) {
        return NULL;
    }
    if (yaml_paths_is_yaml(path)) {
        *problem = talloc_asprintf(context,
            "the report would overwrite '%s'; name a file that does not end "
            "in .yaml",
            path);
        return NULL;
    }
    reporter = talloc_zero(context, struct reporter);
    assert(reporter != NULL);
    reporter->kind = found;
    /* A run that ends before its reports do leaves none. */
    reporter->file_out = whole_file_open(reporter, path, WHOLE_FILE_ANY);
    if (reporter->file_out == NULL) {
        *problem = talloc_asprintf(
            context, "cannot write '%s': %s", path, strerror(errno));
        talloc_free(reporter);
        return NULL;
    }
    reporter->out = whole_file_stream(reporter->file_out);
    return reporter;
}

/* An error's notes may speak of other files, but belong to it. */
static void find_files(struct reporter *reporter)
{
    struct diagnostics *ordered =
        diagnostics_in_order(reporter, reporter->run.suite->diagnostics);

    for (size_t i = 0; i < ordered->count; i++) {
        struct diagnostic *item = &ordered->item[i];
        size_t count = reporter->file_count;

        if (item->code != DIAGNOSTIC_NOTE &&
            (count == 0 ||
                strcmp(reporter->file[count - 1].path, item->path) != 0)) {
            reporter->file = talloc_realloc(reporter, reporter->file,
                struct report_file, (unsigned)count + 1);
            assert(reporter->file != NULL);
            reporter->file[count] =
                (struct report_file){item->path, {.item = item}};
            reporter->file_count = ++count;
        }
        assert(count > 0); /* a note follows its error */
        reporter->file[count - 1].errors.count++;
        reporter->file[count - 1].errors.errors +=
            item->code != DIAGNOSTIC_NOTE;
    }
}

void reporter_begin(struct reporter *reporter, const struct report_run *run)
{
    reporter->run = *run;
    find_files(reporter);
    reporter->kind->begin(reporter);
}

void reporter_result(struct reporter *reporter, const struct instance *instance,
    const struct verdict *verdict)
{
    reporter->kind->result(reporter, instance, verdict);
}

bool reporter_end(struct reporter *reporter, const struct report_totals *totals)
{
    reporter->kind->end(reporter, totals);
    reporter->out = NULL;
    return whole_file_finish(reporter->file_out);
}

char *report_not_run_text(void *context, const struct report_totals *totals)
{
    const char *why = totals->interrupted;
    char *text = talloc_asprintf(context, "%zu selected instance%s not run%s%s",
        totals->not_run, totals->not_run == 1 ? " was" : "s were",
        why == NULL ? "" : ": interrupted by SIG", why == NULL ? "" : why);

    assert(text != NULL);
    return text;
}

/* A copy of what a memory stream has; the stream is closed. */
static char *take_text(void *context, FILE *out, char **text)
{
    int closed = fclose(out);
    char *copy = talloc_strdup(context, *text);

    assert(closed == 0 && copy != NULL);
    (void)closed;
    free(*text);
    return copy;
}

char *report_failures_text(void *context, const struct reporter *reporter,
    const struct instance *instance, const struct verdict *verdict)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    assert(out != NULL);
    report_failures(reporter->run.session, instance, verdict, out);
    return take_text(context, out, &text);
}

char *report_errors_text(void *context, const struct report_file *file)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    assert(out != NULL);
    diagnostics_print(&file->errors, out);
    return take_text(context, out, &text);
}
