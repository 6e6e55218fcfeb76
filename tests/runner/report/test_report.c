/* test_report.c - a failure as it is printed, with the command that repeats it,
 * and traces (docs/scenarios.md). */
#define _POSIX_C_SOURCE 200809L
#include "scenarios/runner/report/report.h"
#include "scenarios/runner/run/instance_trace.h"
#include "scenarios/runner/run/verdict.h"
#include "tests/runner/run/scenario_run.h"

static void print_failures(const void *argument, FILE *out)
{
    const struct scenario_run *made = argument;

    report_failures(
        &made->session, &made->instances->item[0], made->verdict, out);
}

static void print_trace(const void *argument, FILE *out)
{
    const struct scenario_run *made = argument;

    instance_trace_print(
        &made->instances->item[0], &made->session.machine.trace, out);
}

static char *failures_of(struct scenario_run *made)
{
    return text_of(made->text.file.memory, print_failures, made);
}

#define FAILING                                                                \
    "ntpmu: 1\n"                                                               \
    "id: ke.config\n"                                                          \
    "title: Test\n"                                                            \
    "matrix: {os: [WIN7], arch: [x86]}\n"                                      \
    "rulings: {KHC-SET-11b: silent}\n"                                         \
    "steps:\n"                                                                 \
    "- call: KfRaiseIrql\n"                                                    \
    "  args: {NewIrql: APC_LEVEL}\n"                                           \
    "- call: KeSetHardwareCounterConfiguration\n"                              \
    "  args: {CounterArray: [{Index: 9}], Count: 1}\n"                         \
    "  expect: {status: STATUS_NOT_IMPLEMENTED, covers: [T-01, T-02]}\n"

static void failure_has_place_call_sources_and_command(void **state)
{
    struct scenario_run made;

    (void)state;
    scenario_run_init(&made, FAILING);
    scenario_run_nth(&made, 0);
    assert_string_equal(failures_of(&made),
        "t.yaml:11:20: FAIL ke.config[os=WIN7,arch=x86] step 2: status: "
        "expected STATUS_NOT_IMPLEMENTED, actual STATUS_SUCCESS\n"
        "   11 |   expect: {status: STATUS_NOT_IMPLEMENTED, covers: [T-01, "
        "T-02]}\n"
        "      |                    ^~~~~~~~~~~~~~~~~~~~~~\n"
        "      = call:   KeSetHardwareCounterConfiguration(CounterArray="
        "[{Type=PMCCounter, Reserved=0, Index=9}], Count=1) at APC_LEVEL, "
        "cpu 0\n"
        "      = source: T-01 [D] The first requirement. (the page)\n"
        "      = source: T-02 [C] The second requirement. (our ruling)\n"
        "      = rulings: KHC-SET-11b=silent\n"
        "      = repro:  ntpmu run t.yaml --id 'ke.config[os=WIN7,arch=x86]' "
        "--trace -\n");
    scenario_run_release(&made);
}

static void error_without_a_requirement_has_no_source(void **state)
{
    struct scenario_run made;

    (void)state;
    scenario_run_init(&made,
        HEAD "steps:\n- {call: HalFreeHardwareCounters, args: "
             "{CounterSetHandle: 0x1}}\n" STEP_OK);
    scenario_run_nth(&made, 0);
    assert_string_equal(failures_of(&made),
        "t.yaml:5:4: ERROR t step 1: the call had to succeed and returned "
        "STATUS_INVALID_PARAMETER (0xC000000D); expect its status if it may "
        "fail\n"
        "    5 | - {call: HalFreeHardwareCounters, args: {CounterSetHandle: "
        "0x1}}\n"
        "      |    ^~~~\n"
        "      = call:   HalFreeHardwareCounters(CounterSetHandle=0x1) at "
        "PASSIVE_LEVEL, cpu 0\n"
        "      = repro:  ntpmu run t.yaml --id 't' --trace -\n");
    scenario_run_release(&made);
}

