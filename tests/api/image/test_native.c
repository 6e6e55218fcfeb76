/* test_native.c - what a driver's native code does to the machine, and gets
 * from it. */
#include "sim/machine/msr.h"
#include "tests/api/image/native_scene.h"

static struct call_row {
    const char *name;
    const char *function;
    uint64_t first, second, want;
} call_rows[] = {
    {"rdmsr_reads_the_machine", "read_msr", 0x38F, 0, 0xFF},
    {"wrmsr_writes_the_machine", "write_msr", 0xC1, 0x1234, 0x1234},
    {"rdpmc_reads_a_counter", "read_pmc", 0, 0, 0},
    {"cr8_is_the_irql", "read_irql", 0, 0, 0},
    {"raise_and_lower_by_cr8", "raise_and_lower", 2, 0, 0x200},
    {"raise_to_high_level", "raise_and_lower", 15, 0, 0xF00},
    {"processor_is_found_at_gs", "processor_number", 0, 0, 0},
    {"area_at_gs_names_itself", "area_names_itself", 0, 0, 1},
    {"cpuid_is_the_model_s", "leaf_eax", 0xA, 0, 0x07300802},
    {"vendor_is_the_model_s", "vendor", 0, 0, 0x49656E69756E6547},
    {"interrupt_flag_is_virtual", "flags_interrupt", 0, 0, 2},
    {"popfq_sets_what_arithmetic_sets", "flags_written", 0x8D7, 0, 0x8D7},
    {"popfq_sets_the_interrupt_flag", "flags_written", 0x202, 0, 0x202},
    {"popfq_leaves_privilege_alone", "flags_written", 0x3202, 0, 0x202},
    {"popf_sets_sixteen_bits", "flags_written_short", 0x8D7, 0, 0x8D7},
    {"popf_sets_the_interrupt_flag", "flags_written_short", 0x247, 0, 0x247},
    {"rdtscp_names_the_processor", "timestamp_on", 2, 0, 3},
    {"pause_lets_time_pass", "wait_pause", 3, 0, 1},
    {"variable_of_the_kernel_is_imported", "build_number", 0, 0, 0xF00055F0},
    {"debugger_is_not_there", "debugger", 0, 0, 1},
    {"halt_ends_with_an_interrupt", "halt_until_interrupt", 0, 0, 0},
    {"halt_behind_sti_ends_with_an_interrupt_that_waits",
        "halt_with_interrupt_pending", 0, 0, 1},
    {"thread_moves_during_a_call", "move_to", 2, 0, 1},
    {"thread_moves_during_a_write_to_cr8", "move_when_lowered", 2, 0, 0x100},
    {"version_is_in_the_shared_page", "system_major", 0, 0, 10},
    {"minor_version_is_in_the_shared_page", "shared_long", 0x270, 0, 0},
    {"build_is_in_the_shared_page", "shared_long", 0x260, 0, 22000},
    {"product_type_is_in_the_shared_page", "shared_long", 0x264, 0, 1},
    {"product_type_is_valid", "shared_long", 0x268, 0, 1},
    {"counter_s_frequency_is_in_the_shared_page", "shared_long", 0x300, 0,
        10000000},
    {"processors_are_in_the_shared_page", "shared_long", 0x3C0, 0, 2},
    {"tick_is_15_625_milliseconds", "shared_long", 0x4, 0, 0xFA00000},
    {"record_says_what_was_read", "try_where", 0x1230, 0, 0x12301},
    {"record_says_what_was_written", "try_where", 0x1230, 1, 0x12303},
    {"stack_holds_what_24_kib_hold", "recurse", 20, 0, 2097130},
    {"division_is_the_host_s", "divide", 8, 0, 125},
    {"paged_code_runs_at_passive_level", "in_paged_code", 0, 0, 77},
    {"floating_point_lives_across_a_trap", "floating", 0xC1, 0, 386},
    {"bad_register_is_caught", "try_msr", 0x12345, 0, 0xC0000096},
    {"level_that_cr8_does_not_have_is_caught", "try_cr8", 16, 0, 0xC0000096},
    {"good_register_raises_nothing", "try_msr", 0xC1, 0, 0},
    {"null_is_caught", "try_touch", 0, 0, 0xC0000005},
    {"address_of_no_form_is_caught", "try_touch", 0x8000000000000000, 0,
        0xC0000005},
    {"finally_runs_before_except", "try_finally", 0x12345, 0, 134},
    {"finally_runs_without_an_exception", "try_finally", 0xC1, 0, 123},
    {"filter_passes_on", "try_filter", 0x12345, 0, 0xC0000097},
    {"filter_repairs_and_goes_on", "try_filter", 0x999, 0, 0xC0000096},
    {"registers_and_flags_are_those_of_the_exception", "try_keep", 0x1234567890,
        0, 0x1234567891},
    {"raised_status_is_the_code", "try_raise", 0xC0000017, 0, 0xC0000017},
    {"raised_status_without_a_name", "try_raise", 0x12345, 0, 0x12345},
    {"exception_that_a_filter_declines_goes_on", "try_nested", 0x12345, 0,
        0xC0000096},
    {"kernel_raises_at_its_caller", "try_kernel_call", 0x10, 0, 0xC0000005},
    {"exception_leaves_many_frames", "try_deep", 30, 0, 35},
    {"worker_catches_its_own_exception", "try_broadcast", 0x12345, 0, 11},
    {"worker_in_a_filter_catches_its_own", "try_broadcast_in_filter", 0x12345,
        0, 11},
    {"division_by_zero_is_caught", "try_divide", 0, 0, 0xC0000094},
};

