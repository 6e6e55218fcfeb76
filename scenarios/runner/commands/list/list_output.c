/* list_output.c - text for people and scripts, JSON for tools. */
#include "scenarios/runner/commands/list/list_output.h"

#include <string.h>

void list_text(const struct instance *instance, bool title, FILE *out)
{
    if (title) {
        fprintf(out, "%s: %s\n", instance->id, instance->outline->title);
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

void list_json(const struct instance *instance, struct json_out *json)
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

enum exit_code list_dropped(const struct suite *suite,
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
