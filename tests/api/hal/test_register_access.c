/* test_register_access.c - RDMSR and WRMSR by a driver: the fault becomes an
 * exception, and a counter that its sets do not hold is reported
 * (HAL-ALLOC-55, HAL-ALLOC-59). */
#include "api/hal/arbiter.h"
#include "api/hal/register_access.h"
#include "sim/machine/msr.h"
#include "tests/api/booted_kernel.h"

/* One access on the processor that runs the code. */
struct access {
    uint32_t address;
    uint64_t value;
    bool write;
    bool raised;
    struct exception_record record;
};

static void access_now(void *argument)
{
    struct access *access = argument;
    struct kernel *kernel = kernel_current();
    struct cpu *cpu = kernel_cpu(kernel);

    if (access->write) {
        register_write(kernel, cpu, access->address, access->value);
    } else {
        access->value = register_read(kernel, cpu, access->address);
    }
}

static void access_main(void *argument)
{
    struct access *access = argument;

    access->raised = booted_catch(access_now, access, &access->record);
}

/* Gives the driver these counters on these processors. */
static void hold(struct booted_kernel *booted, uint64_t counters,
    uint64_t processors, bool exclusive)
{
    const struct counter_claim claim = {
        .counters = counters, .affinity = {processors}, .exclusive = exclusive};

    assert_non_null(arbiter_grant(booted->kernel.arbiter,
        &booted->machine.arena, &claim, &booted->driver));
}

static struct fault_row {
    const char *name;
    uint32_t address;
    uint64_t value;
    bool write, want;
} fault_rows[] = {
    {"read_of_a_counter", 0x0C1, 0, false, false},
    {"read_of_a_counter_that_is_missing_raises", 0x0C9, 0, false, true},
    {"read_of_an_unknown_register_raises", 0x12345678, 0, false, true},
    {"write_of_a_counter", 0x0C8, 1, true, false},
    {"write_of_a_read_only_register_raises", 0x38E, 0, true, true},
    {"write_of_a_reserved_bit_raises", 0x186, 0x200000, true, true},
    {"write_of_a_fixed_counter_that_is_missing_raises", 0x30C, 0, true, true},
};

static void fault_row(void **state)
{
    const struct fault_row *row = *state;
    struct booted_kernel booted;
    struct access access = {
        .address = row->address, .value = row->value, .write = row->write};

    booted_init_usual(&booted);
    hold(&booted, 0, 0x3, true);
    booted_run(&booted, 1, access_main, &access);
    assert_int_equal(access.raised, row->want);
    if (row->want) {
        assert_int_equal((uint32_t)access.record.code, 0xC0000096);
        assert_int_equal(access.record.routine, ROUTINE_COUNT);
        assert_null(access.record.address);
    }
    assert_int_equal(booted.kernel.rules.count, 0);
    booted_release(&booted);
}

static void read_gives_the_register_of_this_processor(void **state)
{
    struct booted_kernel booted;
    struct access access = {.address = 0x0C2};

    (void)state;
    booted_init_usual(&booted);
    assert_int_equal(msr_write(booted_cpu(&booted, 0), 0x0C2, 7), MSR_OK);
    assert_int_equal(msr_write(booted_cpu(&booted, 1), 0x0C2, 9), MSR_OK);
    booted_run(&booted, 1, access_main, &access);
    assert_int_equal(access.value, 9);
    booted_release(&booted);
}

static void unhandled_fault_stops_the_machine(void **state)
{
    struct booted_kernel booted;
    struct access access = {.address = 0x0C9};

    (void)state;
    booted_init_usual(&booted);
    booted_run_to_stop(&booted, 0, access_now, &access);
    assert_int_equal(booted.kernel.bugcheck.code, 0x1E);
    assert_int_equal(booted.kernel.bugcheck.parameter[0].value, 0xC0000096);
    assert_int_equal(booted.kernel.rules.count, 1);
    assert_string_equal(
        rule_rows[booted.kernel.rules.event[0].rule].id, "msr.fault");
    booted_release(&booted);
}

/* PMU-SYS-09a: nobody's exception, no broken rule, no bug check. */
static struct not_modelled_row {
    const char *name;
    uint32_t address;
    uint64_t value;
    bool write;
    const char *want;
} not_modelled_rows[] = {
    {"read_of_what_the_part_has", 0x19C, 0, false,
        "MSR 19CH is not modelled (IA32_THERM_STATUS); machine: {msrs: {0x19C: "
        "..}} gives it a value, of drive --msr 0x19C=.."},
    {"write_of_what_the_part_has", 0x199, 0x2800, true,
        "MSR 199H is not modelled (IA32_PERF_CTL); machine: {msrs: {0x199: "
        "..}} gives it a value, of drive --msr 0x199=.."},
    {"write_of_another_value", 0x1A0, 0x411889, true,
        "of MSR 1A0H (IA32_MISC_ENABLE) no other value is modelled than it "
        "has; "
        "it was written"},
};

