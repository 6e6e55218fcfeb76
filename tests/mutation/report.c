/* report.c - a line at a time. */
#include "tests/mutation/report.h"

#include <assert.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What an instance comes to when nothing is wrong. */
static const char *const quiet[] = {"PASS", "XFAIL", "SKIP"};

static bool is_quiet(const char *result)
{
    for (size_t i = 0; i < sizeof(quiet) / sizeof(quiet[0]); i++) {
        if (strcmp(result, quiet[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* Objects while they are read, for each id once. */
struct noticed {
    json_t *instances, *requirements, *cited;
};

static void read_result(struct noticed *noticed, const json_t *line)
{
    const char *id = json_string_value(json_object_get(line, "id"));
    const char *result = json_string_value(json_object_get(line, "result"));
    const json_t *requirements = json_object_get(line, "requirements");
    const json_t *requirement;
    size_t i;

    if (id == NULL || result == NULL) {
        return;
    }
    if (!is_quiet(result)) {
        json_object_set_new(noticed->instances, id, json_true());
    }
    json_array_foreach(requirements, i, requirement)
    {
        const char *cited =
            json_string_value(json_object_get(requirement, "id"));

        if (cited == NULL) {
            continue;
        }
        json_object_set_new(noticed->cited, cited, json_true());
        /* Of an expected failure, a failed one is no news. */
        if (!is_quiet(result) &&
            json_is_true(json_object_get(requirement, "failed"))) {
            json_object_set_new(noticed->requirements, cited, json_true());
        }
    }
}

/* The keys; the object is released. */
static json_t *keys(json_t *object)
{
    json_t *list = json_array();
    const char *key;
    json_t *value;

    json_object_foreach(object, key, value)
    {
        json_array_append_new(list, json_string(key));
    }
    json_decref(object);
    return list;
}

json_t *report_read(const char *path)
{
    struct noticed noticed = {json_object(), json_object(), json_object()};
    FILE *file = fopen(path, "r");
    char *text = NULL;
    size_t size = 0;

    while (file != NULL && getline(&text, &size, file) > 0) {
        json_t *line = json_loads(text, 0, NULL);
        const char *event = json_string_value(json_object_get(line, "event"));

        if (event != NULL && strcmp(event, "result") == 0) {
            read_result(&noticed, line);
        }
        json_decref(line);
    }
    free(text);
    if (file != NULL) {
        fclose(file);
    }
    return json_pack("{so so so}", "instances", keys(noticed.instances),
        "requirements", keys(noticed.requirements), "cited",
        keys(noticed.cited));
}
