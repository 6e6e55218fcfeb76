/* test_rules.c - the rules' own table, and the record of those that a driver
 * broke. */
#include <ctype.h>

#include "api/boot/exports.h"
#include "tests/api/booted_kernel.h"

enum { WARNING = -1 }; /* no bug check code */

static struct table_row {
    const char *name;
    enum rule rule;
    const char *want_id;
    int want_code;
} table_rows[] = {
    {"irql_contract_is_0x0a", RULE_IRQL_CONTRACT, "irql.contract", 0x0A},
    {"handler_that_is_no_code_is_0xd1", RULE_HAL_HANDLER_NOT_CODE,
        "hal.handler.not_code", 0xD1},
    {"reentered_handler_is_a_warning", RULE_HAL_HANDLER_REENTERED,
        "hal.handler.reentered", WARNING},
    {"raise_beyond_high_level_is_0xc8", RULE_IRQL_NO_SUCH_LEVEL,
        "irql.no_such_level", 0xC8},
    {"raise_that_lowers_is_0x09", RULE_IRQL_RAISE_LOWERS, "irql.raise_lowers",
        0x09},
    {"lower_that_raises_is_0x0a", RULE_IRQL_LOWER_RAISES, "irql.lower_raises",
        0x0A},
    {"lower_to_another_level_is_0xc8", RULE_IRQL_LOWER_MISMATCH,
        "irql.lower_mismatch", 0xC8},
    {"bad_pointer_is_0x1e", RULE_POINTER_FAULT, "pointer.fault", 0x1E},
    {"general_protection_is_0x1e", RULE_MSR_FAULT, "msr.fault", 0x1E},
    {"unhandled_exception_is_0x1e", RULE_EXCEPTION_UNHANDLED,
        "exception.unhandled", 0x1E},
    {"pageable_memory_is_0xd1", RULE_MM_PAGED_ACCESS, "mm.paged_access", 0xD1},
    {"nobodys_address_when_raised_is_0xd1", RULE_MM_RAISED_ACCESS,
        "mm.raised_access", 0xD1},
    {"use_after_free_is_0xd5", RULE_MM_USE_AFTER_FREE, "mm.use_after_free",
        0xD5},
    {"overrun_is_0xd6", RULE_MM_OVERRUN, "mm.overrun", 0xD6},
    {"write_to_read_only_memory_is_0xbe", RULE_MM_READ_ONLY, "mm.read_only",
        0xBE},
    {"execution_of_data_is_0xfc", RULE_MM_NO_EXECUTE, "mm.no_execute", 0xFC},
    {"bad_kernel_address_is_0x50", RULE_MM_BAD_ADDRESS, "mm.bad_address", 0x50},
    {"discarded_section_is_0x50", RULE_IMAGE_DISCARDED, "image.discarded",
        0x50},
    {"stack_overflow_is_0x7f", RULE_STACK_OVERFLOW, "stack.overflow", 0x7F},
    {"jump_to_null_is_0x1e", RULE_CODE_JUMP_NULL, "code.jump_null", 0x1E},
    {"fast_fail_is_0x139", RULE_CODE_FASTFAIL, "code.fastfail", 0x139},
    {"descriptor_flags_are_a_warning", RULE_HAL_ALLOC_FLAGS, "hal.alloc.flags",
        WARNING},
    {"affinity_reserved_is_a_warning", RULE_HAL_ALLOC_RESERVED,
        "hal.alloc.reserved", WARNING},
    {"lone_handler_is_a_warning", RULE_HAL_ALLOC_LONE_OVERFLOW,
        "hal.alloc.lone_overflow", WARNING},
    {"list_of_old_headers_is_a_warning", RULE_HAL_ALLOC_OLD_LAYOUT,
        "hal.alloc.old_layout", WARNING},
    {"handler_in_a_pageable_section_is_a_warning", RULE_HAL_ALLOC_HANDLER_PAGED,
        "hal.alloc.handler_paged", WARNING},
    {"dropped_processor_is_a_warning", RULE_HAL_ALLOC_INACTIVE,
        "hal.alloc.inactive", WARNING},
    {"entry_size_taken_as_0_is_a_warning", RULE_HAL_ALLOC_ENTRY_SIZE,
        "hal.alloc.entry_size", WARNING},
    {"overflow_without_a_handler_is_a_warning", RULE_HAL_OVERFLOW_NO_HANDLER,
        "hal.overflow.no_handler", WARNING},
    {"overflow_of_nobodys_counter_is_a_warning", RULE_HAL_OVERFLOW_UNHELD,
        "hal.overflow.unheld", WARNING},
    {"counter_that_nobody_holds_is_a_warning", RULE_KHC_SET_UNOWNED,
        "khc.set.unowned", WARNING},
    {"counter_configured_twice_is_a_warning", RULE_KHC_SET_DUPLICATE,
        "khc.set.duplicate", WARNING},
    {"second_free_is_a_warning", RULE_HAL_FREE_TWICE, "hal.free.twice",
        WARNING},
    {"free_of_null_is_a_warning", RULE_HAL_FREE_NULL, "hal.free.null", WARNING},
    {"free_of_a_running_counter_is_a_warning", RULE_HAL_FREE_RUNNING,
        "hal.free.running", WARNING},
    {"unheld_counter_is_a_warning", RULE_HAL_COUNTER_UNHELD,
        "hal.counter.unheld", WARNING},
    {"slow_handler_is_a_warning", RULE_HAL_HANDLER_BUDGET, "hal.handler.budget",
        WARNING},
    {"spin_lock_at_profile_level_is_0x0a", RULE_LOCK_AT_PROFILE,
        "lock.at_profile", 0x0A},
    {"spin_lock_above_dispatch_level_is_a_warning", RULE_LOCK_ABOVE_DISPATCH,
        "lock.above_dispatch", WARNING},
    {"recursive_spin_lock_is_0x0f", RULE_LOCK_RECURSIVE, "lock.recursive",
        0x0F},
    {"release_of_anothers_spin_lock_is_0x10", RULE_LOCK_NOT_OWNED,
        "lock.not_owned", 0x10},
    {"spin_lock_of_no_value_is_a_warning", RULE_LOCK_NOT_INITIALIZED,
        "lock.not_initialized", WARNING},
    {"mixed_pair_is_a_warning", RULE_LOCK_MIXED_PAIR, "lock.mixed_pair",
        WARNING},
    {"release_with_another_level_is_a_warning", RULE_LOCK_RELEASE_IRQL,
        "lock.release_irql", WARNING},
    {"spin_lock_held_long_is_a_warning", RULE_LOCK_HELD_LONG, "lock.held_long",
        WARNING},
    {"spin_lock_left_behind_is_a_warning", RULE_LEAK_SPIN_LOCK,
        "leak.spin_lock", WARNING},
    {"function_that_is_no_code_is_0xd1", RULE_CODE_NOT_CODE, "code.not_code",
        0xD1},
    {"counter_type_is_a_warning", RULE_KHC_SET_TYPE, "khc.set.type", WARNING},
    {"pool_at_a_wrong_level_is_0xc2", RULE_POOL_IRQL, "pool.irql", 0xC2},
    {"pool_that_must_succeed_is_0xc2", RULE_POOL_MUST_SUCCEED,
        "pool.must_succeed", 0xC2},
    {"pool_without_a_tag_is_0xc2", RULE_POOL_NO_TAG, "pool.no_tag", 0xC2},
    {"bad_free_is_0xc2", RULE_POOL_BAD_FREE, "pool.bad_free", 0xC2},
    {"double_free_is_0xc2", RULE_POOL_DOUBLE_FREE, "pool.double_free", 0xC2},
    {"wrong_tag_is_0xc2", RULE_POOL_WRONG_TAG, "pool.wrong_tag", 0xC2},
    {"overrun_into_the_slack_is_0xc1", RULE_POOL_OVERRUN_SLACK,
        "pool.overrun_slack", 0xC1},
    {"bad_tag_is_a_warning", RULE_POOL_BAD_TAG, "pool.bad_tag", WARNING},
    {"bad_type_is_a_warning", RULE_POOL_BAD_TYPE, "pool.bad_type", WARNING},
    {"pool_of_no_bytes_is_a_warning", RULE_POOL_ZERO_BYTES, "pool.zero_bytes",
        WARNING},
    {"leak_is_a_warning", RULE_POOL_LEAK, "pool.leak", WARNING},
    {"counter_reserved_is_a_warning", RULE_KHC_SET_RESERVED, "khc.set.reserved",
        WARNING},
    {"not_an_object_is_0xc9", RULE_IO_NOT_OBJECT, "io.not_object", 0xC9},
    {"second_completion_is_0x44", RULE_IO_COMPLETE_TWICE, "io.complete.twice",
        0x44},
    {"completion_as_pending_is_0xc9", RULE_IO_COMPLETE_PENDING,
        "io.complete.pending", 0xC9},
    {"dispatch_at_another_irql_is_0xc8", RULE_IO_DISPATCH_IRQL,
        "io.dispatch.irql", 0xC8},
    {"interrupts_left_off_are_a_warning", RULE_IO_DISPATCH_INTERRUPTS,
        "io.dispatch.interrupts", WARNING},
    {"affinity_kept_is_a_warning", RULE_THREAD_AFFINITY_KEPT,
        "thread.affinity_kept", WARNING},
    {"lost_request_is_a_warning", RULE_IO_DISPATCH_LOST, "io.dispatch.lost",
        WARNING},
    {"other_status_is_a_warning", RULE_IO_DISPATCH_STATUS, "io.dispatch.status",
        WARNING},
    {"unmarked_pending_is_a_warning", RULE_IO_DISPATCH_PENDING,
        "io.dispatch.pending", WARNING},
    {"too_much_information_is_a_warning", RULE_IO_INFORMATION, "io.information",
        WARNING},
    {"counter_set_left_is_a_warning", RULE_LEAK_COUNTER_SET, "leak.counter_set",
        WARNING},
    {"counter_left_running_is_a_warning", RULE_LEAK_COUNTER_RUNNING,
        "leak.counter_running", WARNING},
    {"device_left_is_a_warning", RULE_LEAK_DEVICE, "leak.device", WARNING},
    {"link_left_is_a_warning", RULE_LEAK_SYMBOLIC_LINK, "leak.symbolic_link",
        WARNING},
#include "tests/api/core/pcw_rule_rows.def"
    {"print_too_high_is_a_warning", RULE_DBGPRINT_IRQL, "dbgprint.irql",
        WARNING},
    {"unicode_raised_is_a_warning", RULE_DBGPRINT_UNICODE_IRQL,
        "dbgprint.unicode_irql", WARNING},
    {"unsupported_format_is_a_warning", RULE_DBGPRINT_FORMAT, "dbgprint.format",
        WARNING},
};

