/* scenario_run.h - a scenario out of a text, run on its first machine. */
#ifndef TESTS_RUNNER_RUN_SCENARIO_RUN_H
#define TESTS_RUNNER_RUN_SCENARIO_RUN_H

#include "scenarios/runner/run/run.h"
#include "scenarios/runner/run/session.h"
#include "scenarios/runner/run/verdict.h"
#include "scenarios/runner/scenario/instance.h"
#include "tests/runner/scenario/scenario_text.h"

/* What is held to the end, and so expected: by the only actor, or by one of
 * several behind "finally:\n". */
#define ENDS_WITH(kinds) "finally:\n- {expect: {leaks: [" kinds "]}}\n"
#define ACTOR_ENDS_WITH(actor, kinds)                                          \
    "- {as: " actor ", expect: {leaks: [" kinds "]}}\n"

struct scenario_run {
    struct scenario_text text;
    struct session session;
    struct instances *instances;
    struct verdict *verdict;
};

/* Reads a text without errors, and makes its instances. */
static inline void scenario_run_init(
    struct scenario_run *made, const char *text)
{
    scenario_text_read(&made->text, text);
    text_file_assert_errors(&made->text.file, "");
    assert_non_null(made->text.scenario);
    made->instances = &made->text.outline->instances;
    for (size_t i = 0; i < made->instances->count; i++) {
        made->instances->item[i] =
            instance_open(made->text.file.memory, &made->instances->item[i]);
    }
    made->text.scenario = made->instances->item[0].scenario;
    assert_true(session_open(&made->session, &made->text.requirements));
    made->verdict = NULL;
}

/* Runs the n-th instance. */
static inline struct verdict *scenario_run_nth(
    struct scenario_run *made, size_t n)
{
    assert_true(n < made->instances->count);
    made->verdict = run_instance(
        made->text.file.memory, &made->session, &made->instances->item[n]);
    return made->verdict;
}

static inline void scenario_run_release(struct scenario_run *made)
{
    session_close(&made->session);
    scenario_text_release(&made->text);
}

/* A scenario and what comes of it. */
struct scenario_run_row {
    const char *name;
    const char *text;
    enum result want;
    size_t want_failures;
    const char *want_step;    /* of the first failure; NULL: there is none */
    const char *want_message; /* its message */
};

static inline void scenario_run_row(void **state)
{
    const struct scenario_run_row *row = *state;
    struct scenario_run made;
    const struct verdict *verdict;

    scenario_run_init(&made, row->text);
    verdict = scenario_run_nth(&made, 0);
    if (row->want_step == NULL && verdict->failure_count > 0) {
        assert_string_equal(verdict->failure[0].message, "");
    }
    if (row->want_step != NULL) {
        assert_true(verdict->failure_count > 0);
        assert_string_equal(verdict->failure[0].message, row->want_message);
        assert_string_equal(verdict->failure[0].step, row->want_step);
        assert_non_null(verdict->failure[0].place);
    }
    assert_int_equal(verdict->failure_count, row->want_failures);
    assert_int_equal(verdict->result, row->want);
    scenario_run_release(&made);
}

#endif