static void call_row(void **state)
{
    const struct call_row *row = *state;
    struct native_scene scene = {.size = 0};

    native_init(&scene, "native.sys");
    assert_int_equal(
        native_call(&scene, row->function, row->first, row->second), row->want);
    assert_int_equal(scene.booted.kernel.bugcheck.code, BUGCHECK_NONE);
    native_release(&scene);
}

static void lock_s_level_may_be_lowered_by_cr8(void **state)
{
    struct native_scene scene = {.size = 0};
    const KSPIN_LOCK locks[2] = {0, 0};
    void *block;

    (void)state;
    native_init(&scene, "native.sys");
    block = booted_copy(&scene.booted, locks, sizeof(locks));
    assert_int_equal(native_call(&scene, "lower_by_cr8_what_a_lock_raised",
                         (uintptr_t)block, 0),
        0x200);
    assert_int_equal(scene.booted.kernel.bugcheck.code, BUGCHECK_NONE);
    native_release(&scene);
}

/* What a function's instructions that the machine answers come to. */
static struct cost_row {
    const char *name;
    const char *function;
    uint64_t first;
    uint64_t want_instructions, want_cycles;
} cost_rows[] = {
    {"pause_takes_40_cycles", "wait_pause", 3, 3, 120},
    {"rdtsc_takes_25_cycles", "timestamp", 0, 1, 25},
    {"flags_take_10_cycles_each", "flags_interrupt", 0, 4, 40},
    {"read_of_cr8_takes_5_cycles", "read_irql", 0, 1, 5},
    {"writes_of_cr8_take_20_cycles", "raise_and_lower", 2, 5, 55},
    {"cpuid_takes_100_cycles", "leaf_eax", 0, 1, 100},
    {"rdmsr_takes_100_cycles", "read_msr", 0x38F, 1, 100},
};

static void cost_row(void **state)
{
    const struct cost_row *row = *state;
    struct native_scene scene = {.size = 0};
    struct cpu *cpu;
    uint64_t count, before;

    native_init(&scene, "native.sys");
    cpu = booted_cpu(&scene.booted, 0);
    /* Instructions in the kernel ring, in fixed counter 0. */
    assert_int_equal(msr_write(cpu, 0x38D, 1), MSR_OK);
    assert_int_equal(msr_write(cpu, 0x38F, UINT64_C(1) << 32), MSR_OK);
    assert_int_equal(msr_write(cpu, 0x309, 0), MSR_OK);
    before = cpu->time;
    native_call(&scene, row->function, row->first, 0);
    assert_int_equal(cpu->time - before, row->want_cycles);
    assert_int_equal(msr_peek(cpu, 0x309, &count), MSR_OK);
    assert_int_equal(count, row->want_instructions);
    native_release(&scene);
}

/* Up to the next tick, which is near, or it would be read a million times. */
static void time_passes_while_a_loop_reads_it(void **state)
{
    struct native_scene scene = {.size = 0};
    struct cpu *cpu;

    (void)state;
    native_init(&scene, "native.sys");
    cpu = booted_cpu(&scene.booted, 0);
    cpu_spend(cpu, UINT64_C(15600) * cpu->machine->config.pmu.mhz, 1);
    assert_int_equal(native_call(&scene, "wait_interrupt_time", 10, 0), 1);
    native_release(&scene);
}

/* 50 milliseconds are three ticks of 15.625. */
static void ticks_are_in_the_shared_page(void **state)
{
    struct native_scene scene = {.size = 0};
    struct cpu *cpu;

    (void)state;
    native_init(&scene, "native.sys");
    cpu = booted_cpu(&scene.booted, 0);
    cpu_spend(cpu, UINT64_C(50000) * cpu->machine->config.pmu.mhz, 1);
    assert_int_equal(native_call(&scene, "shared_long", 0x320, 0), 3);
    native_release(&scene);
}

/* Four in registers, two behind the home space. */
static void function_gets_six_arguments(void **state)
{
    struct native_scene scene = {.argument = {0, 0, 3, 4, 5, 6}};

    (void)state;
    native_init(&scene, "native.sys");
    assert_int_equal(native_call(&scene, "add", 1, 2), 654321);
    native_release(&scene);
}

TEST_FILE(test_native)
{
    TEST_ADD_ROWS(list, call_row, call_rows);
    TEST_ADD_ROWS(list, cost_row, cost_rows);
    test_add(
        list, "function_gets_six_arguments", function_gets_six_arguments, NULL);
    test_add(list, "lock_s_level_may_be_lowered_by_cr8",
        lock_s_level_may_be_lowered_by_cr8, NULL);
    test_add(list, "time_passes_while_a_loop_reads_it",
        time_passes_while_a_loop_reads_it, NULL);
    test_add(list, "ticks_are_in_the_shared_page", ticks_are_in_the_shared_page,
        NULL);
}