static void table_row(void **state)
{
    const struct table_row *row = *state;
    const struct rule_row *rule = &rule_rows[row->rule];

    assert_string_equal(rule->id, row->want_id);
    assert_int_equal(
        rule->severity, row->want_code == WARNING ? RULE_WARNING : RULE_FATAL);
    assert_int_equal((int)rule->code, row->want_code);
}

static void fatal_rules_but_one_have_a_code_and_warnings_none(void **state)
{
    (void)state;
    for (unsigned i = 0; i < RULE_COUNT; i++) {
        /* The code of a bug check that a driver calls for is its own. */
        bool fatal =
            rule_rows[i].severity == RULE_FATAL && i != RULE_BUGCHECK_CALLED;

        assert_int_equal(rule_rows[i].code != BUGCHECK_NONE, fatal);
        assert_int_equal(bugcheck_name(rule_rows[i].code) != NULL, fatal);
    }
}

static void ids_are_unique(void **state)
{
    (void)state;
    for (unsigned i = 0; i < RULE_COUNT; i++) {
        for (unsigned k = 0; k < i; k++) {
            assert_string_not_equal(rule_rows[i].id, rule_rows[k].id);
        }
    }
}

/* family.what, in lower case. */
static void ids_read_by_themselves(void **state)
{
    (void)state;
    for (unsigned i = 0; i < RULE_COUNT; i++) {
        const char *id = rule_rows[i].id;
        size_t length = strlen(id);

        assert_int_equal(strspn(id, "abcdefghijklmnopqrstuvwxyz_."), length);
        assert_non_null(strchr(id, '.'));
        assert_true(islower(id[0]) && islower(id[length - 1]));
        assert_null(strstr(id, ".."));
    }
}