static void expectation_alone_has_no_call(void **state)
{
    struct scenario_run made;

    (void)state;
    scenario_run_init(&made,
        HEAD "steps:\n- expect: {state: {irql: {cpu: 0}, is: APC_LEVEL}, "
             "covers: [T-03]}\n");
    scenario_run_nth(&made, 0);
    assert_string_equal(failures_of(&made),
        "t.yaml:5:40: FAIL t step 1: state of cpu 0, irql: expected APC_LEVEL, "
        "actual PASSIVE_LEVEL\n"
        "    5 | - expect: {state: {irql: {cpu: 0}, is: APC_LEVEL}, covers: "
        "[T-03]}\n"
        "      |                                        ^~~~~~~~~\n"
        "      = source: T-03 [H] The third requirement. (the header)\n"
        "      = repro:  ntpmu run t.yaml --id 't' --trace -\n");
    scenario_run_release(&made);
}

static void verdict_that_passed_prints_nothing(void **state)
{
    struct scenario_run made;

    (void)state;
    scenario_run_init(&made, HEAD STEPS_OK);
    scenario_run_nth(&made, 0);
    assert_string_equal(failures_of(&made), "");
    scenario_run_release(&made);
}

/* The file's path in the command, as a shell would have to read it. */
static struct path_row {
    const char *name;
    const char *path;
    const char *want;
} path_rows[] = {
    {"plain_path_stands_as_it_is", "scenarios/hal/a-b_1.yaml",
        "ntpmu run scenarios/hal/a-b_1.yaml --id"},
    {"path_with_a_space_is_quoted", "my scenarios/a.yaml",
        "ntpmu run 'my scenarios/a.yaml' --id"},
    {"path_with_a_dollar_is_quoted", "$x.yaml", "ntpmu run '$x.yaml' --id"},
    {"path_with_a_quote_is_quoted_around_it", "it's.yaml",
        "ntpmu run 'it'\\''s.yaml' --id"},
    {"path_with_brackets_is_quoted", "a[1].yaml", "ntpmu run 'a[1].yaml' --id"},
    {"path_that_begins_with_a_dash_is_quoted", "-a.yaml",
        "ntpmu run '-a.yaml' --id"},
};

static void path_row(void **state)
{
    const struct path_row *row = *state;
    struct scenario_run made;

    scenario_run_init(&made, FAILING);
    scenario_run_nth(&made, 0);
    made.text.file.source->path = row->path;
    assert_non_null(strstr(failures_of(&made), row->want));
    scenario_run_release(&made);
}

static struct result_row {
    const char *name;
    enum result result;
    const char *want;
} result_rows[] = {
    {"pass_is_called_pass", RESULT_PASS, "PASS"},
    {"fail_is_called_fail", RESULT_FAIL, "FAIL"},
    {"error_is_called_error", RESULT_ERROR, "ERROR"},
    {"timeout_is_called_timeout", RESULT_TIMEOUT, "TIMEOUT"},
    {"crash_is_called_crash", RESULT_CRASH, "CRASH"},
    {"internal_is_called_internal", RESULT_INTERNAL, "INTERNAL"},
};

static void result_row(void **state)
{
    const struct result_row *row = *state;

    assert_string_equal(verdict_result_name(row->result), row->want);
}

static void trace_has_a_line_for_each_record(void **state)
{
    struct scenario_run made;

    (void)state;
    scenario_run_init(
        &made, "ntpmu: 1\nid: t\ntitle: Test\nmachine: {cpus: 1}\n" STEPS_OK);
    scenario_run_nth(&made, 0);
    assert_string_equal(text_of(made.text.file.memory, print_trace, &made),
        "# t\n"
        "100 cpu0 cpuid leaf=0xa\n"
        "200 cpu0 wrmsr index=0x834 value=0xfe\n"
        "200 cpu0 call KeGetCurrentIrql()\n"
        "205 cpu0 return api=KeGetCurrentIrql returns=PASSIVE_LEVEL\n");
    scenario_run_release(&made);
}

TEST_FILE(test_report)
{
    TEST_ADD_ROWS(list, path_row, path_rows);
    TEST_ADD_ROWS(list, result_row, result_rows);
    test_add(list, "failure_has_place_call_sources_and_command",
        failure_has_place_call_sources_and_command, NULL);
    test_add(list, "error_without_a_requirement_has_no_source",
        error_without_a_requirement_has_no_source, NULL);
    test_add(list, "expectation_alone_has_no_call",
        expectation_alone_has_no_call, NULL);
    test_add(list, "verdict_that_passed_prints_nothing",
        verdict_that_passed_prints_nothing, NULL);
    test_add(list, "trace_has_a_line_for_each_record",
        trace_has_a_line_for_each_record, NULL);
}
