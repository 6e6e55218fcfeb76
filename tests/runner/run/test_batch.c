/* test_batch.c - the same results from workers as without them, and what is
 * said where there is no worker. */
#define _POSIX_C_SOURCE 200809L
#include "scenarios/runner/run/batch.h"

#include <sys/resource.h>
#include <sys/wait.h>

#include "scenarios/runner/selection/language_kinds.h"
#include "tests/runner/directory.h"
#include "tests/runner/text_file.h"

#define SCENARIO(id, level)                                                    \
    "ntpmu: 1\nid: " id "\ntitle: Test\nsteps:\n"                              \
    "- {call: KeGetCurrentIrql, expect: {returns: " level                      \
    ", covers: [IRQL-GEN-01]}}\n"

/* A suite of three scenarios, of which the second fails. */
struct scene {
    void *memory;
    char *directory;
    struct suite *suite;
};

static void init(struct scene *scene)
{
    scene->memory = talloc_new(NULL);
    scene->directory = directory_new(scene->memory);
    directory_write(scene->directory, "a.yaml", SCENARIO("one", "0"));
    directory_write(scene->directory, "b.yaml", SCENARIO("two", "1"));
    directory_write(scene->directory, "c.yaml", SCENARIO("three", "0"));
    scene->suite =
        suite_read(scene->memory, &language_kinds, &scene->directory, 1);
    assert_int_equal(scene->suite->instances->count, 3);
}

static void release(struct scene *scene)
{
    directory_remove(scene->directory);
    talloc_free(scene->memory);
}

/* All results as text: id, round, result, failure, head of the trace. */
static char *results(struct scene *scene, const struct run_settings *settings)
{
    char *text = talloc_strdup(scene->memory, "");
    struct batch batch;

    assert_int_equal(
        batch_open(&batch, scene->suite, settings, stderr), EXIT_OK);
    while (batch.next < batch.results) {
        struct batch_result result;
        size_t head;

        batch_next(&batch, &result);
        /* Of the trace the first line, which is its head. */
        head = result.trace_length == 0 ? 0 : strcspn(result.trace, "\n");
        text = talloc_asprintf_append(text, "%s %zu %d %s, %.*s\n",
            result.instance->id, result.round, (int)result.verdict->result,
            result.verdict->failure_count == 0
                ? "-"
                : result.verdict->failure[0].message,
            (int)head, head == 0 ? "" : result.trace);
        batch_release(&result);
    }
    batch_close(&batch);
    return text;
}

#define FAILURE "returns: expected 1, actual PASSIVE_LEVEL"

static struct results_row {
    const char *name;
    struct run_settings settings;
    const char *want;
} results_rows[] = {
    {"one_process", {.jobs = 1, .repeat = 1, .budget = 1000},
        "one 0 0 -, \ntwo 0 2 " FAILURE ", \nthree 0 0 -, \n"},
    {"two_workers", {.jobs = 2, .repeat = 1, .budget = 1000},
        "one 0 0 -, \ntwo 0 2 " FAILURE ", \nthree 0 0 -, \n"},
    {"one_process_and_rounds", {.jobs = 1, .repeat = 2, .budget = 1000},
        "one 0 0 -, \ntwo 0 2 " FAILURE ", \nthree 0 0 -, \n"
        "one 1 0 -, \ntwo 1 2 " FAILURE ", \nthree 1 0 -, \n"},
    {"workers_and_rounds", {.jobs = 4, .repeat = 2, .budget = 1000},
        "one 0 0 -, \ntwo 0 2 " FAILURE ", \nthree 0 0 -, \n"
        "one 1 0 -, \ntwo 1 2 " FAILURE ", \nthree 1 0 -, \n"},
    {"one_process_traced",
        {.jobs = 1, .repeat = 1, .budget = 1000, .traced = true},
        "one 0 0 -, # one\ntwo 0 2 " FAILURE ", # two\nthree 0 0 -, # three\n"},
    {"two_workers_traced",
        {.jobs = 2, .repeat = 1, .budget = 1000, .traced = true},
        "one 0 0 -, # one\ntwo 0 2 " FAILURE ", # two\nthree 0 0 -, # three\n"},
};

static void results_row(void **state)
{
    const struct results_row *row = *state;
    struct scene scene;

    init(&scene);
    assert_string_equal(results(&scene, &row->settings), row->want);
    release(&scene);
}

/* In a child, because the limit stays. */
static void host_that_gives_no_worker(void **state)
{
    const struct run_settings settings = {
        .jobs = 2, .repeat = 1, .budget = 1000};
    const char *why = "the host gives no process to run it in, \n";
    const struct rlimit none = {0, 0};
    struct scene scene;
    pid_t child;
    int status;

    (void)state;
    init(&scene);
    child = fork();
    if (child == 0) {
        bool right = setrlimit(RLIMIT_NOFILE, &none) == 0;

        right &=
            strcmp(results(&scene, &settings),
                talloc_asprintf(scene.memory,
                    "one 0 6 %stwo 0 6 %sthree 0 6 %s", why, why, why)) == 0;
        _exit(right ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    release(&scene);
}

TEST_FILE(test_batch)
{
    TEST_ADD_ROWS(list, results_row, results_rows);
    test_add(
        list, "host_that_gives_no_worker", host_that_gives_no_worker, NULL);
}