static void every_rule_says_what_and_why(void **state)
{
    (void)state;
    for (unsigned i = 0; i < RULE_COUNT; i++) {
        assert_true(strlen(rule_rows[i].text) > 20);
        assert_true(isupper(rule_rows[i].requirements[0]));
        assert_non_null(strchr(rule_rows[i].requirements, '-'));
    }
}

/* Driver code that breaks a rule at DISPATCH_LEVEL, 120 cycles after boot. */
static void warn_main(void *argument)
{
    struct kernel *kernel = kernel_current();

    (void)argument;
    KfRaiseIrql(2);
    cpu_spend(kernel_cpu(kernel), 100, 1);
    rule_warn(
        kernel, kernel_cpu(kernel), RULE_HAL_COUNTER_UNHELD, ROUTINE_COUNT);
}

static void warning_is_recorded_and_the_driver_goes_on(void **state)
{
    struct booted_kernel booted;
    const struct rule_event *event;
    uint64_t before;

    (void)state;
    booted_init_usual(&booted);
    before = booted_cpu(&booted, 1)->time;
    booted_run(&booted, 1, warn_main, NULL);
    assert_int_equal(booted.kernel.rules.count, 1);
    event = &booted.kernel.rules.event[0];
    assert_int_equal(event->rule, RULE_HAL_COUNTER_UNHELD);
    assert_int_equal(event->routine, ROUTINE_COUNT);
    assert_int_equal(event->processor, 1);
    assert_int_equal(event->irql, 2);
    assert_int_equal(event->time - before, 120);
    assert_int_equal(booted.kernel.bugcheck.code, BUGCHECK_NONE);
    booted_release(&booted);
}

