/* report_tap.c - --report tap: Test Anything Protocol 14. The plan stands at
 * the end, where it is known, so a report that was cut off has none. */
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/language/scenario_limits.h"
#include "scenarios/runner/report/report.h"
#include "scenarios/runner/report/report_kind.h"
#include "scenarios/runner/run/verdict.h"
#include "scenarios/runner/text/visible_text.h"
#include "scenarios/runner/yaml/yaml_out.h"

/* In a description # and \ are escaped, and nothing ends the line. */
static void put_line_text(const char *text, FILE *out)
{
    char *visible = visible_text(NULL, text);

    for (const char *c = visible; *c != '\0'; c++) {
        if (*c == '#' || *c == '\\') {
            fputc('\\', out);
        }
        fputc(*c, out);
    }
    talloc_free(visible);
}

static void put_point(struct reporter *reporter, bool ok, const char *name)
{
    size_t *points = reporter->state;

    fprintf(reporter->out, "%sok %zu - ", ok ? "" : "not ", ++*points);
    put_line_text(name, reporter->out);
}

/* A line `key: "text"` of a YAML block; NULL: none. YAML has no other sign for
 * what a log takes for a command. */
static void put_text(const char *head, const char *text, FILE *out)
{
    if (text != NULL) {
        fputs(head, out);
        yaml_out_quoted(
            strstr(text, "##[") == NULL ? text : visible_name(text), out);
        fputc('\n', out);
    }
}

static void put_place(const struct mark *mark, FILE *out)
{
    fprintf(
        out, "      line: %zu\n      column: %zu\n", mark->line, mark->column);
}

static void put_diagnostic(const struct diagnostic *diagnostic, FILE *out)
{
    put_text("    - message: ", diagnostic->message, out);
    put_text("      code: ", diagnostics_code(diagnostic->code), out);
    put_text("      path: ", diagnostic->path, out);
    if (diagnostic->source != NULL) {
        put_place(&diagnostic->mark, out);
    }
    put_text("      hint: ", diagnostic->hint, out);
}

static void put_file(struct reporter *reporter, const struct report_file *file)
{
    put_point(reporter, false, file->path);
    fputs("\n  ---\n  result: INVALID\n  errors:\n", reporter->out);
    for (size_t i = 0; i < file->errors.count; i++) {
        put_diagnostic(&file->errors.item[i], reporter->out);
    }
    fputs("  ...\n", reporter->out);
}

void report_tap_begin(struct reporter *reporter)
{
    reporter->state = talloc_zero(reporter, size_t);
    fputs("TAP version 14\n", reporter->out);
    for (size_t i = 0; i < reporter->file_count; i++) {
        put_file(reporter, &reporter->file[i]);
    }
}

static void put_failure(const struct failure *failure, FILE *out)
{
    put_text("    - message: ", failure->message, out);
    put_text("      step: ", failure->step, out);
    put_text("      call: ", failure->call, out);
    put_place(&failure->place->mark, out);
    if (failure->covers[0] != NULL) {
        fputs("      covers:\n", out);
    }
    for (size_t i = 0; i < CHECK_COVERS && failure->covers[i] != NULL; i++) {
        put_text("        - ", failure->covers[i], out);
    }
}

/* Where something is missing. */
static void put_missing(const struct verdict_missing *missing, FILE *out)
{
    if (missing->count > 0) {
        fprintf(out, "  imports_missing: %zu\n  imports_reached: %zu\n",
            missing->count, missing->reached);
    }
}

static void put_passed(const struct verdict *verdict, FILE *out)
{
    fputc('\n', out);
    if (verdict->missing.count > 0) {
        fputs("  ---\n", out);
        put_missing(&verdict->missing, out);
        fputs("  ...\n", out);
    }
}

static void put_failures(struct reporter *reporter,
    const struct instance *instance, const struct verdict *verdict)
{
    FILE *out = reporter->out;

    fprintf(
        out, "\n  ---\n  result: %s\n", verdict_result_name(verdict->result));
    put_text("  path: ", instance->outline->source->path, out);
    put_text("  schedule: ", verdict->explored.schedule, out);
    put_text("  order: ", verdict->explored.order, out);
    put_missing(&verdict->missing, out);
    fputs("  failures:\n", out);
    for (size_t i = 0; i < verdict->failure_count; i++) {
        put_failure(&verdict->failure[i], out);
    }
    fputs("  ...\n", out);
}

void report_tap_result(struct reporter *reporter,
    const struct instance *instance, const struct verdict *verdict)
{
    switch (report_class(verdict->result)) {
    case REPORT_PASSED:
        put_point(reporter, true, instance->id);
        put_passed(verdict, reporter->out);
        break;
    case REPORT_SKIPPED:
        put_point(reporter, true, instance->id);
        fputs(" # SKIP ", reporter->out);
        put_line_text(report_reason(verdict), reporter->out);
        fputc('\n', reporter->out);
        break;
    case REPORT_EXPECTED:
        put_point(reporter, false, instance->id);
        fputs(" # TODO ", reporter->out);
        put_line_text(report_reason(verdict), reporter->out);
        fputc('\n', reporter->out);
        break;
    case REPORT_FAILED:
    case REPORT_BROKEN:
        put_point(reporter, false, instance->id);
        put_failures(reporter, instance, verdict);
        break;
    }
}

void report_tap_end(
    struct reporter *reporter, const struct report_totals *totals)
{
    const size_t *points = reporter->state;

    fprintf(reporter->out, "1..%zu\n", *points);
    if (totals->not_run > 0) {
        fprintf(reporter->out, "Bail out! %s\n",
            report_not_run_text(reporter, totals));
    }
}
