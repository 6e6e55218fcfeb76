/* suite.c - the scenarios below the paths that were named: found, read, checked
 * against each other, made into instances. */
#include "scenarios/runner/scenario/suite.h"

#include <assert.h>
#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <talloc.h>

#include "scenarios/runner/library/kinds.h"
#include "scenarios/runner/scenario/file_readers.h"
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

/* Whether the file stands in the list already, under whatever name. */
static bool was_listed(struct suite *suite, const struct stat *status)
{
    const uint64_t key[2] = {status->st_dev, status->st_ino};
    size_t at;

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

/* The files below the paths, each once. */
struct file_list {
    struct file_read *item;
    size_t count;
};

static void list_file(
    struct suite *suite, struct file_list *list, const struct file_read *file)
{
    size_t room = talloc_array_length(list->item);

    if (list->count == room) {
        list->item = talloc_realloc(
            suite, list->item, struct file_read, more_room(room, room + 1));
        assert(list->item != NULL);
    }
    list->item[list->count++] = *file;
}

static void list_path(
    struct suite *suite, struct file_list *list, const char *path)
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
        if (!was_listed(suite, &status)) {
            list_file(
                suite, list, &(struct file_read){.path = path, .named = true});
        }
        return;
    }
    paths = yaml_paths_below(suite, path, suite->diagnostics);
    for (size_t i = 0; i < paths->count; i++) {
        bool there = stat(paths->item[i], &status) == 0;

        if (!there || !was_listed(suite, &status)) {
            list_file(suite, list, &(struct file_read){.path = paths->item[i]});
        }
    }
}

/* Enters what a file holds. */
static void take_file(struct suite *suite, const struct file_read *file)
{
    enum file_kind kind = file->kind;

    if (kind == FILE_OTHER && file->named) {
        diagnostics_add_file(suite->diagnostics, DIAGNOSTIC_NOT_A_SCENARIO,
            file->path, "the file is not a scenario");
        diagnostics_hint(suite->diagnostics, "its first key must be ntpmu: 1");
        kind = FILE_BROKEN;
    }
    if (kind == FILE_SCENARIO && id_is_taken(suite, file->outline)) {
        kind = FILE_BROKEN;
    }
    if (kind == FILE_OTHER) {
        list_append(suite, &suite->other, &suite->other_count, file->path);
    } else if (kind == FILE_BROKEN) {
        list_append(suite, &suite->broken, &suite->broken_count, file->path);
    } else if (kind == FILE_REQUIREMENTS) {
        suite->requirements_files++;
    } else if (kind == FILE_SCENARIO) {
        add_scenario(suite, file->outline);
    } else {
        suite->parts_files++;
    }
}

static void read_files(
    struct suite *suite, const struct file_list *list, unsigned threads)
{
    bool done = threads > 1 && diagnostics_errors(suite->diagnostics) == 0 &&
                file_readers_read(
                    suite, suite->library, list->item, list->count, threads);

    for (size_t i = 0; i < list->count; i++) {
        struct file_read *file = &list->item[i];

        if (!done) {
            file->kind = scenario_file_read(
                suite, file->path, suite->library, &file->outline);
        }
        take_file(suite, file);
    }
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

struct suite *suite_read(void *context, const struct kinds *kinds,
    char *const *path, size_t path_count)
{
    return suite_read_so(
        context, kinds, path, path_count, &(struct suite_way){.threads = 1});
}

struct suite *suite_read_so(void *context, const struct kinds *kinds,
    char *const *path, size_t path_count, const struct suite_way *way)
{
    struct suite *suite = talloc_zero(context, struct suite);
    struct file_list list = {.count = 0};

    assert(suite != NULL);
    suite->diagnostics = diagnostics_new(suite);
    suite->instances = talloc_zero(suite, struct instances);
    suite->ids = key_index_new(suite);
    suite->seen = key_index_new(suite);
    suite->requirements = requirements_built_in(suite);
    suite->requirements->files = talloc_zero(suite, struct requirements);
    suite->library =
        library_new(suite, kinds, suite->requirements, suite->diagnostics);
    for (size_t i = 0; i < way->given_count; i++) {
        bool right = library_give(suite->library, way->given[i]);

        assert(right); /* the command line's reader has looked at it */
        (void)right;
    }
    for (size_t i = 0; i < path_count; i++) {
        list_path(suite, &list, path[i]);
    }
    read_files(suite, &list, way->threads);
    talloc_free(list.item);
    check_given(suite);
    return suite;
}
