/* test_run_callbacks.c - callbacks that must run, what their steps may name,
 * variables of branches, and runs that the budget ends (docs/scenarios.md). */
#define _POSIX_C_SOURCE 200809L
#include "scenarios/runner/run/verdict.h"
#include "tests/runner/run/scenario_run.h"

#define EXPECT(expect) "  expect: {" expect ", covers: [T-01]}\n"
/* The driver holds counter 0 with the handler ovf; it counts the cycles of ring
 * 3. These are steps 1 and 2. */
#define HANDLED(body, steps)                                                   \
    HEAD "callbacks:\n"                                                        \
         "  ovf: {type: PPHYSICAL_COUNTER_OVERFLOW_HANDLER, do: [" body "]}\n" \
         "steps:\n"                                                            \
         "- {call: HalAllocateHardwareCounters, args: {GroupAffinty: null, "   \
         "GroupCount: 0, ResourceList: {Descriptors: ["                        \
         "{Type: ResourceTypeSingle, u: {CounterIndex: 0}}, "                  \
         "{Type: ResourceTypeOverflow, u: {OverflowHandler: $ovf}}]}}, "       \
         "save: {h: out.CounterSetHandle}}\n"                                  \
         "- {wrmsr: {index: IA32_PERFEVTSEL0, value: 0x51003C}}\n" steps
#define FREE "- {call: HalFreeHardwareCounters, args: {CounterSetHandle: $h}}\n"
#define HELD ENDS_WITH("{kind: counter_set}")
#define OVERFLOW "- overflow: {counters: [0]}\n"
#define ONCE EXPECT("handler: {name: ovf, runs: 1, args: {OwningHandle: $h}}")
#define STOPS EXPECT("bugcheck: {code: IRQL_NOT_LESS_OR_EQUAL}")
#define LEVEL "{call: KeGetCurrentIrql, expect: {returns: PROFILE_LEVEL}}"

static struct scenario_run_row body_rows[] = {
    {"callback_that_expects_and_runs", HANDLED(LEVEL, OVERFLOW ONCE HELD),
        RESULT_PASS, 0, NULL, NULL},
    {"callback_that_expects_and_never_runs",
        HANDLED(LEVEL, STEP_OK "- wrmsr: {index: IA32_PERFEVTSEL0, value: "
                               "0}\n" FREE),
        RESULT_FAIL, 1, "",
        "callback 'ovf' expects something and has never run"},
    {"callback_that_expects_nothing_need_not_run",
        HANDLED("{call: KeGetCurrentIrql}",
            STEP_OK "- wrmsr: {index: IA32_PERFEVTSEL0, value: 0}\n" FREE),
        RESULT_PASS, 0, NULL, NULL},
    {"callback_that_never_runs_adds_nothing_to_another_failure",
        HANDLED(LEVEL, "- call: KeGetCurrentIrql\n" EXPECT("returns: 1") FREE),
        RESULT_FAIL, 1, "3",
        "returns: expected 1, actual "
        "PASSIVE_LEVEL"},
    {"step_of_a_callback_that_the_stop_leaves_out",
        HANDLED("{call: HalFreeHardwareCounters, args: {CounterSetHandle: "
                "$h}}, " LEVEL,
            OVERFLOW STOPS),
        RESULT_FAIL, 1, "",
        "step ovf.2 expects something and has never run: the machine had "
        "stopped; only steps without an action are evaluated after that"},
    {"bits_are_an_argument",
        HANDLED("{wrmsr: {index: IA32_PERF_GLOBAL_OVF_CTRL, value: "
                "$OverflowBits}}",
            OVERFLOW ONCE HELD),
        RESULT_PASS, 0, NULL, NULL},
    {"bits_are_an_argument_on_another_processor",
        HANDLED("{wrmsr: {cpu: 1, index: IA32_PERF_GLOBAL_OVF_CTRL, value: "
                "$OverflowBits}}",
            OVERFLOW ONCE HELD),
        RESULT_PASS, 0, NULL, NULL},
    {"bits_are_what_a_register_is_compared_with",
        HANDLED("{rdmsr: {index: IA32_PERF_GLOBAL_CTRL}, expect: {value: "
                "{not: $OverflowBits}}}",
            OVERFLOW ONCE HELD),
        RESULT_PASS, 0, NULL, NULL},
};

#define TWO HEAD "actors: [a, b]\nsteps:\n"
#define RAISE(level) "{call: KfRaiseIrql, args: {NewIrql: " level "}"

static struct scenario_run_row branch_rows[] = {
    {"step_of_a_branch_that_the_stop_leaves_out",
        TWO
        "- parallel:\n"
        "    a: [" RAISE(
            "HIGH_LEVEL") "}, {call: "
                          "KeQueryHardwareCounterConfiguration, args: "
                          "{MaximumCount: 0}}, "
                          "{call: KeGetCurrentIrql, expect: {returns: 2}}]\n"
                          "    b: [{call: KeGetCurrentIrql}]\n" STOPS,
        RESULT_FAIL, 1, "",
        "step 1.a.3 expects something and has never run: the machine had "
        "stopped; only steps without an action are evaluated after that"},
    {"variables_of_the_same_name_in_two_branches",
        TWO "- parallel:\n"
            "    a: [" RAISE("1") "}, " RAISE(
                "2") ", save: {old: returns}}, "
                     "{call: KeLowerIrql, args: {NewIrql: $old}}]\n"
                     "    b: [" RAISE(
                         "2") ", save: {old: returns}}, "
                              "{call: KeLowerIrql, args: {NewIrql: $old}}]\n"
                              "- expect: {state: [{irql: {cpu: 0}, is: 1}, "
                              "{irql: {cpu: 1}, is: 0}], covers: [T-01]}\n",
        RESULT_PASS, 0, NULL, NULL},
};

#define RUNS                                                                   \
    HEAD "steps:\n- run: {cycles: 1000}\n- run: {cycles: 2000}\n" STEP_OK

static struct budget_row {
    const char *name;
    const char *text;
    uint64_t budget;
    enum result want;
    const char *want_step; /* NULL: no failure */
} budget_rows[] = {
    {"budget_that_is_enough", RUNS, 1000, RESULT_PASS, NULL},
    {"budget_that_ends_in_the_first_step", RUNS, 1, RESULT_TIMEOUT, "1"},
};

static void budget_row(void **state)
{
    const struct budget_row *row = *state;
    struct scenario_run made;
    const struct verdict *verdict;

    scenario_run_init(&made, row->text);
    made.session.budget = row->budget;
    verdict = scenario_run_nth(&made, 0);
    assert_int_equal(verdict->result, row->want);
    if (row->want_step == NULL) {
        assert_int_equal(verdict->failure_count, 0);
    } else {
        assert_int_equal(verdict->failure_count, 1);
        assert_string_equal(verdict->failure[0].message,
            "no end after 1 preemption point or 2^62 cycles; --budget allows "
            "more");
        assert_string_equal(verdict->failure[0].step, row->want_step);
    }
    scenario_run_release(&made);
}

TEST_FILE(test_run_callbacks)
{
    TEST_ADD_ROWS(list, scenario_run_row, body_rows);
    TEST_ADD_ROWS(list, scenario_run_row, branch_rows);
    TEST_ADD_ROWS(list, budget_row, budget_rows);
}
