/* test_run.c - small scenarios from their text to a verdict: results, saved
 * values, what nobody expected, and how runs end (docs/scenarios.md). */
#define _POSIX_C_SOURCE 200809L
#include "scenarios/runner/run/verdict.h"
#include "tests/runner/run/scenario_run.h"

#define STEPS(steps) HEAD "steps:\n" steps
/* Nobody holds what is configured (KHC-SET-11b). */
#define SILENT(steps) HEAD "rulings: {KHC-SET-11b: silent}\nsteps:\n" steps
#define ALLOCATE                                                               \
    "- call: HalAllocateHardwareCounters\n"                                    \
    "  args: {GroupAffinty: null, GroupCount: 0, ResourceList: null}\n"
#define HELD ENDS_WITH("{kind: counter_set}")
#define ALLOCATE_0                                                             \
    "- call: HalAllocateHardwareCounters\n"                                    \
    "  args: {GroupAffinty: null, GroupCount: 0, ResourceList: {Descriptors: " \
    "[{Type: ResourceTypeSingle, u: {CounterIndex: 0}}]}}\n"
#define FREE(handle)                                                           \
    "- call: HalFreeHardwareCounters\n  args: {CounterSetHandle: " handle "}"  \
    "\n"
#define SET(array, count)                                                      \
    "- call: KeSetHardwareCounterConfiguration\n  args: {CounterArray: " array \
    ", Count: " count "}\n"
#define QUERY(array, maximum)                                                  \
    "- call: KeQueryHardwareCounterConfiguration\n  args: "                    \
    "{CounterArray: " array ", MaximumCount: " maximum "}\n"
#define RAISE(level) "- call: KfRaiseIrql\n  args: {NewIrql: " level "}\n"
#define EXPECT(expect) "  expect: {" expect ", covers: [T-01]}\n"

