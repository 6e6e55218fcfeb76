/* test_cpu_armv8_line.c - the interrupt of a PMUv3 is a level: when it is
 * taken, comes again, and is recalled. */
#include "sim/machine/quiet.h"
#include "sim/machine/strand.h"
#include "tests/sim/machine/armv8_cpu.h"

/* The line rises with the overflow at 1500 and is taken 30 + 10 cycles later,
 * as an x86 PMI is. PMU-ARM-10a */
static struct line_row {
    const char *name;
    uint64_t interrupts, clears;
    uint32_t lvtpc;
    unsigned want_taken;
    uint64_t want_overflowed;
} line_rows[] = {
    {"overflow_interrupts_once_when_its_bit_is_cleared", 1, 1, 0xFE, 1, 0x0},
    {"line_that_nobody_clears_interrupts_again_and_again", 1, 0, 0xFE,
        TAKEN_MAX, 0x0},
    {"clearing_another_bit_does_not_lower_the_line", 1, 2, 0xFE, TAKEN_MAX,
        0x0},
    {"overflow_without_its_interrupt_enable_is_silent", 2, 1, 0xFE, 0, 0x1},
    {"masked_controller_holds_it_back", 1, 1, 0x100FE, 0, 0x1},
    {"nmi_mode_delivers_no_line", 1, 1, 0x400, 0, 0x1},
    {"vector_below_16_delivers_no_line", 1, 1, 0xF, 0, 0x1},
};

static void line_row(void **state)
{
    const struct line_row *row = *state;
    struct armv8_cpu arm;

    armv8_cpu_init(&arm, MODEL_NEOVERSE_N1, 30);
    arm.clears = row->clears;
    lapic_set_lvtpc(&arm.one.cpu->lapic, row->lvtpc);
    armv8_cpu_start(&arm, AFTER_1000, row->interrupts);
    armv8_cpu_run(&arm, 10000);
    assert_int_equal(arm.one.taken_count, row->want_taken);
    if (row->want_taken > 0) {
        assert_int_equal(arm.one.taken[0].vector, 0xFE);
        assert_int_equal(arm.one.taken[0].time, 1540);
        assert_int_equal(arm.one.taken[0].status, 0x1);
    }
    assert_int_equal(armv8_cpu_get(&arm, "PMOVSSET_EL0"), row->want_overflowed);
    armv8_cpu_release(&arm);
}

/* It comes again right behind the end of interrupt, without latency: 100 cycles
 * are the handler's own write. */
static void line_still_up_interrupts_behind_the_end_of_interrupt(void **state)
{
    struct armv8_cpu arm;

    (void)state;
    armv8_cpu_init(&arm, MODEL_NEOVERSE_N1, 30);
    arm.clears = 0;
    armv8_cpu_start(&arm, AFTER_1000, 1);
    armv8_cpu_run(&arm, 10000);
    assert_int_equal(arm.one.taken[0].time, 1540);
    assert_int_equal(arm.one.taken[1].time, 1640);
    assert_int_equal(arm.one.taken[2].time, 1740);
    armv8_cpu_release(&arm);
}

/* Unlike an x86 PMI (PMU-OVF-03b), one whose cause has gone is not taken. What
 * takes the cause away before the interrupt can be taken. PMU-ARM-10a */
static struct recall_row {
    const char *name;
    uint32_t latency;
    const char *reg;
    uint64_t value;
    unsigned want_taken, want_raised, want_recalled;
} recall_rows[] = {
    {"overflow_bit_cleared_before_the_line_is_raised", 9000, "PMOVSCLR_EL0", 1,
        0, 0, 0},
    {"overflow_bit_cleared_while_pending", 30, "PMOVSCLR_EL0", 1, 0, 1, 1},
    {"interrupt_enable_cleared", 30, "PMINTENCLR_EL1", 1, 0, 1, 1},
    {"all_counters_switched_off", 30, "PMCR_EL0", 0, 0, 1, 1},
    {"counter_switched_off_leaves_the_line", 30, "PMCNTENCLR_EL0", 1, 1, 1, 0},
    {"another_overflow_bit_leaves_the_line", 30, "PMOVSCLR_EL0", 2, 1, 1, 0},
};

static void recall_row(void **state)
{
    const struct recall_row *row = *state;
    struct armv8_cpu arm;

    armv8_cpu_init(&arm, MODEL_NEOVERSE_N1, row->latency);
    cpu_set_task_priority(arm.one.cpu, 15);
    armv8_cpu_start(&arm, AFTER_1000, 1);
    armv8_cpu_run(&arm, 5000);
    armv8_cpu_put(&arm, row->reg, row->value);
    armv8_cpu_run(&arm, 10000);
    cpu_set_task_priority(arm.one.cpu, 0);
    assert_int_equal(arm.one.taken_count, row->want_taken);
    assert_int_equal(
        armv8_cpu_traced(&arm, "cpu0 pmi_raised vector=0xfe ppi=23"),
        row->want_raised);
    assert_int_equal(armv8_cpu_traced(&arm, "cpu0 pmi_recalled vector=0xfe"),
        row->want_recalled);
    armv8_cpu_release(&arm);
}

/* PMU-ARM-10b */
static void interrupt_is_raised_as_ppi_23(void **state)
{
    struct armv8_cpu arm;
    char line[80];

    (void)state;
    armv8_cpu_init(&arm, MODEL_NEOVERSE_N1, 30);
    armv8_cpu_start(&arm, AFTER_1000, 1);
    armv8_cpu_run(&arm, 1035);
    trace_format(&arm.one.machine.trace, arm.one.machine.trace.count - 1, line,
        sizeof(line));
    assert_string_equal(line, "1530 cpu0 pmi_raised vector=0xfe ppi=23");
    armv8_cpu_release(&arm);
}

