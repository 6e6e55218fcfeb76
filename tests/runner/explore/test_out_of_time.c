/* test_out_of_time.c - a host that has too little time for a run of a schedule,
 * now and then or always: runs come to what the test says. */
#define _GNU_SOURCE
#include <string.h>

#include "scenarios/runner/explore/explore.h"
#include "scenarios/runner/explore/tried.h"
#include "scenarios/runner/run/job.h"
#include "tests/runner/driver_suite.h"

static const char hello_text[] =
    "ntpmu: 1\nid: hello\ntitle: Test\ndriver: {image: hello_clang.sys}\n"
    "steps:\n"
    "- {driver: load, expect: {status: STATUS_SUCCESS, covers: [IRQL-03]}}\n"
    "- {driver: unload, expect: {status: STATUS_SUCCESS, covers: [IRQL-03]}}\n";

/* What is left of what runs come to, a letter each: passed, passed after a
 * choice, passed after more choices than there is room for, failed, timed out
 * by itself, or late, out of the host's time. NULL: they run. */
static const char *played;

struct verdict *__wrap_job_run_schedule(void *context, const struct job *job,
    struct session *session, const struct instance *instance, FILE *trace);
struct verdict *__real_job_run_schedule(void *context, const struct job *job,
    struct session *session, const struct instance *instance, FILE *trace);

static struct verdict *passed(void *context, const struct instance *instance)
{
    struct verdict *verdict =
        verdict_failed(context, instance, RESULT_PASS, "passed");

    verdict->failure_count = 0;
    return verdict;
}

/* What has no room is not noted, and all is as usual from there on. */
static void ask_behind_the_last(const struct schedule *schedule)
{
    static const uint32_t both[] = {0, 1};
    static const struct {
        size_t count, candidates;
    } full[] = {{TRIED_CHOICES, 0}, {0, TRIED_CANDIDATES - 1}};
    struct tried_log *log = ((struct tried *)schedule->context)->log;

    for (size_t i = 0; i < sizeof(full) / sizeof(full[0]); i++) {
        log->count = full[i].count;
        log->candidates = full[i].candidates;
        assert_int_equal(schedule->choose(schedule->context,
                             &(struct schedule_choice){
                                 .usual = 1, .candidate = both, .count = 2}),
            1);
        assert_int_equal(log->count, full[i].count);
        assert_int_equal(log->candidates, full[i].candidates);
    }
    log->count = log->candidates = 0;
}

struct verdict *__wrap_job_run_schedule(void *context, const struct job *job,
    struct session *session, const struct instance *instance, FILE *trace)
{
    struct verdict *verdict;

    if (played == NULL) {
        return __real_job_run_schedule(context, job, session, instance, trace);
    }
    switch (*played++) {
    case 'c':
        ((struct tried *)session->schedule->context)->log->count = 1;
        return passed(context, instance);
    case 'm':
        ask_behind_the_last(session->schedule);
        return passed(context, instance);
    case 'p':
        return passed(context, instance);
    case 'f':
        return verdict_failed(context, instance, RESULT_FAIL, "failed");
    case 't':
        return verdict_failed(context, instance, RESULT_TIMEOUT, "deadlock");
    case 'l':
        verdict = verdict_failed(context, instance, RESULT_TIMEOUT, "late");
        verdict->out_of_time = true;
        return verdict;
    default:
        fail_msg("there is one run too many");
        return NULL;
    }
}

static const char host_is_busy[] =
    "a schedule did not always end in the time that the host has for one: "
    "--timeout allows more, and with fewer jobs (-j) each gets more of the "
    "host";

static const char ended_otherwise[] =
    "the schedule that failed ended otherwise when it was run again";

/* The order of ntpmu run comes first, then the one schedule that there is, and
 * at the end what failed, else the first, for its verdict. */