static struct scenario_run_row result_rows[] = {
    {"expected_status", STEPS(ALLOCATE EXPECT("status: STATUS_SUCCESS") HELD),
        RESULT_PASS, 0, NULL, NULL},
    {"set_that_is_left", STEPS(ALLOCATE EXPECT("status: STATUS_SUCCESS")),
        RESULT_FAIL, 1, "",
        "drv ends and still holds counter_set (set#1) of step 1: give it back, "
        "or expect it: finally: [{expect: {leaks: [{kind: counter_set}]}}]"},
    {"set_that_is_left_where_broken_rules_are_notes",
        HEAD
        "warnings: note\nsteps:\n" ALLOCATE EXPECT("status: STATUS_SUCCESS"),
        RESULT_PASS, 0, NULL, NULL},
    {"set_that_is_left_when_the_machine_stops",
        STEPS(ALLOCATE RAISE("2")
                ALLOCATE EXPECT("bugcheck: {code: IRQL_NOT_LESS_OR_EQUAL}")),
        RESULT_PASS, 0, NULL, NULL},
    {"other_status", STEPS(ALLOCATE EXPECT("status: STATUS_NOT_SUPPORTED")),
        RESULT_FAIL, 1, "1",
        "status: expected STATUS_NOT_SUPPORTED, actual STATUS_SUCCESS"},
    {"expected_level",
        STEPS(RAISE("DISPATCH_LEVEL") EXPECT("returns: PASSIVE_LEVEL")),
        RESULT_PASS, 0, NULL, NULL},
    {"other_level", STEPS(RAISE("DISPATCH_LEVEL") EXPECT("returns: APC_LEVEL")),
        RESULT_FAIL, 1, "1",
        "returns: expected APC_LEVEL, actual PASSIVE_LEVEL"},
    {"expected_output",
        STEPS(ALLOCATE EXPECT("out: {CounterSetHandle: {not: null}}") HELD),
        RESULT_PASS, 0, NULL, NULL},
    {"other_output_shows_the_set_by_number",
        STEPS(ALLOCATE EXPECT("out: {CounterSetHandle: null}")), RESULT_FAIL, 1,
        "1", "out.CounterSetHandle: expected null, actual set#1"},
    {"wait_that_nothing_ends", /* EXE-GEN-06 */
        HEAD "memory: {e: {type: KEVENT}}\nsteps:\n"
             "- {call: KeInitializeEvent, args: {Event: $e, Type: "
             "NotificationEvent, State: false}}\n"
             "- {call: KeWaitForSingleObject, args: {Object: $e, WaitReason: "
             "Executive, WaitMode: KernelMode, Alertable: false, Timeout: "
             "null}}\n" STEP_OK,
        RESULT_TIMEOUT, 1, "2",
        "deadlock: every processor waits for another; cpu 0: drv waits for a "
        "notification event"},
    {"output_of_an_array",
        SILENT(SET("[{Index: 5}, {Index: 6}]", "2") QUERY("{buffer: 2}", "2")
                EXPECT(
                    "out: {CounterArray: [{Index: 5}, {Index: 6}], Count: 2}")),
        RESULT_PASS, 0, NULL, NULL},
    {"output_that_is_left_out_has_as_many_elements_as_asked",
        SILENT(SET("[{Index: 5}]",
            "1") "- call: KeQueryHardwareCounterConfiguration\n  args: "
                 "{MaximumCount: 3}\n" EXPECT("out: {CounterArray: [{Index: "
                                              "5}, unchanged, unchanged]}")),
        RESULT_PASS, 0, NULL, NULL},
    {"output_that_was_not_written",
        SILENT(SET("[{Index: 5}, {Index: 6}]", "2") QUERY("{buffer: 1}", "1")
                EXPECT("status: STATUS_BUFFER_TOO_SMALL, out: {CounterArray: "
                       "unchanged, Count: 2}")),
        RESULT_PASS, 0, NULL, NULL},
    {"output_that_was_written_is_not_unchanged",
        SILENT(SET("[{Index: 5}]", "1") QUERY("{buffer: 1}", "1")
                EXPECT("out: {CounterArray: unchanged}")),
        RESULT_FAIL, 1, "2",
        "out.CounterArray: byte 0 of 16 was written, actual [{Type=PMCCounter, "
        "Reserved=0, Index=5}]"},
    {"output_that_was_null",
        STEPS(QUERY("null", "1") EXPECT("out: {CounterArray: unchanged}")),
        RESULT_FAIL, 1, "1",
        "out.CounterArray: the call was given no block for it"},
    {"all_checks_of_a_step_are_evaluated",
        STEPS(QUERY("{buffer: 1}", "1")
                EXPECT("status: STATUS_UNSUCCESSFUL, out: {Count: 7}")),
        RESULT_FAIL, 2, "1",
        "status: expected STATUS_UNSUCCESSFUL, actual STATUS_SUCCESS"},
    {"value_of_a_register",
        STEPS(
            "- rdmsr: {index: IA32_PERF_GLOBAL_CTRL}\n" EXPECT("value: 0xFF")),
        RESULT_PASS, 0, NULL, NULL},
    {"other_value_of_a_register",
        STEPS("- rdmsr: {index: IA32_PERF_GLOBAL_CTRL}\n" EXPECT("value: 0x0")),
        RESULT_FAIL, 1, "1",
        "value: expected 0x0, actual 0xFF, they differ in bits 0 (PMC0), 1 "
        "(PMC1), 2 (PMC2), 3 (PMC3), 4 (PMC4), 5 (PMC5), 6 (PMC6), 7 (PMC7)"},
    {"register_is_the_named_processor_s",
        STEPS("- wrmsr: {cpu: 2, index: IA32_DEBUGCTL, value: 0x1000}\n"
              "- rdmsr: {cpu: 1, index: IA32_DEBUGCTL}\n" EXPECT(
                  "value: 0") "- rdmsr: {cpu: 2, index: "
                              "IA32_DEBUGCTL}\n" EXPECT("value: 0x1000")),
        RESULT_PASS, 0, NULL, NULL},
    {"saved_handle_can_be_freed",
        STEPS(ALLOCATE "  save: {h: out.CounterSetHandle}\n" FREE("$h")
                EXPECT("status: STATUS_SUCCESS") FREE("$h")
                    EXPECT("status: STATUS_INVALID_PARAMETER, violations: "
                           "[{rule: hal.free.twice}]")),
        RESULT_PASS, 0, NULL, NULL},
    {"saved_level_can_be_restored",
        STEPS(
            RAISE("2") "  save: {old: returns}\n"
                       "- call: KeLowerIrql\n  args: {NewIrql: $old}\n- call: "
                       "KeGetCurrentIrql\n" EXPECT("returns: PASSIVE_LEVEL")),
        RESULT_PASS, 0, NULL, NULL},
    {"saved_register_can_be_written",
        STEPS(
            "- rdmsr: {index: IA32_PERF_GLOBAL_CTRL}\n  save: {all: value}\n"
            "- wrmsr: {index: IA32_PERF_GLOBAL_CTRL, value: 0}\n- wrmsr: "
            "{index: IA32_PERF_GLOBAL_CTRL, value: $all}\n"
            "- rdmsr: {index: IA32_PERF_GLOBAL_CTRL}\n" EXPECT("value: $all")),
        RESULT_PASS, 0, NULL, NULL},
    {"expectation_alone",
        STEPS("- expect: {state: {irql: {cpu: 0}, is: 0}, covers: [T-01]}\n"),
        RESULT_PASS, 0, NULL, NULL},
};

