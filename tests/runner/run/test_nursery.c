/* test_nursery.c - children from a process that stays small: the same as those
 * that are forked here, and when there are none from there. */
#define _GNU_SOURCE
#include "scenarios/runner/run/nursery.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "scenarios/runner/run/crash_report.h"
#include "scenarios/runner/run/image_scanner.h"
#include "tests/runner/driver_suite.h"

#define SCENARIO(id, image, more)                                              \
    "ntpmu: 1\nid: " id "\ntitle: Test\ndriver: {image: " image ".sys}\n" more \
    "steps:\n- {driver: load, expect: {status: "                               \
    "STATUS_SUCCESS, covers: [IRQL-03]}}\n"
#define UNLOAD                                                                 \
    "- {driver: unload, expect: {status: STATUS_SUCCESS, covers: "             \
    "[IRQL-03]}}\n"

static void init(struct driver_suite *scene, const char *const *given)
{
    driver_suite_init(
        scene, NATIVE_DRIVERS, (struct run_settings){.twice = false}, given);
    directory_write(scene->directory, "a.yaml",
        SCENARIO("hello", "hello_clang",
            "params: {level: {type: ULONG, default: 1}}\n"
            "matrix: {os: [WIN7, WIN11]}\n") UNLOAD
        "- {call: KeGetCurrentIrql, expect: {returns: $( level - 1 ), covers: "
        "[IRQL-03]}}\n");
    directory_write(
        scene->directory, "b.yaml", SCENARIO("loop", "loop", "") UNLOAD);
    driver_suite_open(scene, NULL);
    assert_int_equal(scene->suite->instances->count, 3);
}

static bool begins(struct driver_suite *scene, size_t n, int *pipe_end)
{
    struct nursery_request request = {
        .instance = &scene->suite->instances->item[n],
        .cpu_us = 10 * DRIVER_SUITE_SECOND_US};
    int ends[2];
    bool begun;

    assert_int_equal(pipe(ends), 0);
    request.pipe = ends[1];
    begun = nursery_begin(scene->job.nursery, &request);
    close(ends[1]);
    *pipe_end = ends[0];
    return begun;
}

/* Reads to the end, which is the child's. */
static size_t message_bytes(int pipe_end)
{
    char bytes[4096];
    size_t all = 0;
    ssize_t got = 1;

    while (got > 0) {
        got = read(pipe_end, bytes, sizeof(bytes));
        assert_true(got >= 0);
        all += (size_t)got;
    }
    close(pipe_end);
    return all;
}

/* One file after the other, and back. */
static void each_instance_runs_in_a_child_of_its_own(void **state)
{
    static const size_t order[] = {0, 1, 0};
    struct driver_suite scene;

    (void)state;
    init(&scene, NULL);
    for (size_t i = 0; i < 3; i++) {
        int pipe_end;

        assert_true(begins(&scene, order[i], &pipe_end));
        assert_true(message_bytes(pipe_end) > 8);
        assert_int_equal(nursery_bury(scene.job.nursery, false), 0);
        assert_string_equal(nursery_note(scene.job.nursery)->text, "");
    }
    driver_suite_release(&scene);
}

static void child_that_goes_on_is_ended(void **state)
{
    struct driver_suite scene;
    int pipe_end, status;

    (void)state;
    init(&scene, NULL);
    assert_true(begins(&scene, 2, &pipe_end));
    status = nursery_bury(scene.job.nursery, true);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGKILL);
    close(pipe_end);
    assert_true(begins(&scene, 0, &pipe_end)); /* the next one is another's */
    assert_true(message_bytes(pipe_end) > 8);
    assert_int_equal(nursery_bury(scene.job.nursery, false), 0);
    driver_suite_release(&scene);
}

static char *trace_of(struct driver_suite *scene, size_t n, enum result want)
{
    char *text = NULL;
    struct verdict *verdict = driver_suite_run(scene, n, &text);

    assert_int_equal(verdict->result, want);
    return text;
}

static void verdict_and_trace_are_those_of_a_fork(void **state)
{
    struct driver_suite scene;
    char *there, *here;

    (void)state;
    init(&scene, NULL);
    there = trace_of(&scene, 0, RESULT_PASS);
    scene.session.nursery = NULL;
    here = trace_of(&scene, 0, RESULT_PASS);
    assert_true(strlen(here) > 100);
    assert_string_equal(there, here);
    free(there);
    free(here);
    driver_suite_release(&scene);
}

/* Until its image has been scanned apart, and behind that. */
static void image_that_is_known_runs_as_before(void **state)
{
    enum { IMAGE_BYTES_LEAST = 4096 };
    struct driver_suite scene;
    char *first, *next;

    (void)state;
    init(&scene, NULL);
    first = trace_of(&scene, 0, RESULT_PASS);
    for (int i = 0; i <= IMAGE_SCANNER_BYTES / IMAGE_BYTES_LEAST; i++) {
        next = trace_of(&scene, 0, RESULT_PASS);
        assert_string_equal(next, first);
        free(next);
    }
    free(first);
    driver_suite_release(&scene);
}

