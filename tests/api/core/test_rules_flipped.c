/* test_rules_flipped.c - rules whose severity a ruling has flipped. */
#include "tests/api/booted_kernel.h"

/* A warning that a ruling has made fatal: it needs a code of its own. */
static void stop_with_main(void *argument)
{
    static const struct bugcheck_parameter parameter[4] = {{.value = 7}};
    struct kernel *kernel = kernel_current();

    (void)argument;
    rule_stop_with(kernel, kernel_cpu(kernel), RULE_LEAK_COUNTER_SET,
        ROUTINE_COUNT, 0, BUGCHECK_DRIVER_VERIFIER_DETECTED_VIOLATION,
        parameter);
}

static void warning_may_stop_the_machine(void **state)
{
    struct booted_kernel booted;
    const struct bugcheck *bugcheck = &booted.kernel.bugcheck;

    (void)state;
    booted_init_usual(&booted);
    booted_run_to_stop(&booted, 0, stop_with_main, NULL);
    assert_int_equal(bugcheck->code, 0xC4);
    assert_int_equal(bugcheck->parameter[0].value, 7);
    assert_int_equal(booted.kernel.rules.count, 1);
    assert_true(booted.kernel.rules.event[0].stopped);
    booted_release(&booted);
}

static void fatal_rule_may_be_recorded_only(void **state)
{
    struct booted_kernel booted;

    (void)state;
    booted_init_usual(&booted);
    rule_report(&booted.kernel, booted_cpu(&booted, 0), RULE_IRQL_CONTRACT,
        ROUTINE_COUNT);
    assert_int_equal(booted_broken(&booted, RULE_IRQL_CONTRACT), 1);
    assert_false(booted.kernel.rules.event[0].stopped);
    assert_int_equal(booted.kernel.bugcheck.code, BUGCHECK_NONE);
    booted_release(&booted);
}

TEST_FILE(test_rules_flipped)
{
    test_add(list, "warning_may_stop_the_machine", warning_may_stop_the_machine,
        NULL);
    test_add(list, "fatal_rule_may_be_recorded_only",
        fatal_rule_may_be_recorded_only, NULL);
}
