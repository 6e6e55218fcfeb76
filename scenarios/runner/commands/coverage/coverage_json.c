/* coverage_json.c - an object a requirement, in order of their ids. */
#include <talloc.h>

#include "scenarios/runner/commands/coverage/coverage_print.h"
#include "scenarios/runner/text/json_out.h"

static void print_places(
    struct json_out *json, const struct coverage *coverage, size_t number)
{
    json_out_object(json, "on");
    for (unsigned os = 0; os < OS_COUNT; os++) {
        for (unsigned arch = 0; arch < ARCH_COUNT; arch++) {
            char *place;

            if (!coverage_is_cited_on(coverage, number, os, arch)) {
                continue;
            }
            place = talloc_asprintf(
                NULL, "%s/%s", os_rows[os].name, arch_rows[arch].name);
            json_out_string(json, place,
                coverage_status_word(
                    coverage_status_on(coverage, number, os, arch)));
            talloc_free(place);
        }
    }
    json_out_object_end(json);
}

static void print_requirement(
    struct json_out *json, const struct coverage *coverage, size_t number)
{
    const struct requirement *requirement =
        &coverage->requirements->item[number];
    const char tag[] = {requirement->tag, '\0'};
    char *family = requirement_family(NULL, requirement->id);

    json_out_object(json, NULL);
    json_out_string(json, "id", requirement->id);
    json_out_string(json, "family", family);
    json_out_string(json, "tag", tag);
    json_out_string(json, "status",
        coverage_status_word(coverage_status(coverage, number)));
    if (requirement->untestable != NULL) {
        json_out_string(json, "untestable", requirement->untestable);
    }
    if (requirement->unit != NULL) {
        json_out_string(json, "unit", requirement->unit);
    }
    print_places(json, coverage, number);
    json_out_object_end(json);
    talloc_free(family);
}

void coverage_print_json(const struct coverage *coverage, FILE *out)
{
    struct json_out json = {.out = out};

    json_out_array(&json, NULL);
    for (size_t i = 0; i < coverage->requirements->count; i++) {
        print_requirement(&json, coverage, i);
    }
    json_out_array_end(&json);
}
