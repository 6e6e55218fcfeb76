/* report_junit.c - the XML of JUnit as Jenkins, GitLab and others read it
 * (tests/reports/junit.xsd). A suite's numbers stand before its cases, so all
 * is kept until the end. Times are 0: the format wants them, and a run has no
 * wall clock. */
#define _POSIX_C_SOURCE 200809L
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/report/report.h"
#include "scenarios/runner/report/report_kind.h"
#include "scenarios/runner/text/xml_out.h"

struct junit_case {
    const struct instance *instance; /* NULL: an invalid file, or none */
    size_t number;                   /* as they came */
    enum report_class class;
    const char *text; /* the element */
};

struct junit {
    struct junit_case *item;
    size_t count;
};

void report_junit_begin(struct reporter *reporter)
{
    reporter->state = talloc_zero(reporter, struct junit);
    assert(reporter->state != NULL);
}

static void put_property(const char *name, const char *value, FILE *out)
{
    fputs("        <property", out);
    xml_attribute("name", name, out);
    xml_attribute("value", value, out);
    fputs("/>\n", out);
}

static void put_properties(
    const struct instance *instance, const struct verdict *verdict, FILE *out)
{
    const struct outline *scenario = instance->outline;

    if (scenario->tag_count + verdict->cited_count == 0) {
        return;
    }
    fputs("      <properties>\n", out);
    for (size_t i = 0; i < scenario->tag_count; i++) {
        put_property("tag", scenario->tag[i], out);
    }
    for (size_t i = 0; i < verdict->cited_count; i++) {
        put_property("requirement", verdict->cited[i].requirement, out);
    }
    fputs("      </properties>\n", out);
}

/* <failure> or <error>: the first message, and the whole text in it. */
static void put_problem(const char *element, const char *type,
    const char *message, const char *text, FILE *out)
{
    fprintf(out, "      <%s", element);
    xml_attribute("type", type, out);
    xml_attribute("message", message, out);
    fputc('>', out);
    xml_cdata(text, out);
    fprintf(out, "</%s>\n", element);
}

static void put_skipped(const char *message, FILE *out)
{
    fputs("      <skipped", out);
    xml_attribute("message", message, out);
    fputs("/>\n", out);
}

static void put_case_head(const char *name, const char *class, FILE *out)
{
    fputs("    <testcase", out);
    xml_attribute("name", name, out);
    xml_attribute("classname", class, out);
    fputs(" time=\"0\">\n", out);
}

static void put_verdict(const struct reporter *reporter,
    const struct instance *instance, const struct verdict *verdict, FILE *out)
{
    char *text =
        report_failures_text(reporter->state, reporter, instance, verdict);
    const char *type = report_result_name(verdict->result);

    switch (report_class(verdict->result)) {
    case REPORT_PASSED:
        break;
    case REPORT_SKIPPED:
    case REPORT_EXPECTED:
        put_skipped(report_reason(verdict), out);
        break;
    case REPORT_FAILED:
        put_problem("failure", type, report_reason(verdict), text, out);
        break;
    case REPORT_BROKEN:
        put_problem("error", type, report_reason(verdict), text, out);
        break;
    }
    talloc_free(text);
}

void report_junit_result(struct reporter *reporter,
    const struct instance *instance, const struct verdict *verdict)
{
    struct junit *junit = reporter->state;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    int closed;

    assert(out != NULL);
    put_case_head(instance->id, instance->outline->id, out);
    put_properties(instance, verdict, out);
    put_verdict(reporter, instance, verdict, out);
    fputs("    </testcase>\n", out);
    closed = fclose(out);
    assert(closed == 0);
    (void)closed;
    junit->item = talloc_realloc(
        junit, junit->item, struct junit_case, (unsigned)junit->count + 1);
    assert(junit->item != NULL);
    junit->item[junit->count] = (struct junit_case){
        .instance = instance,
        .number = junit->count,
        .class = report_class(verdict->result),
        .text = talloc_strdup(junit, text),
    };
    junit->count++;
    free(text);
}

