/* test_events.c - the records that belong to a step, where its cycles
 * begin, and that a trace is there when it is asked about (docs/scenarios.md).
 */
#define _POSIX_C_SOURCE 200809L
#include "tests/runner/run/scenario_run.h"

#define STEPS(steps) HEAD "machine: {cpus: 2}\nsteps:\n" steps
#define TWO HEAD "machine: {cpus: 2}\nactors: [drvA, drvB]\nsteps:\n"
#define COUNT_ON(cpu)                                                          \
    "- wrmsr: {cpu: " cpu ", index: IA32_PERFEVTSEL0, value: 0x4100C0}\n"      \
    "- wrmsr: {cpu: " cpu ", index: IA32_PMC0, value: 0xFFFFFC18}\n"
#define HOLD                                                                   \
    "- call: HalAllocateHardwareCounters\n"                                    \
    "  args: {GroupAffinty: null, GroupCount: 0, ResourceList: null}\n"
#define HELD ENDS_WITH("{kind: counter_set}")
#define RUN(cpu, cycles)                                                       \
    "- run: {cpu: " cpu ", cycles: " cycles ", ring: user}\n"
#define EVENTS(events) "  expect: {events: {" events "}, covers: [T-01]}\n"

static struct scenario_run_row rows[] = {
    {"records_of_an_earlier_step_are_not_this_ones",
        STEPS(HOLD RUN("0", "10") EVENTS("in_order: [{event: call}]")),
        RESULT_FAIL, 1, "2",
        "events: in_order[0] {event: call} did not come; there is no call in "
        "this step"},
    {"one_record_meets_one_pattern",
        STEPS(HOLD EVENTS("in_order: [{event: call}, {event: call}]")),
        RESULT_FAIL, 1, "1",
        "events: in_order[1] {event: call} did not follow call at 200 cpu0; "
        "'200 cpu0 call HalAllocateHardwareCounters(GroupAffinty=null, "
        "GroupCount=0, ResourceList=null, CounterSetHandle=block(8))' comes "
        "too early"},
    {"cycles_count_from_the_step_on_the_own_processor",
        STEPS(HOLD COUNT_ON("0") RUN("0", "2000")
                EVENTS("at: {event: overflow, counter: 0, cycle: 1000}") HELD),
        RESULT_PASS, 0, NULL, NULL},
    {"cycles_count_from_the_step_on_another_processor",
        STEPS(HOLD COUNT_ON("1") RUN("0", "700") RUN("1", "2000")
                EVENTS("at: {event: overflow, cpu: 1, cycle: 1000}") HELD),
        RESULT_PASS, 0, NULL, NULL},
    {"cycle_may_be_a_range",
        STEPS(HOLD COUNT_ON("0") RUN("0", "2000")
                EVENTS("at: {event: overflow, cycle: {min: 1001, max: 1100}}")),
        RESULT_FAIL, 1, "4",
        "events: at {event: overflow, cycle: {min: 1001, max: 1100}} came at "
        "cycle 1000"},
    {"event_that_comes_twice_is_at_no_cycle",
        TWO "- parallel: {drvA: [{run: {cpu: 0, cycles: 9}}], drvB: [{run: "
            "{cpu: 1, cycles: 8}}]}\n" EVENTS("at: {event: segment, cycle: 0}"),
        RESULT_FAIL, 1, "1",
        "events: at {event: segment, cycle: 0} came 2 times and has to come "
        "once: at cycle 0, 0"},
    {"what_never_may_come_is_shown",
        STEPS(RUN("1", "10") EVENTS("never: [{event: segment, cpu: 0}, "
                                    "{event: segment, ring: user}]")),
        RESULT_FAIL, 1, "1",
        "events: never[1] {event: segment, ring: user} came: '200 cpu1 segment "
        "cycles=10 ring=user halted=0'"},
    {"what_never_comes_is_well",
        STEPS(RUN("1", "10") EVENTS("never: [{event: segment, cpu: 0}, "
                                    "{event: segment, ring: kernel}]")),
        RESULT_PASS, 0, NULL, NULL},
    {"each_key_is_evaluated",
        STEPS(RUN("1", "10") EVENTS(
            "in_order: [{event: call}], never: [{event: segment}], at: {event: "
            "segment, cycle: 1}")),
        RESULT_FAIL, 3, "1",
        "events: in_order[0] {event: call} did not come; there is no call in "
        "this step"},
};

static void trace_is_kept_for_whom_it_concerns(void **state)
{
    struct scenario_run made;

    (void)state;
    scenario_run_init(&made,
        STEPS(HOLD COUNT_ON("0") RUN("0", "2000")
                EVENTS("at: {event: overflow, counter: 0, cycle: 1000}") HELD));
    made.session.machine.trace.off = true;
    assert_int_equal(scenario_run_nth(&made, 0)->result, RESULT_PASS);
    assert_true(made.session.machine.trace.off);
    scenario_run_release(&made);
}

static void trace_that_nobody_asks_about_stays_off(void **state)
{
    struct scenario_run made;

    (void)state;
    scenario_run_init(&made,
        STEPS(
            HOLD "  expect: {status: STATUS_SUCCESS, covers: [T-01]}\n" HELD));
    made.session.machine.trace.off = true;
    assert_int_equal(scenario_run_nth(&made, 0)->result, RESULT_PASS);
    assert_int_equal(made.session.machine.trace.count, 0);
    scenario_run_release(&made);
}

TEST_FILE(test_events)
{
    TEST_ADD_ROWS(list, scenario_run_row, rows);
    test_add(list, "trace_is_kept_for_whom_it_concerns",
        trace_is_kept_for_whom_it_concerns, NULL);
    test_add(list, "trace_that_nobody_asks_about_stays_off",
        trace_that_nobody_asks_about_stays_off, NULL);
}
