/* test_job.c - an instance run as the command line asks: once or twice, with
 * its trace or without, and two runs that were not the same. */
#define _POSIX_C_SOURCE 200809L
#include "scenarios/runner/run/job.h"

#include "scenarios/runner/run/session.h"
#include "scenarios/runner/run/verdict.h"
#include "scenarios/runner/run/verdict_pipe.h"
#include "tests/runner/run/scenario_run.h"

#define ONE_STEP HEAD STEPS_OK

/* The trace of a job, with these settings. */
static char *trace_of(
    struct scenario_run *made, const struct run_settings *settings)
{
    const struct job job = {
        .settings = *settings, .requirements = &made->text.requirements};
    char *text = NULL;
    size_t length = 0;
    FILE *trace = open_memstream(&text, &length);
    char *copy;

    assert_non_null(trace);
    session_close(&made->session);
    assert_true(job_open_session(&job, &made->session));
    made->verdict = job_run(made->text.file.memory, &job, &made->session,
        &made->instances->item[0], trace);
    fclose(trace);
    copy = talloc_strdup(made->text.file.memory, text);
    free(text);
    return copy;
}

static void twice_gives_the_verdict_and_trace_of_once(void **state)
{
    const struct run_settings once = {.budget = 1000, .traced = true};
    const struct run_settings twice = {
        .budget = 1000, .traced = true, .twice = true};
    struct scenario_run made;
    const char *trace;

    (void)state;
    scenario_run_init(&made, ONE_STEP);
    trace = trace_of(&made, &once);
    assert_non_null(strstr(trace, " call "));
    assert_string_equal(trace_of(&made, &twice), trace);
    assert_int_equal(made.verdict->result, RESULT_PASS);
    scenario_run_release(&made);
}

static void twice_compares_where_no_trace_is_wanted(void **state)
{
    const struct run_settings twice = {.budget = 1000, .twice = true};
    struct scenario_run made;

    (void)state;
    scenario_run_init(&made, ONE_STEP);
    assert_non_null(strstr(trace_of(&made, &twice), " call "));
    scenario_run_release(&made);
}

static void nothing_is_traced_for_nobody(void **state)
{
    const struct run_settings once = {.budget = 1000};
    struct scenario_run made;

    (void)state;
    scenario_run_init(&made, ONE_STEP);
    assert_null(strstr(trace_of(&made, &once), " call "));
    scenario_run_release(&made);
}

static struct compare_row {
    const char *name;
    char *first, *second; /* traces */
    enum result first_result, second_result;
    const char *want; /* NULL: they are the same */
} compare_rows[] = {
    {"same", "a\nb\n", "a\nb\n", RESULT_PASS, RESULT_PASS, NULL},
    {"both_empty", "", "", RESULT_SKIP, RESULT_SKIP, NULL},
    {"other_line", "a\nb\nc\n", "a\nbx\nc\n", RESULT_PASS, RESULT_PASS,
        "the second run has another trace: line 2 was 'b', then 'bx'"},
    {"first_line", "a\n", "b\n", RESULT_PASS, RESULT_PASS,
        "the second run has another trace: line 1 was 'a', then 'b'"},
    {"line_more", "a\n", "a\nb\n", RESULT_PASS, RESULT_PASS,
        "the second run has another trace: line 2 was '(none)', then 'b'"},
    {"line_less", "a\nb\n", "a\n", RESULT_PASS, RESULT_PASS,
        "the second run has another trace: line 2 was 'b', then '(none)'"},
    {"other_result", "a\n", "a\n", RESULT_PASS, RESULT_TIMEOUT,
        "the first run ended as PASS, the second as TIMEOUT"},
};

static void compare_row(void **state)
{
    const struct compare_row *row = *state;
    struct verdict first = {.result = row->first_result};
    struct verdict second = {.result = row->second_result};
    const struct job_run runs[] = {
        {&first, row->first, strlen(row->first)},
        {&second, row->second, strlen(row->second)},
    };
    struct scenario_run made;
    const struct verdict *verdict;

    scenario_run_init(&made, ONE_STEP);
    verdict = job_compare(
        made.text.file.memory, &made.instances->item[0], &runs[0], &runs[1]);
    if (row->want == NULL) {
        assert_null(verdict);
    } else {
        assert_non_null(verdict);
        assert_int_equal(verdict->result, RESULT_INTERNAL);
        assert_string_equal(verdict->failure[0].message, row->want);
    }
    scenario_run_release(&made);
}

TEST_FILE(test_job)
{
    test_add(list, "twice_gives_the_verdict_and_trace_of_once",
        twice_gives_the_verdict_and_trace_of_once, NULL);
    test_add(list, "twice_compares_where_no_trace_is_wanted",
        twice_compares_where_no_trace_is_wanted, NULL);
    test_add(list, "nothing_is_traced_for_nobody", nothing_is_traced_for_nobody,
        NULL);
    TEST_ADD_ROWS(list, compare_row, compare_rows);
}
