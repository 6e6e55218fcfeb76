/* test_basis.c - a run that asks only what is documented: T-01, T-03, T-05
 * and T-06 are, T-02 is a ruling and T-04 observed. */
#define _POSIX_C_SOURCE 200809L
#include "scenarios/runner/run/basis.h"

#include "scenarios/runner/run/judge.h"
#include "scenarios/runner/run/verdict.h"
#include "tests/runner/run/scenario_run.h"

#define CALL "- {call: KeGetCurrentIrql, expect: "
#define WRONG(covers) CALL "{returns: 9, covers: [" covers "]}}\n"
#define IRQL(level, covers)                                                    \
    "{irql: {cpu: 0}, is: " level ", covers: " covers "}"
#define RAISE "- {call: KfRaiseIrql, args: {NewIrql: HIGH_LEVEL}}\n"
#define STOP                                                                   \
    RAISE                                                                      \
    "- {call: HalFreeHardwareCounters, args: {CounterSetHandle: 0x1}, "        \
    "expect: {bugcheck: {code: IRQL_NOT_LESS_OR_EQUAL}, covers: [T-02]}}\n"
#define XFAIL "xfail: {reason: so, issue: \"1\"}\n"

static struct row {
    const char *name;
    const char *text;
    bool documented;
    enum result want;
    size_t want_checks, want_not_asked;
} rows[] = {
    {"all_is_asked_by_default", "steps:\n" WRONG("T-02"), false, RESULT_FAIL, 1,
        0},
    {"documented_is_asked", "steps:\n" WRONG("T-01"), true, RESULT_FAIL, 1, 0},
    {"header_is_asked", "steps:\n" WRONG("T-03"), true, RESULT_FAIL, 1, 0},
    {"four_documented_are_asked",
        "steps:\n" CALL "{returns: 9, violations: [], covers: [T-01, T-03, "
        "T-05, T-06]}}\n",
        true, RESULT_FAIL, 2, 0},
    {"last_of_four_counts", "steps:\n" STEP_OK WRONG("T-01, T-03, T-05, T-02"),
        true, RESULT_PASS, 1, 1},
    {"what_was_not_done_is_no_pass",
        "steps:\n- {call: KeGetCurrentIrql, save: {now: returns}}\n"
        "- {when: $(now == 9), call: KeGetCurrentIrql, expect: {returns: 9, "
        "covers: [T-01]}}\n",
        true, RESULT_FAIL, 0, 0},
    {"what_cites_nothing_is_asked", "steps:\n" STEP_OK CALL "{returns: 9}}\n",
        true, RESULT_FAIL, 2, 0},
    {"ruling_is_not_asked", "steps:\n" STEP_OK WRONG("T-02"), true, RESULT_PASS,
        1, 1},
    {"observed_is_not_asked", "steps:\n" STEP_OK WRONG("T-04"), true,
        RESULT_PASS, 1, 1},
    {"weakest_counts", "steps:\n" STEP_OK WRONG("T-01, T-02"), true,
        RESULT_PASS, 1, 1},
    {"nothing_asked_is_skipped", "steps:\n" WRONG("T-02"), true, RESULT_SKIP, 0,
        1},
    {"state_is_asked_entry_by_entry",
        "steps:\n- expect: {state: [" IRQL("9", "[T-02]") ", " IRQL(
            "0", "[T-01]") "], covers: [T-02]}\n",
        true, RESULT_PASS, 1, 1},
    {"state_without_an_entry_that_is_asked",
        "steps:\n- expect: {state: {irql: {cpu: 0}, is: 9}, covers: [T-04]}\n",
        true, RESULT_SKIP, 0, 1},
    {"bugcheck_that_is_not_asked_may_come", "steps:\n" STEP_OK STOP, true,
        RESULT_PASS, 1, 1},
    {"xfail_of_what_is_not_asked", XFAIL "steps:\n" STEP_OK WRONG("T-02"), true,
        RESULT_PASS, 1, 1},
    {"xfail_of_what_is_asked", XFAIL "steps:\n" WRONG("T-01"), true,
        RESULT_XFAIL, 1, 0},
};

static void row(void **state)
{
    const struct row *row = *state;
    struct scenario_run made;
    char *text = talloc_asprintf(NULL, HEAD "%s", row->text);

    scenario_run_init(&made, text);
    made.session.documented = row->documented;
    scenario_run_nth(&made, 0);
    judge_expected(&made.instances->item[0], made.verdict);
    assert_int_equal(made.verdict->result, row->want);
    assert_int_equal(made.verdict->checks, row->want_checks);
    assert_int_equal(made.verdict->not_asked, row->want_not_asked);
    scenario_run_release(&made);
    talloc_free(text);
}

TEST_FILE(test_basis)
{
    TEST_ADD_ROWS(list, row, rows);
}