/* The suite's instances lie in one array, those of a scenario side by side. */
static int compare(const void *left, const void *right)
{
    const struct junit_case *a = left, *b = right;

    if (a->instance != b->instance) {
        return a->instance < b->instance ? -1 : 1;
    }
    return a->number < b->number ? -1 : 1;
}

static size_t count_class(
    const struct junit_case *item, size_t count, enum report_class class)
{
    size_t found = 0;

    for (size_t i = 0; i < count; i++) {
        found += item[i].class == class;
    }
    return found;
}

static void put_number(const char *name, size_t number, FILE *out)
{
    fprintf(out, " %s=\"%zu\"", name, number);
}

/* A scenario's cases; returns how many. */
static size_t put_suite(const struct junit_case *item, size_t count, FILE *out)
{
    const struct outline *scenario = item->instance->outline;
    size_t own = 1;

    while (own < count && item[own].instance->outline == scenario) {
        own++;
    }
    fputs("  <testsuite", out);
    xml_attribute("name", scenario->id, out);
    xml_attribute("file", scenario->source->path, out);
    put_number("tests", own, out);
    put_number("failures", count_class(item, own, REPORT_FAILED), out);
    put_number("errors", count_class(item, own, REPORT_BROKEN), out);
    put_number("skipped",
        count_class(item, own, REPORT_SKIPPED) +
            count_class(item, own, REPORT_EXPECTED),
        out);
    fputs(" time=\"0\">\n", out);
    for (size_t i = 0; i < own; i++) {
        fputs(item[i].text, out);
    }
    fputs("  </testsuite>\n", out);
    return own;
}

static void put_file(struct reporter *reporter, const struct report_file *file)
{
    FILE *out = reporter->out;
    char *text = report_errors_text(reporter->state, file);

    fputs("  <testsuite", out);
    xml_attribute("name", file->path, out);
    xml_attribute("file", file->path, out);
    fputs(" tests=\"1\" failures=\"0\" errors=\"1\" skipped=\"0\" "
          "time=\"0\">\n",
        out);
    put_case_head(file->path, "invalid", out);
    put_problem("error", "INVALID", file->errors.item[0].message, text, out);
    fputs("    </testcase>\n  </testsuite>\n", out);
    talloc_free(text);
}

/* What was selected and has no result must not look as if it had not been. */
static void put_not_run(size_t count, FILE *out)
{
    char message[64];

    snprintf(
        message, sizeof(message), "%zu selected instances were not run", count);
    fputs("  <testsuite name=\"not run\" tests=\"1\" failures=\"0\" "
          "errors=\"0\" skipped=\"1\" time=\"0\">\n",
        out);
    put_case_head("not run", "ntpmu", out);
    put_skipped(message, out);
    fputs("    </testcase>\n  </testsuite>\n", out);
}

void report_junit_end(
    struct reporter *reporter, const struct report_totals *totals)
{
    const struct junit *junit = reporter->state;
    FILE *out = reporter->out;
    size_t files = reporter->file_count;

    if (junit->count > 0) {
        qsort(junit->item, junit->count, sizeof(*junit->item), compare);
    }
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
          "<testsuites name=\"ntpmu\"",
        out);
    put_number("tests", junit->count + files + (totals->not_run > 0), out);
    put_number(
        "failures", count_class(junit->item, junit->count, REPORT_FAILED), out);
    put_number("errors",
        count_class(junit->item, junit->count, REPORT_BROKEN) + files, out);
    fputs(" time=\"0\">\n", out);
    for (size_t i = 0; i < files; i++) {
        put_file(reporter, &reporter->file[i]);
    }
    for (size_t i = 0; i < junit->count;) {
        i += put_suite(&junit->item[i], junit->count - i, out);
    }
    if (totals->not_run > 0) {
        put_not_run(totals->not_run, out);
    }
    fputs("</testsuites>\n", out);
}
