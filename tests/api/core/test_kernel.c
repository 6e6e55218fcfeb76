/* test_kernel.c - boot, and what a boot leaves behind of the one before. */
#include "api/boot/exports.h"
#include "api/boot/kernel_boot.h"
#include "api/hal/arbiter.h"
#include "api/ps/counter_config.h"
#include "sim/machine/msr.h"
#include "tests/api/booted_kernel.h"

static void booted_kernel_is_the_current_one(void **state)
{
    struct booted_kernel first, second;

    (void)state;
    booted_init_usual(&first);
    assert_ptr_equal(kernel_current(), &first.kernel);
    booted_init_usual(&second);
    assert_ptr_equal(kernel_current(), &second.kernel);
    booted_release(&first);
    assert_ptr_equal(kernel_current(), &second.kernel);
    booted_release(&second);
}

static void boot_state_is_empty(void **state)
{
    struct booted_kernel booted;

    (void)state;
    booted_init_usual(&booted);
    assert_null(booted.kernel.arbiter->first);
    assert_int_equal(booted.kernel.arbiter->granted, 0);
    assert_int_equal(booted.kernel.config->count, 0);
    assert_int_equal(booted.kernel.rules.count, 0);
    assert_int_equal(booted.kernel.bugcheck.code, BUGCHECK_NONE);
    booted_release(&booted);
}

static struct profile_row {
    const char *name;
    enum os os;
    enum arch arch;
    const char *want_os, *want_arch;
} profile_rows[] = {
    {"boots_windows_7_on_x86", OS_WIN7, ARCH_X86, "WIN7", "x86"},
    {"boots_windows_7_on_ia64", OS_WIN7, ARCH_IA64, "WIN7", "ia64"},
    {"boots_windows_8_on_arm32", OS_WIN8, ARCH_ARM32, "WIN8", "arm32"},
    {"boots_windows_11_on_arm64", OS_WIN11, ARCH_ARM64, "WIN11", "arm64"},
    {"boots_windows_11_on_x64", OS_WIN11, ARCH_X64, "WIN11", "x64"},
};

static void profile_row(void **state)
{
    const struct profile_row *row = *state;
    struct booted_kernel booted;

    booted_init(&booted, row->os, row->arch, 2, 1);
    assert_string_equal(booted.kernel.os->name, row->want_os);
    assert_string_equal(booted.kernel.arch->name, row->want_arch);
    assert_int_equal(booted.kernel.arch_id, row->arch);
    booted_release(&booted);
}

static struct interrupt_row {
    const char *name;
    enum os os;
    enum arch arch;
    uint64_t want_lvtpc;
} interrupt_rows[] = {
    {"hal_arms_the_interrupt_of_a_pmu", OS_WIN11, ARCH_X64, 0xFE},
    {"hal_arms_the_line_of_an_armv8_pmu", OS_WIN11, ARCH_ARM64, 0xFE},
    {"hal_arms_nothing_without_a_pmu", OS_WIN10_1903, ARCH_ARM32, 0x10000},
};

static void interrupt_row(void **state)
{
    const struct interrupt_row *row = *state;
    struct booted_kernel booted;

    booted_init(&booted, row->os, row->arch, 2, 1);
    assert_int_equal(booted_cpu(&booted, 1)->lapic.lvtpc, row->want_lvtpc);
    assert_non_null(booted.machine.interrupt);
    booted_release(&booted);
}

static void every_processor_boots_at_passive_level(void **state)
{
    struct booted_kernel booted;

    (void)state;
    booted_init(&booted, OS_WIN11, ARCH_X64, 70, 2);
    for (uint32_t i = 0; i < 70; i++) {
        struct cpu *cpu = booted_cpu(&booted, i);

        assert_int_equal(irql_current(&booted.kernel, cpu), 0);
        assert_null(kernel_processor(&booted.kernel, cpu)->handler_of);
    }
    booted_release(&booted);
}

static void largest_machine_boots(void **state)
{
    struct booted_kernel booted;

    (void)state;
    booted_init(&booted, OS_WIN11, ARCH_X64, 2048, 32);
    assert_int_equal(booted_cpu(&booted, 2047)->lapic.lvtpc, 0xFE);
    assert_ptr_equal(
        kernel_processor(&booted.kernel, booted_cpu(&booted, 2047)),
        &booted.kernel.processor[2047]);
    booted_release(&booted);
}