static void warning_is_in_the_trace(void **state)
{
    struct booted_kernel booted;
    struct trace *trace = &booted.machine.trace;
    char line[200];

    (void)state;
    booted_init_usual(&booted);
    trace_reset(trace);
    rule_warn(&booted.kernel, booted_cpu(&booted, 1), RULE_KHC_SET_TYPE,
        ROUTINE_KeSetHardwareCounterConfiguration);
    assert_int_equal(trace->count, 1);
    trace_format(trace, 0, line, sizeof(line));
    assert_string_equal(line, "200 cpu1 violation rule=khc.set.type "
                              "api=KeSetHardwareCounterConfiguration irql=0");
    booted_release(&booted);
}

static void warning_outside_of_a_routine_is_traced_as_none(void **state)
{
    struct booted_kernel booted;
    struct trace *trace = &booted.machine.trace;
    char line[200];

    (void)state;
    booted_init_usual(&booted);
    trace_reset(trace);
    rule_warn(&booted.kernel, booted_cpu(&booted, 0), RULE_HAL_HANDLER_BUDGET,
        ROUTINE_COUNT);
    trace_format(trace, 0, line, sizeof(line));
    assert_string_equal(
        line, "200 cpu0 violation rule=hal.handler.budget api=none irql=0");
    booted_release(&booted);
}

