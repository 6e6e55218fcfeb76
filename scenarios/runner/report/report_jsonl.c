/* report_jsonl.c - --report jsonl: the report that other programs read, an
 * object a line, in the order of the run. docs/scenarios.md describes its
 * members. */
#include "scenarios/runner/language/scenario_limits.h"
#include "scenarios/runner/report/report.h"
#include "scenarios/runner/report/report_kind.h"
#include "scenarios/runner/run/verdict.h"
#include "scenarios/runner/text/json_out.h"

enum { JSONL_VERSION = 1 };

/* A member or element that says where something is. */
static void put_place(
    struct json_out *json, const char *path, const struct mark *mark)
{
    json_out_string(json, "path", path);
    if (mark == NULL) {
        json_out_null(json, "line");
        json_out_null(json, "column");
        return;
    }
    json_out_number(json, "line", mark->line);
    json_out_number(json, "column", mark->column);
}

static void put_diagnostic(
    struct json_out *json, const struct diagnostic *diagnostic)
{
    json_out_object(json, NULL);
    json_out_string_or_null(json, "code", diagnostics_code(diagnostic->code));
    put_place(json, diagnostic->path,
        diagnostic->source == NULL ? NULL : &diagnostic->mark);
    json_out_string(json, "message", diagnostic->message);
    json_out_string_or_null(json, "hint", diagnostic->hint);
    json_out_object_end(json);
}

static void put_file(FILE *out, const struct report_file *file)
{
    struct json_out json = {.out = out};

    json_out_object(&json, NULL);
    json_out_string(&json, "event", "invalid");
    json_out_string(&json, "path", file->path);
    json_out_array(&json, "errors");
    for (size_t i = 0; i < file->errors.count; i++) {
        put_diagnostic(&json, &file->errors.item[i]);
    }
    json_out_array_end(&json);
    json_out_object_end(&json);
}

void report_jsonl_begin(struct reporter *reporter)
{
    struct json_out json = {.out = reporter->out};

    json_out_object(&json, NULL);
    json_out_string(&json, "event", "run");
    json_out_number(&json, "version", JSONL_VERSION);
    json_out_array(&json, "command");
    for (int i = 0; i < reporter->run.argc; i++) {
        /* Where the program lies is nobody's business. */
        json_out_string(&json, NULL, i == 0 ? "ntpmu" : reporter->run.argv[i]);
    }
    json_out_array_end(&json);
    json_out_number(&json, "selected", reporter->run.selected);
    json_out_object_end(&json);
    for (size_t i = 0; i < reporter->file_count; i++) {
        put_file(reporter->out, &reporter->file[i]);
    }
}

static void put_failure(
    struct json_out *json, const char *path, const struct failure *failure)
{
    json_out_object(json, NULL);
    put_place(json, path, &failure->place->mark);
    json_out_string(json, "step", failure->step);
    json_out_string(json, "message", failure->message);
    json_out_string_or_null(json, "call", failure->call);
    json_out_array(json, "covers");
    for (size_t i = 0; i < CHECK_COVERS && failure->covers[i] != NULL; i++) {
        json_out_string(json, NULL, failure->covers[i]);
    }
    json_out_array_end(json);
    if (failure->failed_calls != NULL) {
        json_out_string(json, "failed_calls", failure->failed_calls);
        json_out_string_or_null(json, "failed_at", failure->failed_at);
    }
    json_out_object_end(json);
}

static void put_cited(struct json_out *json, const struct cited *cited)
{
    json_out_object(json, NULL);
    json_out_string(json, "id", cited->requirement);
    json_out_bool(json, "failed", cited->failed);
    json_out_bool(json, "hollow", cited->hollow);
    json_out_object_end(json);
}