static void not_modelled_row(void **state)
{
    const struct not_modelled_row *row = *state;
    struct booted_kernel booted;
    struct access access = {
        .address = row->address, .value = row->value, .write = row->write};

    booted_init_usual(&booted);
    booted_run_to_stop(&booted, 0, access_main, &access);
    assert_int_equal(booted.kernel.end.kind, RUN_NOT_MODELLED);
    assert_string_equal(booted.kernel.end.reason, row->want);
    assert_int_equal(booted.kernel.bugcheck.code, BUGCHECK_NONE);
    assert_int_equal(booted.kernel.rules.count, 0);
    booted_release(&booted);
}

/* A write on processor 1 by a driver that holds counters 1 and 33 there. The
 * write goes through in any case. */
static struct unheld_row {
    const char *name;
    uint32_t address;
    uint64_t value;
    unsigned want;
} unheld_rows[] = {
    {"counter_that_is_held", 0x0C2, 5, 0},
    {"counter_that_is_not_held", 0x0C1, 5, 1},
    {"select_of_a_held_counter", 0x187, 0x5300C0, 0},
    {"select_that_starts_an_unheld_counter", 0x186, 0x5300C0, 1},
    {"select_that_changes_an_unheld_counter", 0x186, 0x1300C0, 1},
    {"select_that_leaves_an_unheld_counter_as_it_was", 0x186, 0, 0},
    {"last_counter_that_is_not_held", 0x0C8, 5, 1},
    {"fixed_counter_that_is_held", 0x30A, 5, 0},
    {"fixed_counter_that_is_not_held", 0x309, 5, 1},
    {"control_field_of_a_held_fixed_counter", 0x38D, 0x030, 0},
    {"control_field_of_an_unheld_fixed_counter", 0x38D, 0x003, 1},
    {"control_fields_of_held_and_unheld_ones", 0x38D, 0x330, 1},
    {"control_fields_that_stay_as_they_are", 0x38D, 0x000, 0},
    {"global_control_is_nobody_s_own", 0x38F, 0x7000000FF, 0},
    {"overflow_control_is_nobody_s_own", 0x390, 0x1, 0},
};

static void unheld_row(void **state)
{
    const struct unheld_row *row = *state;
    struct booted_kernel booted;
    const struct rule_log *log = &booted.kernel.rules;
    struct access access = {
        .address = row->address, .value = row->value, .write = true};
    uint64_t value = 0;

    booted_init_usual(&booted);
    hold(&booted, 0x200000002, 0x2, false);
    booted_run(&booted, 1, access_main, &access);
    assert_false(access.raised);
    assert_int_equal(log->count, row->want);
    if (row->want > 0) {
        assert_string_equal(
            rule_rows[log->event[0].rule].id, "hal.counter.unheld");
        assert_int_equal(log->event[0].routine, ROUTINE_COUNT);
        assert_int_equal(log->event[0].processor, 1);
    }
    assert_int_equal(
        msr_peek(booted_cpu(&booted, 1), row->address, &value), MSR_OK);
    assert_int_equal(value, row->address == 0x390 ? 0 : row->value);
    booted_release(&booted);
}

static struct holder_row {
    const char *name;
    uint64_t processors;
    bool exclusive, other;
    unsigned want;
} holder_rows[] = {
    {"counter_held_on_this_processor", 0x2, false, false, 0},
    {"counter_held_on_another_processor", 0x1, false, false, 1},
    {"counter_held_by_another_driver", 0x2, false, true, 1},
    {"counter_of_a_pmu_that_is_held_whole", 0x2, true, false, 0},
};

static void holder_row(void **state)
{
    const struct holder_row *row = *state;
    struct driver other = {.name = "other"};
    struct booted_kernel booted;
    struct access access = {.address = 0x0C1, .value = 1, .write = true};

    booted_init_usual(&booted);
    hold(&booted, row->exclusive ? 0 : 0x1, row->processors, row->exclusive);
    if (row->other) {
        booted.kernel.arbiter->first->owner = &other;
    }
    booted_run(&booted, 1, access_main, &access);
    assert_int_equal(
        booted_broken(&booted, RULE_HAL_COUNTER_UNHELD), row->want);
    booted_release(&booted);
}

/* A write that faults programs nothing. */
static void write_that_faults_is_not_reported(void **state)
{
    struct booted_kernel booted;
    struct access access = {.address = 0x186, .value = 0x6000C0, .write = true};

    (void)state;
    booted_init_usual(&booted);
    booted_run(&booted, 0, access_main, &access);
    assert_true(access.raised);
    assert_int_equal(booted.kernel.rules.count, 0);
    booted_release(&booted);
}

TEST_FILE(test_register_access)
{
    TEST_ADD_ROWS(list, fault_row, fault_rows);
    TEST_ADD_ROWS(list, not_modelled_row, not_modelled_rows);
    TEST_ADD_ROWS(list, unheld_row, unheld_rows);
    TEST_ADD_ROWS(list, holder_row, holder_rows);
    test_add(list, "read_gives_the_register_of_this_processor",
        read_gives_the_register_of_this_processor, NULL);
    test_add(list, "unhandled_fault_stops_the_machine",
        unhandled_fault_stops_the_machine, NULL);
    test_add(list, "write_that_faults_is_not_reported",
        write_that_faults_is_not_reported, NULL);
}