/* It needs no processor's time to find that out. */
static void time_that_is_up_is_a_timeout(void **state)
{
    struct driver_suite scene;

    (void)state;
    init(&scene, NULL);
    scene.job.settings.timeout_us = DRIVER_SUITE_SECOND_US / 10;
    free(trace_of(&scene, 2, RESULT_TIMEOUT));
    driver_suite_release(&scene);
}

static void values_of_the_command_line_hold_there(void **state)
{
    static const char *const given[] = {"level=2"};
    struct driver_suite scene;

    (void)state;
    init(&scene, given);
    free(trace_of(&scene, 0, RESULT_FAIL)); /* 2 - 1 is not the level 0 */
    driver_suite_release(&scene);
}

static void file_that_has_changed_is_run_by_a_fork(void **state)
{
    struct driver_suite scene;
    int pipe_end;

    (void)state;
    init(&scene, NULL);
    directory_write(scene.directory, "a.yaml",
        SCENARIO("hello", "hello_clang", "matrix: {os: [WIN7, WIN11]}\n"));
    assert_false(begins(&scene, 0, &pipe_end));
    assert_int_equal(message_bytes(pipe_end), 0);
    free(trace_of(&scene, 0, RESULT_PASS));
    assert_int_equal(unlink(directory_path(scene.directory, "a.yaml")), 0);
    free(trace_of(&scene, 1, RESULT_PASS));
    driver_suite_release(&scene);
}

/* As many files more as `room` may be opened, until files_as_before(). */
static rlim_t files_as_few(rlim_t room)
{
    struct rlimit limit;
    rlim_t before;
    int lowest = dup(0);

    assert_true(lowest >= 0);
    close(lowest);
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
    before = limit.rlim_cur;
    limit.rlim_cur = (rlim_t)lowest + room;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
    return before;
}

static void files_as_before(rlim_t before)
{
    struct rlimit limit;

    assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
    limit.rlim_cur = before;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
}

static void host_without_files_gives_no_nursery(void **state)
{
    struct run_settings settings = {.budget = 1000000};
    void *memory = talloc_new(NULL);
    rlim_t before = files_as_few(1);

    (void)state;
    assert_null(nursery_open(memory,
        &(struct nursery_home){&language_kinds, &settings, NULL, NULL}));
    files_as_before(before);
    talloc_free(memory);
}

/* The test's own pipe takes two, the line to the process two more, and the
 * note one. */
static struct files_row {
    const char *name;
    rlim_t room;
} files_rows[] = {
    {"line", 3},
    {"note", 4},
};

static void files_row(void **state)
{
    const struct files_row *row = *state;
    struct driver_suite scene;
    rlim_t before;
    int pipe_end;

    init(&scene, NULL);
    before = files_as_few(row->room);
    assert_false(begins(&scene, 0, &pipe_end));
    files_as_before(before);
    assert_int_equal(message_bytes(pipe_end), 0);
    free(trace_of(&scene, 0, RESULT_PASS));
    driver_suite_release(&scene);
}

/* Whoever it was that ended it: a fork does as well. */
static void nursery_that_has_ended_is_done_without(void **state)
{
    struct driver_suite scene;
    int pipe_end, first = 0;
    FILE *children;
    char *path;

    (void)state;
    init(&scene, NULL);
    path = talloc_asprintf(
        scene.memory, "/proc/self/task/%d/children", (int)getpid());
    children = fopen(path, "r");
    if (children == NULL) {
        driver_suite_release(&scene);
        skip(); /* a kernel that does not tell */
    }
    assert_int_equal(fscanf(children, "%d", &first), 1);
    fclose(children);
    assert_int_equal(kill(first, SIGKILL), 0);
    assert_false(begins(&scene, 1, &pipe_end));
    assert_int_equal(message_bytes(pipe_end), 0);
    free(trace_of(&scene, 0, RESULT_PASS));
    driver_suite_release(&scene);
}

TEST_FILE(test_nursery)
{
    test_add(list, "each_instance_runs_in_a_child_of_its_own",
        each_instance_runs_in_a_child_of_its_own, NULL);
    test_add(
        list, "child_that_goes_on_is_ended", child_that_goes_on_is_ended, NULL);
    test_add(list, "verdict_and_trace_are_those_of_a_fork",
        verdict_and_trace_are_those_of_a_fork, NULL);
    test_add(list, "image_that_is_known_runs_as_before",
        image_that_is_known_runs_as_before, NULL);
    test_add(list, "time_that_is_up_is_a_timeout", time_that_is_up_is_a_timeout,
        NULL);
    test_add(list, "values_of_the_command_line_hold_there",
        values_of_the_command_line_hold_there, NULL);
    test_add(list, "file_that_has_changed_is_run_by_a_fork",
        file_that_has_changed_is_run_by_a_fork, NULL);
    test_add(list, "host_without_files_gives_no_nursery",
        host_without_files_gives_no_nursery, NULL);
    TEST_ADD_GROUP(list, "host_has_no_file_for_the", files_row, files_rows);
    test_add(list, "nursery_that_has_ended_is_done_without",
        nursery_that_has_ended_is_done_without, NULL);
}