static void every_warning_is_kept_in_order(void **state)
{
    struct booted_kernel booted;

    (void)state;
    booted_init_usual(&booted);
    for (unsigned i = 0; i < 100; i++) {
        rule_warn(&booted.kernel, booted_cpu(&booted, i % 2),
            i % 3 == 0 ? RULE_HAL_ALLOC_FLAGS : RULE_HAL_FREE_RUNNING,
            ROUTINE_COUNT);
    }
    assert_int_equal(booted.kernel.rules.count, 100);
    for (unsigned i = 0; i < 100; i++) {
        const struct rule_event *event = &booted.kernel.rules.event[i];

        assert_int_equal(event->processor, i % 2);
        assert_int_equal(event->rule,
            i % 3 == 0 ? RULE_HAL_ALLOC_FLAGS : RULE_HAL_FREE_RUNNING);
    }
    booted_release(&booted);
}

/* Driver code that breaks a fatal rule, and what comes after it. */
static void stop_main(void *argument)
{
    static const struct bugcheck_parameter parameter[4] = {
        {.name = "first"}, {.value = 2}, {.value = 3}, {.value = 4}};
    bool *after = argument;
    struct kernel *kernel = kernel_current();

    rule_stop(kernel, kernel_cpu(kernel), RULE_IRQL_LOWER_MISMATCH,
        ROUTINE_KeLowerIrql, parameter);
    *after = true;
}

static void fatal_rule_stops_the_machine_with_its_record(void **state)
{
    struct booted_kernel booted;
    const struct bugcheck *bugcheck = &booted.kernel.bugcheck;
    bool after = false;

    (void)state;
    booted_init_usual(&booted);
    booted_run_to_stop(&booted, 1, stop_main, &after);
    assert_false(after);
    assert_int_equal(bugcheck->code, 0xC8);
    assert_int_equal(bugcheck->processor, 1);
    assert_string_equal(bugcheck->parameter[0].name, "first");
    assert_int_equal(bugcheck->parameter[1].value, 2);
    assert_int_equal(bugcheck->parameter[2].value, 3);
    assert_int_equal(bugcheck->parameter[3].value, 4);
    assert_int_equal(booted.kernel.rules.count, 1);
    assert_int_equal(booted.kernel.rules.event[0].routine, ROUTINE_KeLowerIrql);
    booted_release(&booted);
}

static void released_record_is_empty(void **state)
{
    struct booted_kernel booted;

    (void)state;
    booted_init_usual(&booted);
    rule_warn(&booted.kernel, booted_cpu(&booted, 0), RULE_HAL_ALLOC_FLAGS,
        ROUTINE_COUNT);
    rule_log_release(&booted.kernel.rules);
    assert_int_equal(booted.kernel.rules.count, 0);
    assert_int_equal(booted.kernel.rules.capacity, 0);
    assert_null(booted.kernel.rules.event);
    booted_release(&booted);
}

TEST_FILE(test_rules)
{
    TEST_ADD_ROWS(list, table_row, table_rows);
    test_add(list, "fatal_rules_but_one_have_a_code_and_warnings_none",
        fatal_rules_but_one_have_a_code_and_warnings_none, NULL);
    test_add(list, "ids_are_unique", ids_are_unique, NULL);
    test_add(list, "ids_read_by_themselves", ids_read_by_themselves, NULL);
    test_add(list, "every_rule_says_what_and_why", every_rule_says_what_and_why,
        NULL);
    test_add(list, "warning_is_recorded_and_the_driver_goes_on",
        warning_is_recorded_and_the_driver_goes_on, NULL);
    test_add(list, "warning_is_in_the_trace", warning_is_in_the_trace, NULL);
    test_add(list, "warning_outside_of_a_routine_is_traced_as_none",
        warning_outside_of_a_routine_is_traced_as_none, NULL);
    test_add(list, "every_warning_is_kept_in_order",
        every_warning_is_kept_in_order, NULL);
    test_add(list, "fatal_rule_stops_the_machine_with_its_record",
        fatal_rule_stops_the_machine_with_its_record, NULL);
    test_add(list, "released_record_is_empty", released_record_is_empty, NULL);
}
