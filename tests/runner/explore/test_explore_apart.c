/* test_explore_apart.c - what is explored in a process of the nursery comes to
 * the same as here, and what becomes of such a process that fails. */
#define _GNU_SOURCE
#include "scenarios/runner/explore/explore_apart.h"

#include <signal.h>

#include "scenarios/runner/explore/explore.h"
#include "scenarios/runner/run/schedule_progress.h"
#include "tests/runner/driver_suite.h"

enum { SCHEDULES = 4 };

/* Its actors give the schedules something to choose. */
static const char hello_text[] =
    "ntpmu: 1\nid: hello\ntitle: Test\n"
    "driver: {image: hello_clang.sys, as: hello}\n"
    "actors: [drvA, drvB]\n"
    "params: {level: {type: ULONG, default: 1}}\n"
    "steps:\n"
    "- {as: hello, driver: load, expect: {status: STATUS_SUCCESS, covers: "
    "[IRQL-03]}}\n"
    "- {as: hello, driver: unload, expect: {status: STATUS_SUCCESS, covers: "
    "[IRQL-03]}}\n"
    "- {as: drvA, call: KeGetCurrentIrql, expect: {returns: $( level - 1 ), "
    "covers: [IRQL-03]}}\n"
    "- parallel:\n"
    "    drvA: [{call: KeGetCurrentIrql}]\n"
    "    drvB: [{call: KeGetCurrentIrql}]\n";

/* Nothing is to be chosen in it. */
static const char alone_text[] =
    "ntpmu: 1\nid: alone\ntitle: Test\ndriver: {image: hello_clang.sys}\n"
    "steps:\n"
    "- {driver: load, expect: {status: STATUS_SUCCESS, covers: [IRQL-03]}}\n"
    "- {driver: unload, expect: {status: STATUS_SUCCESS, covers: [IRQL-03]}}\n"
    "- {call: KeGetCurrentIrql, expect: {returns: 0, covers: [IRQL-03]}}\n";

static const char loop_text[] =
    "ntpmu: 1\nid: loop\ntitle: Test\ndriver: {image: loop.sys}\n"
    "steps:\n"
    "- {driver: load, expect: {status: STATUS_SUCCESS, covers: [IRQL-03]}}\n"
    "- {driver: unload, expect: {status: STATUS_SUCCESS, covers: [IRQL-03]}}\n";

/* One scenario, to be explored. */
static void init(struct driver_suite *scene, const char *text,
    nursery_explorer *explorer, const char *const *given)
{
    struct run_settings settings = {
        .explores = true, .exploring = exploring_words_none};

    settings.exploring.mode = EXPLORE_RANDOM;
    settings.exploring.max_schedules = SCHEDULES;
    driver_suite_init(scene, NATIVE_DRIVERS, settings, given);
    directory_write(scene->directory, "a.yaml", text);
    scene->job.explore = explore_instance;
    scene->job.progress = schedule_progress_new();
    driver_suite_open(scene, explorer);
    assert_int_equal(scene->suite->instances->count, 1);
}

static void release(struct driver_suite *scene)
{
    schedule_progress_free(scene->job.progress);
    driver_suite_release(scene);
}

static const char *const level_2[] = {"level=2"};

static struct same_row {
    const char *name;
    const char *text;
    const char *const *given;
    enum result want;
    uint64_t schedules;
} same_rows[] = {
    {"pass", hello_text, NULL, RESULT_PASS, SCHEDULES + 1},
    {"fail", hello_text, level_2, RESULT_FAIL, 1}, /* 2 - 1 is not the level */
    {"without_a_choice", alone_text, NULL, RESULT_PASS, 2},
};