static void put_head(struct json_out *json, const struct instance *instance,
    const struct verdict *verdict)
{
    const struct outline *scenario = instance->outline;

    json_out_string(json, "event", "result");
    json_out_string(json, "id", instance->id);
    json_out_string(json, "scenario", scenario->id);
    json_out_string(json, "path", scenario->source->path);
    json_out_number(json, "line", node_get(scenario->root, "id")->mark.line);
    json_out_string(json, "os", os_rows[instance->statics.os].name);
    json_out_string(json, "arch", arch_rows[instance->statics.arch].name);
    json_out_string(json, "result", verdict_result_name(verdict->result));
    json_out_number(json, "checks", verdict->checks);
    json_out_array(json, "tags");
    for (size_t i = 0; i < scenario->tag_count; i++) {
        json_out_string(json, NULL, scenario->tag[i]);
    }
    json_out_array_end(json);
}

/* Where several schedules were tried. */
static void put_explored(struct json_out *json, const struct explored *explored)
{
    if (explored->schedules == 0) {
        return;
    }
    json_out_number(json, "schedules", explored->schedules);
    json_out_number(json, "schedules_left", explored->left);
    json_out_string_or_null(json, "schedule", explored->schedule);
    json_out_string_or_null(json, "order", explored->order);
}

/* Where calls were made to fail. */
static void put_calls(struct json_out *json, const struct calls_failed *calls)
{
    if (calls->sites == 0 && calls->left == 0) {
        return;
    }
    json_out_number(json, "calls_failed", calls->sites);
    json_out_number(json, "calls_failed_wrong", calls->failed);
    json_out_number(json, "calls_failed_left", calls->left);
    json_out_number(json, "calls_failed_unjudged", calls->unjudged);
}

/* Where something is missing. */
static void put_missing(
    struct json_out *json, const struct verdict_missing *missing)
{
    if (missing->count == 0) {
        return;
    }
    json_out_array(json, "imports_missing");
    for (size_t i = 0; i < missing->count; i++) {
        json_out_string(json, NULL, missing->name[i]);
    }
    json_out_array_end(json);
    json_out_number(json, "imports_reached", missing->reached);
}

/* Where something was replaced. */
static void put_replaced(
    struct json_out *json, const struct verdict_replaced *replaced)
{
    if (replaced->count == 0) {
        return;
    }
    json_out_array(json, "imports_replaced");
    for (size_t i = 0; i < replaced->count; i++) {
        json_out_string(json, NULL, replaced->name[i]);
    }
    json_out_array_end(json);
}

void report_jsonl_result(struct reporter *reporter,
    const struct instance *instance, const struct verdict *verdict)
{
    struct json_out json = {.out = reporter->out};

    json_out_object(&json, NULL);
    put_head(&json, instance, verdict);
    put_explored(&json, &verdict->explored);
    put_calls(&json, &verdict->calls);
    put_missing(&json, &verdict->missing);
    put_replaced(&json, &verdict->replaced);
    json_out_array(&json, "requirements");
    for (size_t i = 0; i < verdict->cited_count; i++) {
        put_cited(&json, &verdict->cited[i]);
    }
    json_out_array_end(&json);
    json_out_array(&json, "failures");
    for (size_t i = 0; i < verdict->failure_count; i++) {
        put_failure(&json, verdict->failure[i].place->source->path,
            &verdict->failure[i]);
    }
    json_out_array_end(&json);
    json_out_object_end(&json);
}

void report_jsonl_end(
    struct reporter *reporter, const struct report_totals *totals)
{
    struct json_out json = {.out = reporter->out};

    json_out_object(&json, NULL);
    json_out_string(&json, "event", "end");
    json_out_object(&json, "results");
    for (enum result result = 0; result < RESULT_COUNT; result++) {
        json_out_number(
            &json, verdict_result_name(result), totals->count[result]);
    }
    json_out_object_end(&json);
    json_out_number(&json, "not_run", totals->not_run);
    json_out_string_or_null(&json, "interrupted", totals->interrupted);
    json_out_number(&json, "invalid_files", reporter->file_count);
    json_out_object_end(&json);
}
