/* test_child.c - a run in a child process gives what a run here gives, and
 * touches nothing of its parent's. */
#define _GNU_SOURCE
#include "scenarios/runner/run/child.h"

#include <unistd.h>

#include "scenarios/runner/run/run.h"
#include "scenarios/runner/run/session.h"
#include "scenarios/runner/run/verdict.h"
#include "tests/runner/run/run_result.h"

#define RAISE "- {call: KfRaiseIrql, args: {NewIrql: 2}}\n"
#define ALLOCATE                                                               \
    "- call: HalAllocateHardwareCounters\n"                                    \
    "  args: {GroupAffinty: null, GroupCount: 0, ResourceList: null}\n"

static struct same_row {
    const char *name, *text;
    uint64_t budget;
    enum result want;
    size_t want_failures;
} same_rows[] = {
    {"pass", HEAD STEPS_OK, 1000, RESULT_PASS, 0},
    {"two_failures_of_a_call",
        HEAD "steps:\n- call: KeQueryHardwareCounterConfiguration\n"
             "  args: {CounterArray: {buffer: 1}, MaximumCount: 1}\n"
             "  expect:\n"
             "  - {status: STATUS_UNSUCCESSFUL, covers: [T-01, T-02]}\n"
             "  - {out: {Count: 7}, covers: [T-03]}\n",
        1000, RESULT_FAIL, 2},
    {"failure_without_a_call",
        HEAD "steps:\n- expect: {state: {irql: {cpu: 0}, is: APC_LEVEL}, "
             "covers: [T-03]}\n",
        1000, RESULT_FAIL, 1},
    {"error",
        HEAD "steps:\n- {call: HalFreeHardwareCounters, args: "
             "{CounterSetHandle: 0x1}}\n" STEP_OK,
        1000, RESULT_ERROR, 1},
    {"bug_check_that_nobody_expects",
        HEAD "steps:\n" RAISE ALLOCATE
             "  expect: {status: STATUS_SUCCESS, covers: [T-01]}\n",
        1000, RESULT_FAIL, 1},
    {"bug_check_that_is_expected",
        HEAD "steps:\n" RAISE ALLOCATE
             "  expect: {bugcheck: {code: IRQL_NOT_LESS_OR_EQUAL}, covers: "
             "[T-01]}\n",
        1000, RESULT_PASS, 0},
    {"callback_that_never_runs",
        HEAD "callbacks: {ovf: {type: PPHYSICAL_COUNTER_OVERFLOW_HANDLER, do: "
             "[{call: KeGetCurrentIrql, expect: "
             "{returns: 27, covers: [T-01]}}]}}\nsteps:\n"
             "- call: HalAllocateHardwareCounters\n"
             "  args: {GroupAffinty: null, GroupCount: 0, ResourceList: "
             "{Descriptors: [{Type: ResourceTypeOverflow, u: "
             "{OverflowHandler: $ovf}}]}}\n"
             "  expect: {status: any, covers: [T-01]}\n",
        1000, RESULT_FAIL, 1},
    {"step_of_finally_after_an_expected_bug_check",
        HEAD "steps:\n" RAISE ALLOCATE
             "  expect: {bugcheck: {code: IRQL_NOT_LESS_OR_EQUAL}, covers: "
             "[T-01]}\nfinally:\n" STEP_OK,
        1000, RESULT_PASS, 0},
    {"run_of_a_handler",
        HEAD
        "callbacks: {ovf: {type: PPHYSICAL_COUNTER_OVERFLOW_HANDLER, do: "
        "[]}}\nsteps:\n"
        "- call: HalAllocateHardwareCounters\n"
        "  args: {GroupAffinty: null, GroupCount: 0, ResourceList: "
        "{Descriptors: [{Type: ResourceTypeSingle, u: {CounterIndex: 0}}, "
        "{Type: ResourceTypeOverflow, u: {OverflowHandler: $ovf}}]}}\n"
        "  save: {set: out.CounterSetHandle}\n"
        "- {program: {counter: 0, event: core_cycles, ring: user, period: "
        "5000, pmi: true}}\n"
        "- {run: {cycles: 6000, ring: user}, expect: {handler: {name: ovf, "
        "runs: 1, cpu: 0, irql: HIGH_LEVEL}, covers: [T-01]}}\n"
        "- {wrmsr: {index: IA32_PERFEVTSEL0, value: 0x0}}\n"
        "- {call: HalFreeHardwareCounters, args: {CounterSetHandle: "
        "$set}}\n",
        100000, RESULT_PASS, 0},
    {"budget_that_ends_it", HEAD STEPS_OK, 0, RESULT_TIMEOUT, 1},
};

