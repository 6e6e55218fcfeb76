/* test_explore_apart.c - what is explored in a process of the nursery comes to
 * the same as here, and what becomes of such a process that fails. */
#define _GNU_SOURCE
#include "scenarios/runner/explore/explore_apart.h"

#include <signal.h>

#include "scenarios/runner/explore/explore.h"
#include "scenarios/runner/run/driver_files.h"
#include "scenarios/runner/run/job.h"
#include "scenarios/runner/run/nursery.h"
#include "scenarios/runner/run/schedule_progress.h"
#include "scenarios/runner/run/session.h"
#include "scenarios/runner/run/verdict.h"
#include "scenarios/runner/scenario/suite.h"
#include "scenarios/runner/selection/language_kinds.h"
#include "tests/runner/directory.h"

enum { SECOND_US = 1000000, SCHEDULES = 4 };

static const char hello_text[] =
    "ntpmu: 1\nid: hello\ntitle: Test\ndriver: {image: hello_clang.sys}\n"
    "params: {level: {type: ULONG, default: 1}}\n"
    "steps:\n"
    "- {driver: load, expect: {status: STATUS_SUCCESS, covers: [IRQL-03]}}\n"
    "- {driver: unload, expect: {status: STATUS_SUCCESS, covers: [IRQL-03]}}\n"
    "- {call: KeGetCurrentIrql, expect: {returns: $( level - 1 ), covers: "
    "[IRQL-03]}}\n";

static const char loop_text[] =
    "ntpmu: 1\nid: loop\ntitle: Test\ndriver: {image: loop.sys}\n"
    "steps:\n"
    "- {driver: load, expect: {status: STATUS_SUCCESS, covers: [IRQL-03]}}\n"
    "- {driver: unload, expect: {status: STATUS_SUCCESS, covers: [IRQL-03]}}\n";

/* A scenario, and what explores it. */
struct scene {
    void *memory;
    char *directory;
    struct suite *suite;
    struct job job;
    struct session session;
    struct schedule_progress *progress;
};

static void init(struct scene *scene, const char *text,
    nursery_explorer *explorer, const char *const *given)
{
    static const char *const allowed[] = {NATIVE_DRIVERS};
    struct nursery_home home = {&language_kinds, NULL, explorer, NULL};

    *scene = (struct scene){
        .memory = talloc_new(NULL), .progress = schedule_progress_new()};
    scene->directory = directory_new(scene->memory);
    directory_write(scene->directory, "a.yaml", text);
    scene->job = (struct job){.settings = {.timeout_us = 10 * SECOND_US,
                                  .budget = 1000000,
                                  .traced = true,
                                  .explores = true,
                                  .exploring = exploring_words_none,
                                  .given = {given, given != NULL},
                                  .allowed = {allowed, 1}},
        .drivers = driver_files_new(scene->memory, allowed, 1),
        .progress = scene->progress,
        .explore = explore_instance};
    scene->job.settings.exploring.mode = EXPLORE_RANDOM;
    scene->job.settings.exploring.max_schedules = SCHEDULES;
    home.settings = &scene->job.settings;
    home.progress = scene->progress;
    scene->job.nursery = nursery_open(scene->memory, &home);
    assert_non_null(scene->job.nursery);
    scene->suite =
        suite_read_so(scene->memory, &language_kinds, &scene->directory, 1,
            &(struct suite_way){.given = given, .given_count = given != NULL});
    assert_int_equal(scene->suite->instances->count, 1);
    scene->job.requirements = scene->suite->requirements;
    assert_true(job_open_session(&scene->job, &scene->session));
}

static void release(struct scene *scene)
{
    session_close(&scene->session);
    directory_remove(scene->directory);
    talloc_free(scene->memory);
    schedule_progress_free(scene->progress);
}

/* The trace's text is to be freed. */
static struct verdict *explore(struct scene *scene, char **trace)
{
    size_t length = 0;
    FILE *stream = open_memstream(trace, &length);
    struct verdict *verdict = job_run(scene->memory, &scene->job,
        &scene->session, &scene->suite->instances->item[0], stream);

    assert_int_equal(fclose(stream), 0);
    return verdict;
}

static const char *const level_2[] = {"level=2"};

static struct same_row {
    const char *name;
    const char *const *given;
    enum result want;
    uint64_t schedules;
} same_rows[] = {
    {"pass", NULL, RESULT_PASS, SCHEDULES + 1},
    {"fail", level_2, RESULT_FAIL, 1}, /* 2 - 1 is not the level 0 */
};

static void same_row(void **state)
{
    const struct same_row *row = *state;
    const struct verdict *there, *here;
    char *there_trace, *here_trace;
    struct scene scene;

    init(&scene, hello_text, explore_for_others, row->given);
    there = explore(&scene, &there_trace);
    assert_int_equal(
        schedule_progress_now(scene.progress).tried, there->explored.schedules);
    scene.session.nursery = NULL;
    here = explore(&scene, &here_trace);
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
    struct scene scene;
    char *trace;

    (void)state;
    init(&scene, loop_text, explore_for_others, NULL);
    scene.job.settings.timeout_us = SECOND_US / 10;
    talloc_free(scene.job.nursery); /* one that knows of it */
    scene.job.nursery = nursery_open(
        scene.memory, &(struct nursery_home){&language_kinds,
                          &scene.job.settings, explore_for_others, NULL});
    scene.session.nursery = scene.job.nursery;
    verdict = explore(&scene, &trace);
    assert_int_equal(verdict->result, RESULT_TIMEOUT);
    assert_int_equal(verdict->explored.schedules, 1);
    free(trace);
    release(&scene);
}

static void explorer_that_is_killed(const struct job *job,
    struct session *session, const struct instance *instance, bool traced,
    FILE *out)
{
    (void)job;
    (void)session;
    (void)instance;
    (void)traced;
    (void)out;
    kill(getpid(), SIGKILL);
}

static void explorer_that_says_nothing(const struct job *job,
    struct session *session, const struct instance *instance, bool traced,
    FILE *out)
{
    (void)job;
    (void)session;
    (void)instance;
    (void)traced;
    (void)out;
}

/* The trace is said to be longer than all that comes. */
static void explorer_that_is_cut_short(const struct job *job,
    struct session *session, const struct instance *instance, bool traced,
    FILE *out)
{
    const uint64_t length = 17;

    (void)job;
    (void)session;
    (void)instance;
    (void)traced;
    fwrite(&length, sizeof(length), 1, out);
    fwrite("sixteen letters.", 1, 16, out);
}

static struct fails_row {
    const char *name;
    nursery_explorer *explorer;
    const char *want;
} fails_rows[] = {
    {"killed", explorer_that_is_killed, "its process was ended by SIGKILL"},
    {"silent", explorer_that_says_nothing,
        "the process that explores gave no whole verdict: it ends too early"},
    {"cut_short", explorer_that_is_cut_short,
        "the process that explores gave no whole verdict: it ends too early"},
};

static void fails_row(void **state)
{
    const struct fails_row *row = *state;
    const struct verdict *verdict;
    struct scene scene;
    char *trace;

    init(&scene, hello_text, row->explorer, NULL);
    verdict = explore(&scene, &trace);
    assert_int_equal(verdict->result, RESULT_INTERNAL);
    assert_non_null(strstr(verdict->failure[0].message, row->want));
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
