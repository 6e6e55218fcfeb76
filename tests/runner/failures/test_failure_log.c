/* test_failure_log.c - the file of --fail-log: what it had is found again by
 * the same command, and nobody else goes on from it. */
#define _GNU_SOURCE
#include "scenarios/runner/failures/failure_log.h"

#include <stdlib.h>
#include <string.h>

#include "scenarios/runner/parts/part_head.h"
#include "tests/rows.h"
#include "tests/runner/directory.h"

static const char *const words[] = {"ntpmu", "run", "a"};
static const char *const other_words[] = {"ntpmu", "run", "b"};
static const struct part_head head = {.program = 1,
    .suite = 2,
    .drivers = 3,
    .part = 1,
    .parts = 1,
    .word = words,
    .words = 3};

struct scene {
    void *memory;
    char *directory, *path;
    char *said; /* on the last open */
};

static void scene_init(struct scene *scene)
{
    *scene = (struct scene){.memory = talloc_new(NULL)};
    scene->directory = directory_new(scene->memory);
    scene->path = talloc_asprintf(scene->memory, "%s/log", scene->directory);
}

static struct failure_log *open_as(
    struct scene *scene, const struct part_head *as)
{
    size_t length = 0;
    FILE *errors;
    struct failure_log *log;

    free(scene->said);
    errors = open_memstream(&scene->said, &length);
    log = failure_log_open(scene->memory, scene->path, as, errors);
    fclose(errors);
    return log;
}

/* Makes the file, with one result. */
static void make(struct scene *scene)
{
    struct failure_log *log = open_as(scene, &head);
    size_t length = 0;

    assert_non_null(log);
    assert_null(failure_log_find(log, "key", &length));
    assert_true(failure_log_add(log, "key", "result", 6));
    talloc_free(log);
}

static void scene_release(struct scene *scene)
{
    free(scene->said);
    directory_remove(scene->directory);
    talloc_free(scene->memory);
}

static void what_it_had_is_found_again(void **state)
{
    struct scene scene;
    struct failure_log *log;
    const uint8_t *found;
    size_t length = 0;

    (void)state;
    scene_init(&scene);
    make(&scene);
    log = open_as(&scene, &head);
    assert_non_null(log);
    assert_string_equal(scene.said, "");
    found = failure_log_find(log, "key", &length);
    assert_int_equal(length, 6);
    assert_memory_equal(found, "result", 6);
    assert_null(failure_log_find(log, "another", &length));
    scene_release(&scene);
}

static struct other_row {
    const char *name;
    struct part_head head;
    const char *want;
} other_rows[] = {
    {"version", {9, 2, 3, 1, 1, words, 3}, "it is of another version of ntpmu"},
    {"command", {1, 2, 3, 1, 1, other_words, 3}, "it is of another command"},
    {"shorter_command", {1, 2, 3, 1, 1, words, 2}, "it is of another command"},
    {"suite", {1, 9, 3, 1, 1, words, 3},
        "the scenarios are others than those that it is of"},
    {"drivers", {1, 2, 9, 1, 1, words, 3},
        "the drivers are others than those that it is of"},
};

static void other_row(void **state)
{
    const struct other_row *row = *state;
    struct scene scene;

    scene_init(&scene);
    make(&scene);
    assert_null(open_as(&scene, &row->head));
    assert_non_null(strstr(scene.said, row->want));
    assert_non_null(open_as(&scene, &head)); /* nothing is lost */
    scene_release(&scene);
}

static void another_run_that_writes_keeps_it(void **state)
{
    struct scene scene;
    struct failure_log *log;

    (void)state;
    scene_init(&scene);
    log = open_as(&scene, &head);
    assert_non_null(log);
    assert_null(open_as(&scene, &head));
    assert_non_null(strstr(scene.said, "another run writes to it"));
    talloc_free(log);
    assert_non_null(open_as(&scene, &head));
    scene_release(&scene);
}

TEST_FILE(test_failure_log)
{
    test_add(
        list, "what_it_had_is_found_again", what_it_had_is_found_again, NULL);
    TEST_ADD_GROUP(list, "of_another", other_row, other_rows);
    test_add(list, "another_run_that_writes_keeps_it",
        another_run_that_writes_keeps_it, NULL);
}
