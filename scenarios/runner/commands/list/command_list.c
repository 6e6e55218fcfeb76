/* command_list.c - ntpmu list: what `run` with the same options would run, as
 * text for people and scripts or as JSON for tools, and what requires leaves
 * out. */
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/command_line/options.h"
#include "scenarios/runner/commands/list/ctest_list.h"
#include "scenarios/runner/selection/selection.h"
#include "scenarios/runner/text/json_out.h"
#include "scenarios/runner/text/visible_text.h"

/* Its id; with `title` the scenario's title behind it. */
static void list_text(const struct instance *instance, bool title, FILE *out)
{
    if (title) {
        fprintf(out, "%s: %s\n", instance->id,
            visible_name(instance->outline->title));
    } else {
        fprintf(out, "%s\n", instance->id);
    }
}

static void begin_object(
    struct json_out *json, const char *id, const struct outline *outline)
{
    const struct node *node = node_get(outline->root, "id");

    json_out_object(json, NULL);
    json_out_string(json, "id", id);
    json_out_string(json, "scenario", outline->id);
    json_out_string(json, "title", outline->title);
    json_out_string(json, "path", outline->source->path);
    json_out_number(json, "line", node->mark.line);
}

static void verdict_key(
    struct json_out *json, const char *key, const struct node *node)
{
    const struct node *result;

    if (node == NULL) {
        return;
    }
    json_out_object(json, key);
    json_out_string(json, "reason", node_get(node, "reason")->text);
    json_out_string(json, "issue", node_get(node, "issue")->text);
    result = node_get(node, "result");
    if (result != NULL) {
        json_out_string(json, "result", result->text);
    }
    json_out_object_end(json);
}

/* An object of the array that is open. */
static void list_json(const struct instance *instance, struct json_out *json)
{
    const struct outline *outline = instance->outline;

    begin_object(json, instance->id, outline);
    json_out_string(json, "os", os_rows[instance->statics.os].name);
    json_out_string(json, "arch", arch_rows[instance->statics.arch].name);
    json_out_array(json, "tags");
    for (size_t i = 0; i < outline->tag_count; i++) {
        json_out_string(json, NULL, outline->tag[i]);
    }
    json_out_array_end(json);
    json_out_bool(json, "native", instance->native);
    verdict_key(json, "skip", instance->skip);
    verdict_key(json, "xfail", instance->xfail);
    json_out_object_end(json);
}

/* Whether one of the ids is the instance's or its scenario's. */
static bool is_named(const struct option_list *ids, const char *instance,
    const struct outline *outline)
{
    for (size_t i = 0; i < ids->count; i++) {
        if (strcmp(ids->item[i], instance) == 0 ||
            strcmp(ids->item[i], outline->id) == 0) {
            return true;
        }
    }
    return ids->count == 0;
}

/* Returns how many there were. */
static size_t dropped(const struct suite *suite, const struct option_list *ids,
    struct json_out *json, FILE *out)
{
    size_t count = 0;

    for (size_t i = 0; i < suite->scenario_count; i++) {
        const struct outline *outline = suite->scenario[i];

        for (size_t k = 0; k < outline->dropped_count; k++) {
            const char *one = outline->dropped[k];

            if (!is_named(ids, one, outline)) {
                continue;
            }
            count++;
            if (json != NULL) {
                begin_object(json, one, outline);
                json_out_object_end(json);
            } else {
                fprintf(out, "%s\n", one);
            }
        }
    }
    return count;
}

/* The instances that `requires` left out, and what to exit with; `files` is
 * what the files alone decide. */
static enum exit_code list_dropped(const struct suite *suite,
    const struct options *options, enum exit_code files)
{
    struct json_out json = {.out = stdout};
    bool as_json = options->format == FORMAT_JSON;
    size_t count;

    if (options->format == FORMAT_CTEST) {
        fprintf(stderr, "ntpmu: --dropped lists what is no test, so not for "
                        "ctest\n");
        return EXIT_USAGE;
    }
    if (as_json) {
        json_out_array(&json, NULL);
    }
    count = dropped(suite, &options->id, as_json ? &json : NULL, stdout);
    if (as_json) {
        json_out_array_end(&json);
    }
    if (count == 0 && options->id.count > 0) {
        fprintf(stderr, "ntpmu: no instance with this id is left out\n");
        return EXIT_NOTHING;
    }
    return files;
}

static void list_selected(
    const struct suite *suite, const struct options *options)
{
    const struct instances *instances = suite->instances;
    struct json_out json = {.out = stdout};

    if (options->format == FORMAT_CTEST) {
        ctest_list(suite, stdout);
        return;
    }
    if (options->format == FORMAT_TEXT) {
        for (size_t i = 0; i < instances->count; i++) {
            list_text(&instances->item[i], options->verbose, stdout);
        }
        return;
    }
    json_out_array(&json, NULL);
    for (size_t i = 0; i < instances->count; i++) {
        list_json(&instances->item[i], &json);
    }
    json_out_array_end(&json);
}

enum exit_code command_list(const struct options *options)
{
    struct suite *suite = selection_read(NULL, options);
    enum exit_code files = selection_judge_files(suite);
    enum exit_code code;

    if (options->format != FORMAT_CTEST) {
        selection_print_files(suite, stderr);
    }
    if (options->dropped) {
        code = list_dropped(suite, options, files);
        talloc_free(suite);
        return code;
    }
    code = selection_apply(suite, options, stderr);
    list_selected(suite, options);
    if (options->format == FORMAT_CTEST) {
        /* A broken file is a test that fails, so the list itself is fine. */
        code = code == EXIT_INVALID ? EXIT_OK : code;
    } else {
        code = code == EXIT_OK ? files : code;
    }
    talloc_free(suite);
    return code;
}