/* Driver code: where it runs and on whose behalf. */
struct place {
    struct cpu *cpu;
    const struct driver *driver;
};

static void look(void *argument)
{
    struct place *place = argument;
    struct kernel *kernel = kernel_current();

    place->cpu = kernel_cpu(kernel);
    place->driver = kernel_driver(kernel, place->cpu);
}

static void code_knows_its_processor_and_its_driver(void **state)
{
    struct booted_kernel booted;
    struct place place = {0};

    (void)state;
    booted_init_usual(&booted);
    booted_run(&booted, 1, look, &place);
    assert_ptr_equal(place.cpu, booted_cpu(&booted, 1));
    assert_ptr_equal(place.driver, &booted.driver);
    booted_release(&booted);
}

static void code_of_nobody_has_no_driver(void **state)
{
    struct booted_kernel booted;
    struct place place = {.driver = &booted.driver};

    (void)state;
    booted_init_usual(&booted);
    assert_non_null(strand_spawn(booted_cpu(&booted, 0), look, &place, NULL));
    assert_int_equal(machine_run(&booted.machine), MACHINE_IDLE);
    assert_null(place.driver);
    booted_release(&booted);
}

/* Driver code that leaves something of everything, and a bug check. */
static void make_a_mess(void *argument)
{
    struct kernel *kernel = kernel_current();
    PHARDWARE_COUNTER counter = argument;

    KeSetHardwareCounterConfiguration(counter, 1);
    rule_warn(kernel, kernel_cpu(kernel), RULE_HAL_ALLOC_FLAGS, ROUTINE_COUNT);
    KfRaiseIrql(2);
    HalFreeHardwareCounters(NULL);
}

static void boot_forgets_the_one_before(void **state)
{
    static const HARDWARE_COUNTER counter = {.Index = 0};
    const struct counter_claim claim = {.counters = 1, .affinity = {1}};
    struct booted_kernel booted;
    struct machine_config config;

    (void)state;
    booted_init_usual(&booted);
    arbiter_grant(
        booted.kernel.arbiter, &booted.machine.arena, &claim, &booted.driver);
    booted_run_to_stop(&booted, 0, make_a_mess,
        booted_copy(&booted, &counter, sizeof(counter)));
    assert_int_equal(booted.kernel.bugcheck.code, 0x0A);
    assert_int_equal(booted.kernel.rules.count, 2);

    config = booted.machine.config;
    machine_reset(&booted.machine, &config);
    kernel_boot(&booted.kernel, &booted.machine, OS_WIN7, ARCH_X64);
    assert_int_equal(booted.kernel.bugcheck.code, BUGCHECK_NONE);
    assert_int_equal(booted.kernel.rules.count, 0);
    assert_int_equal(booted.kernel.config->count, 0);
    assert_null(booted.kernel.arbiter->first);
    assert_null(booted.kernel.arbiter->pool.first);
    assert_int_equal(irql_current(&booted.kernel, booted_cpu(&booted, 0)), 0);
    booted_release(&booted);
}

TEST_FILE(test_kernel)
{
    TEST_ADD_ROWS(list, profile_row, profile_rows);
    TEST_ADD_ROWS(list, interrupt_row, interrupt_rows);
    test_add(list, "booted_kernel_is_the_current_one",
        booted_kernel_is_the_current_one, NULL);
    test_add(list, "boot_state_is_empty", boot_state_is_empty, NULL);
    test_add(list, "every_processor_boots_at_passive_level",
        every_processor_boots_at_passive_level, NULL);
    test_add(list, "largest_machine_boots", largest_machine_boots, NULL);
    test_add(list, "code_knows_its_processor_and_its_driver",
        code_knows_its_processor_and_its_driver, NULL);
    test_add(list, "code_of_nobody_has_no_driver", code_of_nobody_has_no_driver,
        NULL);
    test_add(
        list, "boot_forgets_the_one_before", boot_forgets_the_one_before, NULL);
}
