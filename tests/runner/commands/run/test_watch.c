/* test_watch.c - ntpmu run --watch: it runs again after a change of a scenario,
 * of those below a directory too, and after nothing else. */
#define _GNU_SOURCE
#include "scenarios/runner/commands/run/watch.h"

#include <signal.h>

#include "tests/runner/run_scene.h"

#define WAITS "---- waiting for a change, Ctrl-C ends\n"

/* One run, and a second one because of a change. */
static struct watch_row {
    const char *name;
    const char *path; /* that is watched */
    void (*change)(const char *directory, const char *name, const char *text);
    const char *changed, *text;
    const char *want; /* the second run's output */
} watch_rows[] = {
    {"file_changes", "a.yaml", directory_write, "a.yaml",
        RUN_SCENARIO("other", "0"),
        "PASS     other\n1 passed, 0 failed (scenarios: 1, invalid files: "
        "0)\n"},
    {"file_of_a_directory_changes", ".", directory_write, "a.yaml",
        RUN_SCENARIO("other", "0"),
        "PASS     other\n1 passed, 0 failed (scenarios: 1, invalid files: "
        "0)\n"},
    {"file_is_added", ".", directory_put, "b.yaml", RUN_SCENARIO("two", "0"),
        "PASS     one\nPASS     two\n"
        "2 passed, 0 failed (scenarios: 2, invalid files: 0)\n"},
    {"file_below_is_added", ".", directory_put, "d/b.yaml",
        RUN_SCENARIO("two", "0"),
        "PASS     one\nPASS     two\n"
        "2 passed, 0 failed (scenarios: 2, invalid files: 0)\n"},
};

static void begin(struct run_scene *scene, const char *path)
{
    const char *const words[] = {
        "run", "--watch", "--verbose", "--trace", "t.txt", path, NULL};
    int ends[2];

    run_scene_init(scene);
    directory_write(scene->directory, "a.yaml", RUN_SCENARIO("one", "0"));
    directory_make(scene->directory, "d");
    assert_int_equal(pipe(ends), 0);
    scene->output = ends[0];
    scene->child = fork();
    if (scene->child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        dup2(ends[1], STDERR_FILENO);
        run_scene_live(scene, words);
    }
    close(ends[1]);
    run_scene_read(scene, 0, WAITS);
}

/* It ends only so. */
static void end(struct run_scene *scene)
{
    int status;

    kill(scene->child, SIGINT);
    status = run_scene_wait(scene);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGINT);
    run_scene_release(scene);
}

static void watch_row(void **state)
{
    const struct watch_row *row = *state;
    struct run_scene scene;
    size_t first;
    char *want;

    begin(&scene, row->path);
    first = scene.length;
    row->change(scene.directory, row->changed, row->text);
    run_scene_read(&scene, first, WAITS);
    want = talloc_asprintf(scene.memory, "%s" WAITS, row->want);
    assert_string_equal(scene.text + first, want);
    end(&scene);
}

/* One file is written in a directory that is watched. */
static struct counts_row {
    const char *name;
    const char *file;
    bool want;
} counts_rows[] = {
    {"scenario_counts", "b.yaml", true},
    {"scenario_of_the_other_spelling_counts", "b.yml", true},
    {"image_of_a_driver_counts", "b.SYS", true},
    {"scenario_below_counts", "d/b.yaml", true},
    {"other_file_does_not_count", "t.txt", false},
    {"hidden_file_does_not_count", ".b.yaml", false},
    {"copy_of_an_editor_does_not_count", "b.yaml~", false},
};

static void counts_row(void **state)
{
    const struct counts_row *row = *state;
    void *memory = talloc_new(NULL);
    char *directory = directory_new(memory);
    struct watch *watch = watch_new(memory);

    directory_make(directory, "d");
    assert_non_null(watch);
    assert_true(watch_add(watch, directory));
    assert_false(watch_changed(watch));
    directory_write(directory, row->file, "text");
    assert_int_equal(watch_changed(watch), row->want);
    assert_false(watch_changed(watch));
    directory_remove(directory);
    talloc_free(memory);
}

TEST_FILE(test_watch)
{
    TEST_ADD_ROWS(list, watch_row, watch_rows);
    TEST_ADD_ROWS(list, counts_row, counts_rows);
}