/* What no step said that it expects. */
static struct scenario_run_row unexpected_rows[] = {
    {"call_that_nobody_asks_about_has_to_succeed", STEPS(FREE("0x1") STEP_OK),
        RESULT_ERROR, 1, "1",
        "the call had to succeed and returned STATUS_INVALID_PARAMETER "
        "(0xC000000D); expect its status if it may fail"},
    {"call_may_be_expected_to_do_anything",
        STEPS(FREE("0x1") EXPECT("status: any")), RESULT_PASS, 0, NULL, NULL},
    {"broken_rule",
        SILENT(SET("[{Reserved: 1}]", "1") EXPECT("status: STATUS_SUCCESS")),
        RESULT_FAIL, 1, "1",
        "broken rule khc.set.reserved on cpu 0: a HARDWARE_COUNTER's Reserved "
        "is not 0 (KHC-TYPE-04 KHC-SET-13b); expect violations if it is meant "
        "to be"},
    {"bug_check", STEPS(RAISE("2") ALLOCATE EXPECT("status: STATUS_SUCCESS")),
        RESULT_FAIL, 1, "2",
        "the machine stopped with bug check IRQL_NOT_LESS_OR_EQUAL (0xA) on "
        "cpu 0: broken rule irql.contract: a routine "
        "was called at an IRQL that its contract does not allow: "
        "HalAllocateHardwareCounters is for PASSIVE_LEVEL (IRQL-GEN-01)"},
    {"exception", STEPS(SET("null", "1") EXPECT("status: STATUS_SUCCESS")),
        RESULT_FAIL, 1, "1",
        "the machine stopped with bug check KMODE_EXCEPTION_NOT_HANDLED (0x1E, "
        "STATUS_ACCESS_VIOLATION) on cpu 0: broken rule pointer.fault: a "
        "routine touched memory that the caller's pointer does not have, and "
        "nobody caught the exception (GEN-PTR-01)"},
    {"fault_of_a_register",
        STEPS("- rdmsr: {index: 0x12345678}\n" EXPECT("value: 0")), RESULT_FAIL,
        1, "1",
        "the machine stopped with bug check KMODE_EXCEPTION_NOT_HANDLED (0x1E, "
        "STATUS_PRIVILEGED_INSTRUCTION) on cpu 0: broken rule msr.fault: a "
        "register access raised #GP, and nobody caught the exception "
        "(GEN-PTR-01)"},
};