static void same_row(void **state)
{
    const struct same_row *row = *state;
    const struct child_limits limits = child_limits_of(10000000);
    struct scenario_run made;
    struct run_result here, child;

    scenario_run_init(&made, row->text);
    made.session.budget = row->budget;
    /* The child first: it has nothing left of a run before it. */
    child = run_child(&made, &limits, NULL);
    here = run_here(&made);
    assert_string_equal(child.failures, here.failures);
    assert_string_equal(child.trace, here.trace);
    assert_int_equal(child.verdict->result, row->want);
    assert_false(child.verdict->out_of_time); /* the host's */
    assert_int_equal(child.verdict->checks, here.verdict->checks);
    assert_int_equal(child.verdict->failure_count, row->want_failures);
    assert_int_equal(here.verdict->failure_count, row->want_failures);
    for (size_t i = 0; i < row->want_failures; i++) {
        assert_ptr_equal(
            child.verdict->failure[i].place, here.verdict->failure[i].place);
    }
    scenario_run_release(&made);
}

/* It has failed, and says otherwise. */
static struct verdict *claims_to_have_passed(
    void *context, struct session *session, const struct instance *instance)
{
    struct verdict *verdict = run_instance(context, session, instance);

    verdict->result = RESULT_PASS;
    verdict->failure_count = 0;
    return verdict;
}

static void child_s_own_verdict_does_not_count(void **state)
{
    const struct child_limits limits = child_limits_of(5000000);
    struct scenario_run made;
    const struct verdict *verdict;

    (void)state;
    scenario_run_init(&made,
        HEAD "steps:\n- expect: {state: {irql: {cpu: 0}, is: APC_LEVEL}, "
             "covers: [T-03]}\n");
    verdict = run_child(&made, &limits, claims_to_have_passed).verdict;
    assert_int_equal(verdict->result, RESULT_FAIL);
    assert_string_equal(verdict->failure[0].message,
        "state of cpu 0, irql: expected APC_LEVEL, actual PASSIVE_LEVEL");
    scenario_run_release(&made);
}

static FILE *half_written;

static struct verdict *prints(
    void *context, struct session *session, const struct instance *instance)
{
    fputs("of the child", half_written);
    fflush(half_written);
    return run_instance(context, session, instance);
}

/* What the parent had not written yet comes once, and what a child writes to
 * the parent's files does not arrive. */
static void parent_s_output_is_its_own(void **state)
{
    const struct child_limits limits = child_limits_of(5000000);
    struct scenario_run made;
    char text[64];

    (void)state;
    half_written = tmpfile();
    assert_non_null(half_written);
    scenario_run_init(&made, HEAD STEPS_OK);
    fputs("one ", half_written);
    assert_int_equal(
        run_child(&made, &limits, prints).verdict->result, RESULT_PASS);
    fputs("two", half_written);
    rewind(half_written);
    text[fread(text, 1, sizeof(text) - 1, half_written)] = '\0';
    fclose(half_written);
    assert_string_equal(text, "one two");
    scenario_run_release(&made);
}

static void trace_that_nobody_wants_is_not_sent(void **state)
{
    const struct child_limits limits = child_limits_of(5000000);
    struct scenario_run made;
    const struct verdict *verdict;

    (void)state;
    scenario_run_init(&made, HEAD STEPS_OK);
    verdict = child_run(made.text.file.memory, &made.session,
        result_first(&made), &limits, NULL);
    assert_int_equal(verdict->result, RESULT_PASS);
    assert_int_equal(verdict->checks, 1);
    scenario_run_release(&made);
}

/* Descriptors that are no use to the child are closed there. */
static struct verdict *counts_descriptors(
    void *context, struct session *session, const struct instance *instance)
{
    size_t open = 0;

    for (int i = 0; i < 64; i++) {
        open += write(i, NULL, 0) == 0;
    }
    if (open != 2) {
        _exit(1);
    }
    return run_instance(context, session, instance);
}

static void only_error_output_and_pipe_are_open(void **state)
{
    const struct child_limits limits = child_limits_of(5000000);
    struct scenario_run made;

    (void)state;
    scenario_run_init(&made, HEAD STEPS_OK);
    assert_int_equal(
        run_child(&made, &limits, counts_descriptors).verdict->result,
        RESULT_PASS);
    scenario_run_release(&made);
}

static void clock_allows_four_times_the_processor_time(void **state)
{
    (void)state;
    assert_int_equal(child_limits_of(10000000).wall_ms, 45000);
    assert_int_equal(child_limits_of(500000).wall_ms, 7000);
}

TEST_FILE(test_child)
{
    TEST_ADD_ROWS(list, same_row, same_rows);
    test_add(list, "child_s_own_verdict_does_not_count",
        child_s_own_verdict_does_not_count, NULL);
    test_add(
        list, "parent_s_output_is_its_own", parent_s_output_is_its_own, NULL);
    test_add(list, "trace_that_nobody_wants_is_not_sent",
        trace_that_nobody_wants_is_not_sent, NULL);
    test_add(list, "only_error_output_and_pipe_are_open",
        only_error_output_and_pipe_are_open, NULL);
    test_add(list, "clock_allows_four_times_the_processor_time",
        clock_allows_four_times_the_processor_time, NULL);
}
