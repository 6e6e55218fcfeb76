/* report_junit.c - --report junit: the XML of JUnit as Jenkins, GitLab and
 * others read it (tests/reports/junit.xsd). A suite's numbers stand before its
 * cases, so all is kept until the end. Times are 0: the format wants them, and
 * a run has no wall clock. */
#include <assert.h>
#include <stdlib.h>
#include <talloc.h>

#include "scenarios/runner/report/report.h"
#include "scenarios/runner/report/report_kind.h"
#include "scenarios/runner/run/verdict.h"
#include "scenarios/runner/text/visible_text.h"
#include "scenarios/runner/text/xml_out.h"

struct junit_case {
    const struct instance *instance;
    size_t number; /* as they came */
    enum result result;
    const char *message;      /* the first, or why it was skipped */
    const char *text;         /* all of them */
    const char **requirement; /* those that were cited */
    size_t requirements;
    size_t missing, reached; /* imports that are not modelled, and of those */
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

/* A copy of what is written of a verdict, which does not stay. */
static struct junit_case case_of(const struct reporter *reporter,
    const struct instance *instance, const struct verdict *verdict)
{
    struct junit *junit = reporter->state;
    struct junit_case made = {
        .instance = instance,
        .number = junit->count,
        .result = verdict->result,
        .message = talloc_strdup(junit, report_reason(verdict)),
        .text = report_failures_text(junit, reporter, instance, verdict),
        .requirement = talloc_array(
            junit, const char *, (unsigned)verdict->cited_count + 1),
        .requirements = verdict->cited_count,
        .missing = verdict->missing.count,
        .reached = verdict->missing.reached,
    };

    assert(made.message != NULL && made.requirement != NULL);
    for (size_t i = 0; i < verdict->cited_count; i++) {
        made.requirement[i] =
            talloc_strdup(junit, verdict->cited[i].requirement);
    }
    return made;
}

void report_junit_result(struct reporter *reporter,
    const struct instance *instance, const struct verdict *verdict)
{
    struct junit *junit = reporter->state;

    junit->item = talloc_realloc(
        junit, junit->item, struct junit_case, (unsigned)junit->count + 1);
    assert(junit->item != NULL);
    junit->item[junit->count] = case_of(reporter, instance, verdict);
    junit->count++;
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
        found += report_class(item[i].result) == class;
    }
    return found;
}

static void put_property(
    struct xml_out *xml, const char *name, const char *value)
{
    xml_out_element(xml, "property");
    xml_out_attribute(xml, "name", name);
    xml_out_attribute(xml, "value", value);
    xml_out_element_end(xml);
}

static void put_count(struct xml_out *xml, const char *name, size_t count)
{
    char text[24];

    snprintf(text, sizeof(text), "%zu", count);
    put_property(xml, name, text);
}

static void put_properties(struct xml_out *xml, const struct junit_case *item)
{
    const struct outline *scenario = item->instance->outline;

    if (scenario->tag_count + item->requirements + item->missing == 0) {
        return;
    }
    xml_out_element(xml, "properties");
    for (size_t i = 0; i < scenario->tag_count; i++) {
        put_property(xml, "tag", scenario->tag[i]);
    }
    for (size_t i = 0; i < item->requirements; i++) {
        put_property(xml, "requirement", item->requirement[i]);
    }
    if (item->missing > 0) {
        put_count(xml, "imports_missing", item->missing);
        put_count(xml, "imports_reached", item->reached);
    }
    xml_out_element_end(xml);
}

/* <failure> or <error>: the first message, and the whole text in it. */
static void put_problem(struct xml_out *xml, const char *element,
    const char *type, const char *message, const char *text)
{
    xml_out_element(xml, element);
    xml_out_attribute(xml, "type", type);
    xml_out_attribute(xml, "message", message);
    xml_out_cdata(xml, text);
    xml_out_element_end(xml);
}

static void put_skipped(struct xml_out *xml, const char *message)
{
    xml_out_element(xml, "skipped");
    xml_out_attribute(xml, "message", message);
    xml_out_element_end(xml);
}

static void put_verdict(struct xml_out *xml, const struct junit_case *item)
{
    const char *type = verdict_result_name(item->result);

    switch (report_class(item->result)) {
    case REPORT_PASSED:
        break;
    case REPORT_SKIPPED:
    case REPORT_EXPECTED:
        put_skipped(xml, item->message);
        break;
    case REPORT_FAILED:
        put_problem(xml, "failure", type, item->message, item->text);
        break;
    case REPORT_BROKEN:
        put_problem(xml, "error", type, item->message, item->text);
        break;
    }
}