/* The bit set by a write, and by counting of a write, is a rising line too. */
static struct set_row {
    const char *name;
    const char *reg;
    uint64_t value;
    unsigned want_traced; /* overflows */
} set_rows[] = {
    {"overflow_bit_set_by_software_interrupts", "PMOVSSET_EL0", 0x1, 0},
    {"software_increment_that_overflows_interrupts", "PMSWINC_EL0", 0x1, 1},
};

static void set_row(void **state)
{
    const struct set_row *row = *state;
    struct armv8_cpu arm;

    armv8_cpu_init(&arm, MODEL_NEOVERSE_N1, 30);
    armv8_cpu_start(&arm, 0xFFFFFFFF, 1);
    armv8_cpu_put(&arm, "PMOVSCLR_EL0", 1);
    arm.one.taken_count = 0;
    trace_reset(&arm.one.machine.trace);
    armv8_cpu_put(&arm, "PMEVTYPER0_EL0", 0x00); /* SW_INCR */
    armv8_cpu_put(&arm, "PMEVCNTR0_EL0", 0xFFFFFFFF);
    armv8_cpu_put(&arm, row->reg, row->value);
    armv8_cpu_run(&arm, 1000);
    assert_int_equal(arm.one.taken_count, 1);
    assert_int_equal(
        armv8_cpu_traced(&arm, "cpu0 overflow counter=0"), row->want_traced);
    armv8_cpu_release(&arm);
}

/* An overflow in kernel code waits for its preemption point, and the processor
 * that idles afterwards takes it (PMU-BEH-06). */
static void kernel_code_is_interrupted_at_its_next_preemption_point(
    void **state)
{
    struct armv8_cpu arm;

    (void)state;
    armv8_cpu_init(&arm, MODEL_NEOVERSE_N1, 30);
    armv8_cpu_start(&arm, AFTER_1000, 1);
    cpu_spend(arm.one.cpu, 5000, 100);
    assert_int_equal(arm.one.taken_count, 0);
    cpu_checkpoint(arm.one.cpu);
    assert_int_equal(arm.one.taken_count, 1);
    assert_int_equal(arm.one.taken[0].time, 5500);
    armv8_cpu_release(&arm);
}

static void settled_processor_idles_until_its_interrupt(void **state)
{
    struct armv8_cpu arm;

    (void)state;
    armv8_cpu_init(&arm, MODEL_NEOVERSE_N1, 30);
    armv8_cpu_start(&arm, AFTER_1000, 1);
    armv8_cpu_run(&arm, 1000);
    assert_int_equal(arm.one.taken_count, 0);
    cpu_settle(arm.one.cpu);
    assert_int_equal(arm.one.taken_count, 1);
    assert_int_equal(arm.one.taken[0].time, 1540);
    armv8_cpu_release(&arm);
}

/* An access that overflows at 550, one that asks, and the line falls and rises
 * again: 1,000 cycles behind each rise is the next question. */
static void rise_fall_and_rise(void *argument)
{
    struct armv8_cpu *arm = argument;
    const struct cpu *cpu = arm->one.cpu;

    armv8_cpu_start(arm, 0xFFFFFFCE, 1);
    armv8_cpu_put(arm, "PMEVCNTR1_EL0", 0);
    armv8_cpu_put(arm, "PMEVCNTR1_EL0", 0);
    assert_int_equal(cpu->quiet, 1550);
    armv8_cpu_put(arm, "PMOVSCLR_EL0", 1);
    assert_int_equal(cpu->quiet, cpu->leads);
    assert_int_not_equal(cpu->quiet, 0);
    armv8_cpu_put(arm, "PMOVSSET_EL0", 1);
    assert_int_equal(cpu->time, 900);
    assert_int_equal(cpu->quiet, 1900);
    assert_true(quiet_check(cpu));
}

static void processor_is_quiet_until_its_line_moves(void **state)
{
    struct armv8_cpu arm;

    (void)state;
    armv8_cpu_init(&arm, MODEL_NEOVERSE_N1, 1000);
    assert_non_null(strand_spawn(arm.one.cpu, rise_fall_and_rise, &arm, NULL));
    assert_int_equal(machine_run(&arm.one.machine), MACHINE_IDLE);
    assert_int_equal(arm.one.taken_count, 1);
    assert_int_equal(arm.one.taken[0].time, 1910);
    armv8_cpu_release(&arm);
}

TEST_FILE(test_cpu_armv8_line)
{
    TEST_ADD_ROWS(list, line_row, line_rows);
    TEST_ADD_ROWS(list, recall_row, recall_rows);
    TEST_ADD_ROWS(list, set_row, set_rows);
    test_add(list, "line_still_up_interrupts_behind_the_end_of_interrupt",
        line_still_up_interrupts_behind_the_end_of_interrupt, NULL);
    test_add(list, "interrupt_is_raised_as_ppi_23",
        interrupt_is_raised_as_ppi_23, NULL);
    test_add(list, "kernel_code_is_interrupted_at_its_next_preemption_point",
        kernel_code_is_interrupted_at_its_next_preemption_point, NULL);
    test_add(list, "processor_is_quiet_until_its_line_moves",
        processor_is_quiet_until_its_line_moves, NULL);
    test_add(list, "settled_processor_idles_until_its_interrupt",
        settled_processor_idles_until_its_interrupt, NULL);
}