static struct late_row {
    const char *name;
    const char *runs;
    enum explore_mode mode;
    enum result want;
    const char *want_message; /* NULL: none */
} late_rows[] = {
    {"never", "ppp", EXPLORE_EXHAUSTIVE, RESULT_PASS, NULL},
    {"first_run_once", "lppp", EXPLORE_EXHAUSTIVE, RESULT_PASS, NULL},
    {"schedule_once", "plpp", EXPLORE_EXHAUSTIVE, RESULT_PASS, NULL},
    {"last_run_once", "pplp", EXPLORE_EXHAUSTIVE, RESULT_PASS, NULL},
    {"random_schedules_once_each", "plclpp", EXPLORE_RANDOM, RESULT_PASS, NULL},
    {"random_schedule_without_a_choice", "ppp", EXPLORE_RANDOM, RESULT_PASS,
        NULL},
    {"what_fails_the_second_time", "lff", EXPLORE_EXHAUSTIVE, RESULT_FAIL,
        "failed"},
    {"failure_when_it_is_run_again", "flf", EXPLORE_EXHAUSTIVE, RESULT_FAIL,
        "failed"},
    {"always", "lll", EXPLORE_EXHAUSTIVE, RESULT_TIMEOUT, "late"},
    {"schedule_always", "plll", EXPLORE_EXHAUSTIVE, RESULT_TIMEOUT, "late"},
    {"twice_and_then_not", "llp", EXPLORE_EXHAUSTIVE, RESULT_ERROR,
        host_is_busy},
    {"twice_and_then_it_fails", "pllf", EXPLORE_EXHAUSTIVE, RESULT_ERROR,
        host_is_busy},
    {"failure_twice_when_it_is_run_again", "fll", EXPLORE_EXHAUSTIVE,
        RESULT_ERROR, host_is_busy},
    {"last_run_twice", "ppll", EXPLORE_EXHAUSTIVE, RESULT_TIMEOUT, "late"},
    {"too_many_choices", "pmp", EXPLORE_EXHAUSTIVE, RESULT_PASS, NULL},
    /* Not the host's time. */
    {"deadlock", "tt", EXPLORE_EXHAUSTIVE, RESULT_TIMEOUT, "deadlock"},
    {"deadlock_and_then_none", "tp", EXPLORE_EXHAUSTIVE, RESULT_INTERNAL,
        ended_otherwise},
    {"failure_and_then_none", "pfp", EXPLORE_EXHAUSTIVE, RESULT_INTERNAL,
        ended_otherwise},
};

static void check(
    const struct verdict *verdict, enum result want, const char *want_message)
{
    assert_string_equal(played, ""); /* no run too few */
    played = NULL;
    assert_int_equal(verdict->result, want);
    assert_int_equal(verdict->failure_count, want_message != NULL);
    if (want_message != NULL) {
        assert_string_equal(verdict->failure[0].message, want_message);
    }
}

static void init(struct driver_suite *scene, struct run_settings *settings)
{
    driver_suite_init(scene, NATIVE_DRIVERS, *settings, NULL);
    directory_write(scene->directory, "a.yaml", hello_text);
    scene->job.explore = explore_instance;
    driver_suite_open(scene, NULL);
    scene->session.nursery = NULL;
}

static void late_row(void **state)
{
    const struct late_row *row = *state;
    struct run_settings settings = {
        .explores = true, .exploring = exploring_words_none};
    struct driver_suite scene;
    char *trace;

    settings.exploring.mode = row->mode;
    settings.exploring.max_schedules = 2;
    init(&scene, &settings);
    played = row->runs;
    check(driver_suite_run(&scene, 0, &trace), row->want, row->want_message);
    free(trace);
    driver_suite_release(&scene);
}

/* A run that is cut off has not come to the choices of its schedule. */
static struct replay_row {
    const char *name;
    const char *runs;
    enum result want;
    const char *want_message;
} replay_rows[] = {
    {"late_once", "lf", RESULT_ERROR,
        "schedule v1:/3 is not one of this scenario, which came to 0 choices "
        "in it: it was of other steps, parameters or drivers; ntpmu explore "
        "finds one anew"},
    {"late_twice", "ll", RESULT_TIMEOUT, "late"},
};

static void replay_row(void **state)
{
    const struct replay_row *row = *state;
    struct run_settings settings = {
        .exploring = exploring_words_none, .schedule = "v1:/3"};
    struct driver_suite scene;
    char *trace;

    init(&scene, &settings);
    played = row->runs;
    check(driver_suite_run(&scene, 0, &trace), row->want, row->want_message);
    free(trace);
    driver_suite_release(&scene);
}

TEST_FILE(test_out_of_time)
{
    TEST_ADD_GROUP(list, "out_of_time", late_row, late_rows);
    TEST_ADD_GROUP(list, "replay", replay_row, replay_rows);
}