static void begin_case(struct xml_out *xml, const char *name, const char *class)
{
    xml_out_element(xml, "testcase");
    xml_out_attribute(xml, "name", name);
    xml_out_attribute(xml, "classname", class);
    xml_out_attribute(xml, "time", "0");
}

static void put_case(struct xml_out *xml, const struct junit_case *item)
{
    begin_case(xml, item->instance->id, item->instance->outline->id);
    put_properties(xml, item);
    put_verdict(xml, item);
    xml_out_element_end(xml);
}

/* `path` NULL: it is of no file. */
static void begin_suite(struct xml_out *xml, const char *name, const char *path)
{
    xml_out_element(xml, "testsuite");
    xml_out_attribute(xml, "name", name);
    if (path != NULL) {
        xml_out_attribute(xml, "file", visible_name(path));
    }
}

static void put_counts(struct xml_out *xml, size_t tests, size_t failures,
    size_t errors, size_t skipped)
{
    xml_out_number(xml, "tests", tests);
    xml_out_number(xml, "failures", failures);
    xml_out_number(xml, "errors", errors);
    xml_out_number(xml, "skipped", skipped);
    xml_out_attribute(xml, "time", "0");
}

/* A scenario's cases; returns how many. */
static size_t put_suite(
    struct xml_out *xml, const struct junit_case *item, size_t count)
{
    const struct outline *scenario = item->instance->outline;
    size_t own = 1;

    while (own < count && item[own].instance->outline == scenario) {
        own++;
    }
    begin_suite(xml, scenario->id, scenario->source->path);
    put_counts(xml, own, count_class(item, own, REPORT_FAILED),
        count_class(item, own, REPORT_BROKEN),
        count_class(item, own, REPORT_SKIPPED) +
            count_class(item, own, REPORT_EXPECTED));
    for (size_t i = 0; i < own; i++) {
        put_case(xml, &item[i]);
    }
    xml_out_element_end(xml);
    return own;
}

static void put_file(struct xml_out *xml, const struct report_file *file)
{
    char *text = report_errors_text(NULL, file);

    begin_suite(xml, visible_name(file->path), file->path);
    put_counts(xml, 1, 0, 1, 0);
    begin_case(xml, visible_name(file->path), "invalid");
    put_problem(xml, "error", "INVALID", file->errors.item[0].message, text);
    xml_out_element_end(xml);
    xml_out_element_end(xml);
    talloc_free(text);
}

/* What was selected and has no result must not look as if it had not been. */
static void put_not_run(struct xml_out *xml, const char *message)
{
    begin_suite(xml, "not run", NULL);
    put_counts(xml, 1, 0, 0, 1);
    begin_case(xml, "not run", "ntpmu");
    put_skipped(xml, message);
    xml_out_element_end(xml);
    xml_out_element_end(xml);
}

static void begin_suites(struct xml_out *xml, const struct junit *junit,
    size_t files, size_t not_run)
{
    xml_out_element(xml, "testsuites");
    xml_out_attribute(xml, "name", "ntpmu");
    xml_out_number(xml, "tests", junit->count + files + (not_run > 0));
    xml_out_number(
        xml, "failures", count_class(junit->item, junit->count, REPORT_FAILED));
    xml_out_number(xml, "errors",
        count_class(junit->item, junit->count, REPORT_BROKEN) + files);
    xml_out_attribute(xml, "time", "0");
}

void report_junit_end(
    struct reporter *reporter, const struct report_totals *totals)
{
    const struct junit *junit = reporter->state;
    struct xml_out *xml = xml_out_new();

    if (junit->count > 0) {
        qsort(junit->item, junit->count, sizeof(*junit->item), compare);
    }
    begin_suites(xml, junit, reporter->file_count, totals->not_run);
    for (size_t i = 0; i < reporter->file_count; i++) {
        put_file(xml, &reporter->file[i]);
    }
    for (size_t i = 0; i < junit->count;) {
        i += put_suite(xml, &junit->item[i], junit->count - i);
    }
    if (totals->not_run > 0) {
        put_not_run(xml, report_not_run_text(reporter, totals));
    }
    xml_out_element_end(xml);
    xml_out_end(xml, reporter->out);
}