static void same_row(void **state)
{
    const struct same_row *row = *state;
    const struct verdict *there, *here;
    char *there_trace, *here_trace;
    struct driver_suite scene;

    init(&scene, row->text, explore_for_others, row->given);
    there = driver_suite_run(&scene, 0, &there_trace);
    assert_int_equal(schedule_progress_now(scene.job.progress).tried,
        there->explored.schedules);
    scene.session.nursery = NULL;
    here = driver_suite_run(&scene, 0, &here_trace);
    assert_int_equal(there->result, row->want);
    assert_int_equal(here->result, row->want);
    assert_int_equal(there->explored.schedules, row->schedules);
    assert_int_equal(here->explored.schedules, row->schedules);
    assert_int_equal(there->checks, here->checks);
    assert_int_equal(there->failure_count, row->want == RESULT_FAIL);
    assert_int_equal(here->failure_count, there->failure_count);
    if (there->failure_count > 0) {
        assert_string_equal(
            there->failure[0].message, here->failure[0].message);
        assert_string_equal(
            there->failure[0].covers[0], here->failure[0].covers[0]);
        assert_string_equal(there->failure[0].step, "3");
    }
    assert_true(strlen(here_trace) > 100);
    assert_string_equal(there_trace, here_trace);
    free(there_trace);
    free(here_trace);
    release(&scene);
}

/* It runs in a child there as well, which alone is ended. */
static void driver_that_does_not_end_is_a_timeout(void **state)
{
    const struct verdict *verdict;
    struct driver_suite scene;
    char *trace;

    (void)state;
    init(&scene, loop_text, explore_for_others, NULL);
    scene.job.settings.timeout_us = DRIVER_SUITE_SECOND_US / 10;
    talloc_free(scene.job.nursery); /* the next one knows of it */
    scene.job.nursery = nursery_open(
        scene.memory, &(struct nursery_home){&language_kinds,
                          &scene.job.settings, explore_for_others, NULL});
    scene.session.nursery = scene.job.nursery;
    verdict = driver_suite_run(&scene, 0, &trace);
    assert_int_equal(verdict->result, RESULT_TIMEOUT);
    assert_int_equal(verdict->explored.schedules, 1);
    free(trace);
    release(&scene);
}

enum ending { IS_KILLED, ABORTS, SAYS_NOTHING, IS_CUT_SHORT };

/* Of the explorer that is forked next. */
static enum ending ending;

static void explorer_that_fails(const struct job *job, struct session *session,
    const struct instance *instance, bool traced, FILE *out)
{
    const uint64_t length = 17;

    (void)job;
    (void)session;
    (void)instance;
    (void)traced;
    if (ending == IS_KILLED) {
        kill(getpid(), SIGKILL);
    } else if (ending == ABORTS) {
        abort();
    } else if (ending == IS_CUT_SHORT) {
        /* The trace is said to be longer than all that comes. */
        fwrite(&length, sizeof(length), 1, out);
        fwrite("sixteen letters.", 1, 16, out);
    }
}

static struct fails_row {
    const char *name;
    enum ending ending;
    const char *want;
} fails_rows[] = {
    {"killed", IS_KILLED, "its process was ended by SIGKILL"},
    {"broken", ABORTS, "ntpmu itself failed: SIGABRT"},
    {"silent", SAYS_NOTHING,
        "the process that explores gave no whole verdict: it ends too early"},
    {"cut_short", IS_CUT_SHORT,
        "the process that explores gave no whole verdict: it ends too early"},
};

static void fails_row(void **state)
{
    const struct fails_row *row = *state;
    const struct verdict *verdict;
    struct driver_suite scene;
    char *trace;

    ending = row->ending;
    init(&scene, hello_text, explorer_that_fails, NULL);
    verdict = driver_suite_run(&scene, 0, &trace);
    assert_int_equal(verdict->result, RESULT_INTERNAL);
    assert_non_null(strstr(verdict->failure[0].message, row->want));
    assert_ptr_equal(talloc_parent(verdict), scene.memory);
    free(trace);
    release(&scene);
}

TEST_FILE(test_explore_apart)
{
    TEST_ADD_GROUP(list, "same_as_here", same_row, same_rows);
    test_add(list, "driver_that_does_not_end_is_a_timeout",
        driver_that_does_not_end_is_a_timeout, NULL);
    TEST_ADD_GROUP(list, "explorer_that_fails", fails_row, fails_rows);
}