static struct scenario_run_row expected_rows[] = {
    {"access_violation_is_raised",
        STEPS(SET("null", "1") EXPECT("raises: ACCESS_VIOLATION")), RESULT_PASS,
        0, NULL, NULL},
    {"gp_is_raised",
        STEPS("- wrmsr: {index: IA32_PERF_GLOBAL_STATUS, value: 0}\n" EXPECT(
            "raises: GP")),
        RESULT_PASS, 0, NULL, NULL},
    {"nothing_is_raised",
        STEPS(SET("null", "0") EXPECT("raises: ACCESS_VIOLATION")), RESULT_FAIL,
        1, "1", "expected ACCESS_VIOLATION, but nothing was raised"},
    {"step_that_raised_has_no_status",
        STEPS(SET("null", "1")
                EXPECT("raises: ACCESS_VIOLATION, status: STATUS_SUCCESS")),
        RESULT_FAIL, 1, "1", "status: the step raised an exception instead"},
    {"steps_go_on_after_an_exception",
        STEPS(SET("null", "1") EXPECT("raises: ACCESS_VIOLATION")
                SET("null", "1") EXPECT("raises: ACCESS_VIOLATION")
                    SET("null", "0") EXPECT("status: STATUS_SUCCESS")),
        RESULT_PASS, 0, NULL, NULL},
    {"rule_is_broken",
        SILENT(SET("[{Reserved: 1}]", "1")
                EXPECT("violations: [{rule: khc.set.reserved, "
                       "api: KeSetHardwareCounterConfiguration, irql: "
                       "PASSIVE_LEVEL, cpu: 0}]")),
        RESULT_PASS, 0, NULL, NULL},
    {"no_rule_is_broken", STEPS(SET("null", "0") EXPECT("violations: []")),
        RESULT_PASS, 0, NULL, NULL},
    {"another_rule_is_broken",
        SILENT(SET("[{Reserved: 1}]", "1")
                EXPECT("violations: [{rule: khc.set.type}]")),
        RESULT_FAIL, 1, "1",
        "violations: expected {rule: khc.set.type}, actual {rule: "
        "khc.set.reserved, "
        "api: KeSetHardwareCounterConfiguration, irql: 0, cpu: 0}"},
    {"rule_was_not_broken",
        STEPS(SET("null", "0") EXPECT("violations: [{rule: khc.set.type}]")),
        RESULT_FAIL, 1, "1",
        "violations: expected {rule: khc.set.type}, but the rule was not "
        "broken"},
    {"one_rule_more_is_broken",
        SILENT(SET("[{Reserved: 1}]", "1") EXPECT("violations: []")),
        RESULT_FAIL, 1, "1",
        "violations: unexpected {rule: khc.set.reserved, api: "
        "KeSetHardwareCounterConfiguration, irql: 0, cpu: 0}"},
    {"rule_is_broken_at_another_level",
        SILENT(SET("[{Reserved: 1}]", "1")
                EXPECT("violations: [{rule: khc.set.reserved, irql: 1}]")),
        RESULT_FAIL, 1, "1",
        "violation's irql: expected 1, actual PASSIVE_LEVEL"},
    {"bug_check_ends_the_scenario",
        STEPS(RAISE("2") ALLOCATE EXPECT(
            "bugcheck: {code: IRQL_NOT_LESS_OR_EQUAL, "
            "p1: HalAllocateHardwareCounters, p2: DISPATCH_LEVEL, p3: "
            "PASSIVE_LEVEL}, violations: [{rule: irql.contract}]") FREE("0x1")),
        RESULT_PASS, 0, NULL, NULL},
    {"expectation_of_a_call_that_the_stop_leaves_out",
        STEPS(RAISE("2")
                ALLOCATE EXPECT("bugcheck: {code: IRQL_NOT_LESS_OR_EQUAL}")
                    FREE("0x1") EXPECT("status: STATUS_SUCCESS")),
        RESULT_FAIL, 1, "",
        "step 3 expects something and has never run: the machine had stopped; "
        "only steps without an action are evaluated after that"},
    {"expectations_follow_a_bug_check",
        STEPS(RAISE("2") ALLOCATE EXPECT(
            "bugcheck: {code: IRQL_NOT_LESS_OR_EQUAL}") "- expect: {state: "
                                                        "{irql: {cpu: 0}, is: "
                                                        "APC_LEVEL}}\n"),
        RESULT_FAIL, 1, "3",
        "state of cpu 0, irql: expected APC_LEVEL, actual DISPATCH_LEVEL"},
    {"another_bug_check",
        STEPS(RAISE("2") ALLOCATE EXPECT("bugcheck: {code: BAD_POOL_CALLER}")),
        RESULT_FAIL, 1, "2",
        "expected bug check BAD_POOL_CALLER, actual IRQL_NOT_LESS_OR_EQUAL "
        "(0xA)"},
    {"no_bug_check",
        STEPS(RAISE("2") EXPECT("bugcheck: {code: BAD_POOL_CALLER}")),
        RESULT_FAIL, 1, "1",
        "expected bug check BAD_POOL_CALLER, but the machine has not stopped"},
    {"another_parameter_of_the_bug_check",
        STEPS(RAISE("2") ALLOCATE EXPECT(
            "bugcheck: {code: IRQL_NOT_LESS_OR_EQUAL, p1: KfRaiseIrql}")),
        RESULT_FAIL, 1, "2",
        "bugcheck p1: expected KfRaiseIrql, actual "
        "HalAllocateHardwareCounters"},
    {"parameter_of_the_bug_check_in_a_range",
        STEPS(RAISE("2") ALLOCATE EXPECT(
            "bugcheck: {code: IRQL_NOT_LESS_OR_EQUAL, p2: {min: 1, max: 2}}")),
        RESULT_PASS, 0, NULL, NULL},
};

