/* test_verdict_cite.c - which requirements the expectations of a run cite, and
 * what came of them (docs/scenarios.md, covers). */
#define _POSIX_C_SOURCE 200809L
#include "scenarios/runner/run/verdict.h"
#include "tests/runner/run/scenario_run.h"

/* "T-01 T-02- T-03?": in this order; - failed, ? hollow. */
static char *cited_text(void *memory, const struct verdict *verdict)
{
    char *text = talloc_strdup(memory, "");

    for (size_t i = 0; i < verdict->cited_count; i++) {
        const struct cited *cited = &verdict->cited[i];

        text = talloc_asprintf_append(text, "%s%s%s%s", i == 0 ? "" : " ",
            cited->requirement, cited->failed ? "-" : "",
            cited->hollow ? "?" : "");
    }
    return text;
}

#define CALL "- {call: KeGetCurrentIrql, expect: "
#define FREE                                                                   \
    "- {call: HalFreeHardwareCounters, args: {CounterSetHandle: 0x1}, "        \
    "expect: "
#define CONFIG                                                                 \
    "- {call: KeQueryHardwareCounterConfiguration, args: {CounterArray: "      \
    "{buffer: 1}, MaximumCount: 1}, expect: "
#define NUMBER                                                                 \
    "- {call: KeGetCurrentProcessorNumberEx, args: {ProcNumber: {buffer: "     \
    "1}}, expect: "
#define MSR "- {rdmsr: {cpu: 0, index: IA32_PMC0}, expect: "
#define BAD_MSR "- {rdmsr: {cpu: 0, index: 0x12345}, expect: "
#define IRQL(level, covers)                                                    \
    "{irql: {cpu: 0}, is: " level ", covers: " covers "}"
#define STOP                                                                   \
    "- {call: KfRaiseIrql, args: {NewIrql: HIGH_LEVEL}}\n"                     \
    "- {call: HalFreeHardwareCounters, args: {CounterSetHandle: 0x1}, "        \
    "expect: "

static struct row {
    const char *name;
    const char *steps;
    const char *want;
} rows[] = {
    {"expectation_that_is_met", CALL "{returns: 0, covers: [T-01]}}\n", "T-01"},
    {"expectation_that_is_not_met", CALL "{returns: 1, covers: [T-01]}}\n",
        "T-01-"},
    {"expectation_that_cites_nothing",
        CALL "{returns: 0, covers: [T-01]}}\n" CALL "{returns: 0}}\n", "T-01"},
    {"each_requirement_of_an_expectation",
        CALL "{returns: 0, covers: [T-02, T-01, T-05]}}\n", "T-02 T-01 T-05"},
    {"requirement_cited_twice_is_there_once",
        CALL "{returns: 0, covers: [T-01]}}\n" CALL
             "{returns: 0, covers: [T-02, T-01]}}\n",
        "T-01 T-02"},
    {"failed_once_is_failed",
        CALL "[{returns: 1, covers: [T-01]}, {returns: 0, covers: [T-01]}]}\n",
        "T-01-"},
    {"what_an_end_of_the_run_cuts_is_failed",
        "- {rdmsr: {cpu: 0, index: 0x19C}, expect: {value: 0, covers: "
        "[T-01]}}\n",
        "T-01-"},
    {"step_behind_a_failure_is_not_evaluated",
        CALL "{returns: 1, covers: [T-01]}}\n" CALL
             "{returns: 0, covers: [T-02]}}\n",
        "T-01-"},
    {"all_expectations_of_a_step_are_evaluated",
        CALL "[{returns: 1, covers: [T-01]}, {returns: 0, covers: [T-02]}]}\n",
        "T-01- T-02"},
    {"status_any_is_hollow", FREE "{status: any, covers: [T-02]}}\n" STEP_OK,
        "T-02? T-01"},
    {"hollow_and_not_is_not_hollow",
        FREE "{status: any, covers: [T-02]}}\n" CALL
             "{returns: 0, covers: [T-02]}}\n",
        "T-02"},
    {"not_any_is_not_hollow", FREE "{status: {not: any}, covers: [T-02]}}\n",
        "T-02-"},
    {"value_of_a_register", MSR "{value: 0, covers: [T-03]}}\n", "T-03"},
    {"exception_that_came", BAD_MSR "{raises: GP, covers: [T-03]}}\n", "T-03"},
    {"exception_that_did_not_come", MSR "{raises: GP, covers: [T-03]}}\n",
        "T-03-"},
    {"value_where_an_exception_came",
        BAD_MSR "[{raises: GP, covers: [T-03]}, {value: 0, covers: "
                "[T-04]}]}\n",
        "T-03 T-04-"},
    {"no_violations", CALL "{violations: [], covers: [T-04]}}\n", "T-04"},
    {"violation_that_did_not_come",
        CALL "{violations: [{rule: hal.counter.unheld}], covers: [T-04]}}\n",
        "T-04-"},
    {"bugcheck_that_did_not_come",
        CALL "{bugcheck: {code: IRQL_NOT_LESS_OR_EQUAL}, covers: [T-04]}}\n",
        "T-04-"},
    {"bugcheck_that_came_and_the_status_that_did_not",
        STOP "[{bugcheck: {code: IRQL_NOT_LESS_OR_EQUAL}, covers: [T-04]}, "
             "{status: STATUS_SUCCESS, covers: [T-01]}]}\n",
        "T-04 T-01-"},
    {"status_of_a_call_that_an_unexpected_bugcheck_ended",
        STOP "[{status: STATUS_SUCCESS, covers: [T-01]}]}\n", ""},
    {"state_has_the_covers_beside_it",
        "- expect: {state: {irql: {cpu: 0}, is: 0}, covers: [T-03]}\n", "T-03"},
    {"entry_of_state_has_its_own",
        "- expect: {state: [" IRQL("0", "[T-01]") ", " IRQL(
            "1", "[T-02]") ", {irql: {cpu: 0}, is: 0}], covers: [T-03]}\n",
        "T-01 T-02- T-03"},
    {"covers_beside_entries_that_have_their_own_stand_for_none",
        "- expect: {state: [" IRQL("0", "[T-01]") "], covers: [T-03]}\n",
        "T-01"},
    {"owners",
        "- expect: {state: {owners: {cpu: 0}, is: []}, covers: [T-05]}\n",
        "T-05"},
    {"owners_that_are_not_there",
        "- expect: {state: {owners: {cpu: 0}, is: [drv]}, covers: [T-05]}\n",
        "T-05-"},
    {"counters_of_every_processor",
        "- expect: {state: {counters: {owner: drv, cpu: all}, is: []}, "
        "covers: [T-05]}\n",
        "T-05"},
    {"elements_that_are_any_still_have_a_number",
        CONFIG "{out: {CounterArray: [{Type: any}]}, covers: [T-02]}}\n",
        "T-02"},
    {"members_of_which_one_is_any_are_not",
        NUMBER "{out: {ProcNumber: {Group: any, Number: 0}}, covers: "
               "[T-02]}}\n",
        "T-02"},
};

static void row(void **state)
{
    const struct row *row = *state;
    struct scenario_run made;
    char *text = talloc_asprintf(NULL, HEAD "steps:\n%s", row->steps);

    scenario_run_init(&made, text);
    scenario_run_nth(&made, 0);
    assert_string_equal(
        cited_text(made.text.file.memory, made.verdict), row->want);
    scenario_run_release(&made);
    talloc_free(text);
}

TEST_FILE(test_verdict_cite)
{
    TEST_ADD_ROWS(list, row, rows);
}
