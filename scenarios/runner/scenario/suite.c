/* suite.c - the scenarios below the paths that were named: found, read, checked
 * against each other, made into instances. */
#include "scenarios/runner/scenario/suite.h"

#include <assert.h>
#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <talloc.h>

#include "scenarios/runner/scenario/kinds.h"
#include "scenarios/runner/text/key_index.h"
#include "scenarios/runner/yaml/yaml_paths.h"

/* How many places a list gets that has too few. */
static unsigned more_room(size_t room, size_t wanted)
{
    return (unsigned)(2 * room > wanted ? 2 * room : wanted);
}

static void list_append(
    void *context, const char ***list, size_t *count, const char *path)
{
    size_t room = talloc_array_length(*list);

    if (*count == room) {
        *list = talloc_realloc(
            context, *list, const char *, more_room(room, *count + 1));
        assert(*list != NULL);
    }
    (*list)[(*count)++] = path;
}

/* Two scenarios must not have one id. */
static bool id_is_taken(struct suite *suite, const struct outline *scenario)
{
    const struct node *node = node_get(scenario->root, "id");
    const struct outline *other;
    const struct node *first;
    size_t at;

    if (!key_index_find(suite->ids, scenario->id, strlen(scenario->id), &at)) {
        return false;
    }
    other = suite->scenario[at];
    first = node_get(other->root, "id");
    diagnostics_add(suite->diagnostics, DIAGNOSTIC_DUPLICATE_ID,
        scenario->source, node->mark, node->width,
        "id '%s' stands in two files", scenario->id);
    diagnostics_add(suite->diagnostics, DIAGNOSTIC_NOTE, other->source,
        first->mark, first->width, "first used here");
    return true;
}

/* Whether the file was read already, under whatever name. */
static bool was_read(struct suite *suite, const char *path)
{
    struct stat status;
    uint64_t key[2];
    size_t at;

    if (stat(path, &status) != 0) {
        return false;
    }
    key[0] = status.st_dev;
    key[1] = status.st_ino;
    if (key_index_find(suite->seen, key, sizeof(key), &at)) {
        return true;
    }
    key_index_add(suite->seen, key, sizeof(key), 0);
    return false;
}

static void add_instances(
    struct instances *instances, const struct outline *outline)
{
    size_t room = talloc_array_length(instances->item);
    size_t wanted = instances->count + outline->instances.count;

    if (wanted > room) {
        instances->item = talloc_realloc(instances, instances->item,
            struct instance, more_room(room, wanted));
        assert(instances->item != NULL);
    }
    for (size_t i = 0; i < outline->instances.count; i++) {
        instances->item[instances->count++] = outline->instances.item[i];
    }
}

static void add_scenario(struct suite *suite, struct outline *scenario)
{
    size_t room = talloc_array_length(suite->scenario);

    if (suite->scenario_count == room) {
        suite->scenario = talloc_realloc(suite, suite->scenario,
            struct outline *, more_room(room, room + 1));
        assert(suite->scenario != NULL);
    }
    key_index_add(
        suite->ids, scenario->id, strlen(scenario->id), suite->scenario_count);
    suite->scenario[suite->scenario_count++] = scenario;
    add_instances(suite->instances, scenario);
}

static void read_file(struct suite *suite, const char *path, bool named)
{
    struct outline *scenario;
    enum file_kind kind;

    if (was_read(suite, path)) {
        return; /* named twice, or found below a directory as well */
    }
    kind = scenario_file_read(suite, path, suite->library, &scenario);

    if (kind == FILE_OTHER && named) {
        diagnostics_add_file(suite->diagnostics, DIAGNOSTIC_NOT_A_SCENARIO,
            path, "the file is not a scenario");
        diagnostics_hint(suite->diagnostics, "its first key must be ntpmu: 1");
        kind = FILE_BROKEN;
    }
    if (kind == FILE_SCENARIO && id_is_taken(suite, scenario)) {
        kind = FILE_BROKEN;
    }
    if (kind == FILE_OTHER) {
        list_append(suite, &suite->other, &suite->other_count, path);
    } else if (kind == FILE_BROKEN) {
        list_append(suite, &suite->broken, &suite->broken_count, path);
    } else if (kind == FILE_REQUIREMENTS) {
        suite->requirements_files++;
    } else if (kind == FILE_SCENARIO) {
        add_scenario(suite, scenario);
    } else {
        suite->parts_files++;
    }
}

static void read_path(struct suite *suite, const char *path)
{
    const struct yaml_paths *paths;
    struct stat status;

    if (stat(path, &status) != 0) {
        diagnostics_add_file(suite->diagnostics, DIAGNOSTIC_UNREADABLE, path,
            "%s", strerror(errno));
        list_append(suite, &suite->broken, &suite->broken_count, path);
        return;
    }
    if (!S_ISDIR(status.st_mode)) {
        read_file(suite, path, true);
        return;
    }
    paths = yaml_paths_below(suite, path, suite->diagnostics);
    for (size_t i = 0; i < paths->count; i++) {
        read_file(suite, paths->item[i], false);
    }
}

struct suite *suite_read(void *context, const struct kinds *kinds,
    char *const *path, size_t path_count)
{
    return suite_read_given(context, kinds, path, path_count, NULL, 0);
}

/* A value for nobody is likely misspelt. */
static void check_given(struct suite *suite)
{
    for (size_t i = 0; i < suite->library->given_count; i++) {
        const struct given *given = &suite->library->given[i];

        if (!given->used && suite->broken_count == 0) {
            diagnostics_add_file(suite->diagnostics, DIAGNOSTIC_UNUSED, "-D",
                "no scenario has a parameter '%s'", given->name);
            diagnostics_hint(suite->diagnostics,
                "a scenario's params names those that it has");
        }
    }
}

struct suite *suite_read_given(void *context, const struct kinds *kinds,
    char *const *path, size_t path_count, const char *const *given,
    size_t given_count)
{
    struct suite *suite = talloc_zero(context, struct suite);

    assert(suite != NULL);
    suite->diagnostics = diagnostics_new(suite);
    suite->instances = talloc_zero(suite, struct instances);
    suite->ids = key_index_new(suite);
    suite->seen = key_index_new(suite);
    suite->requirements = requirements_built_in(suite);
    suite->requirements->files = talloc_zero(suite, struct requirements);
    suite->library =
        library_new(suite, kinds, suite->requirements, suite->diagnostics);
    for (size_t i = 0; i < given_count; i++) {
        bool right = library_give(suite->library, given[i]);

        assert(right); /* the command line's reader has looked at it */
        (void)right;
    }
    for (size_t i = 0; i < path_count; i++) {
        read_path(suite, path[i]);
    }
    check_given(suite);
    return suite;
}