static void failure_ends_the_scenario(void **state)
{
    struct scenario_run made;
    const struct verdict *verdict;

    (void)state;
    scenario_run_init(
        &made, STEPS(ALLOCATE EXPECT("status: STATUS_UNSUCCESSFUL")
                       ALLOCATE EXPECT("status: STATUS_UNSUCCESSFUL")));
    verdict = scenario_run_nth(&made, 0);
    assert_int_equal(verdict->failure_count, 1);
    assert_int_equal(verdict->checks, 1);
    assert_string_equal(verdict->failure[0].covers[0], "T-01");
    assert_null(verdict->failure[0].covers[1]);
    scenario_run_release(&made);
}

static void budget_ends_what_does_not(void **state)
{
    struct scenario_run made;
    const struct verdict *verdict;

    (void)state;
    scenario_run_init(
        &made, STEPS(ALLOCATE EXPECT("status: STATUS_SUCCESS") HELD));
    made.session.budget = 0;
    verdict = scenario_run_nth(&made, 0);
    assert_int_equal(verdict->result, RESULT_TIMEOUT);
    assert_non_null(strstr(verdict->failure[0].message, "--budget"));
    scenario_run_release(&made);
}

/* A run is the same however often it is repeated, and forgets the one before.
 */
static void scenario_runs_again_with_the_same_result(void **state)
{
    struct scenario_run made;

    (void)state;
    scenario_run_init(
        &made, STEPS(ALLOCATE EXPECT("status: STATUS_SUCCESS") HELD));
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(scenario_run_nth(&made, 0)->result, RESULT_PASS);
    }
    scenario_run_release(&made);
}

static void instance_runs_on_its_own_windows(void **state)
{
    struct scenario_run made;

    (void)state;
    scenario_run_init(
        &made, HEAD "matrix: {os: [WIN7, WIN11]}\nsteps:\n" ALLOCATE_0 EXPECT(
                   "status: STATUS_INVALID_PARAMETER"));
    assert_int_equal(scenario_run_nth(&made, 0)->result, RESULT_PASS);
    assert_int_equal(scenario_run_nth(&made, 1)->result, RESULT_FAIL);
    assert_string_equal(made.verdict->failure[0].message,
        "status: expected STATUS_INVALID_PARAMETER, actual STATUS_SUCCESS");
    scenario_run_release(&made);
}

TEST_FILE(test_run)
{
    TEST_ADD_ROWS(list, scenario_run_row, result_rows);
    TEST_ADD_ROWS(list, scenario_run_row, unexpected_rows);
    TEST_ADD_ROWS(list, scenario_run_row, expected_rows);
    test_add(
        list, "failure_ends_the_scenario", failure_ends_the_scenario, NULL);
    test_add(
        list, "budget_ends_what_does_not", budget_ends_what_does_not, NULL);
    test_add(list, "scenario_runs_again_with_the_same_result",
        scenario_runs_again_with_the_same_result, NULL);
    test_add(list, "instance_runs_on_its_own_windows",
        instance_runs_on_its_own_windows, NULL);
}
