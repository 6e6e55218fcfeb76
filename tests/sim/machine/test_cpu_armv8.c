/* test_cpu_armv8.c - a processor with a PMUv3: its registers cost and count as
 * MSRs do. */
#include "tests/sim/machine/armv8_cpu.h"

/* What a machine's parts read, by the row of models.def. PMU-ARM-01b */
static struct part_row {
    const char *name;
    enum model model;
    const char *reg;
    uint64_t want;
} part_rows[] = {
    {"neoverse_n1_has_six_counters_of_an_arm_part", MODEL_NEOVERSE_N1,
        "PMCR_EL0", 0x410C3000},
    {"generic_part_has_no_name", MODEL_ARMV8_LONG, "PMCR_EL0", 0x3000},
    {"neoverse_n1_is_pmuv3p1", MODEL_NEOVERSE_N1, "ID_AA64DFR0_EL1", 0x406},
    {"generic_part_is_pmuv3p5", MODEL_ARMV8_LONG, "ID_AA64DFR0_EL1", 0x606},
    {"events_up_to_1f_that_it_counts", MODEL_NEOVERSE_N1, "PMCEID0_EL0",
        0x400F0119},
    {"events_from_20_on_that_it_counts", MODEL_NEOVERSE_N1, "PMCEID1_EL0",
        0x000C001E},
};

static void part_row(void **state)
{
    const struct part_row *row = *state;
    struct armv8_cpu arm;

    armv8_cpu_init(&arm, row->model, 30);
    assert_int_equal(armv8_cpu_get(&arm, row->reg), row->want);
    armv8_cpu_release(&arm);
}

/* PMU-BEH-19 of x86 holds here as well: 100 cycles and one instruction before
 * the access takes effect. */
static void access_costs_and_counts_before_it_takes_effect(void **state)
{
    struct armv8_cpu arm;
    uint64_t value = 0;

    (void)state;
    armv8_cpu_init(&arm, MODEL_NEOVERSE_N1, 30);
    armv8_cpu_put(&arm, "PMEVTYPER0_EL0", INSTRUCTIONS);
    armv8_cpu_put(&arm, "PMCNTENSET_EL0", 0x80000001);
    armv8_cpu_put(&arm, "PMCR_EL0", PMCR_E);
    assert_int_equal(arm.one.cpu->time, 300);
    assert_int_equal(armv8_cpu_get(&arm, "PMEVCNTR0_EL0"), 0);
    assert_int_equal(
        sysreg_read(arm.one.cpu, ARMV8_ENCODE(3, 3, 9, 13, 0), 1, &value),
        ARMV8_OK);
    assert_int_equal(value, 100);
    armv8_cpu_put(&arm, "PMCR_EL0", 0);
    assert_int_equal(armv8_cpu_get(&arm, "PMEVCNTR0_EL0"), 2);
    assert_int_equal(armv8_cpu_get(&arm, "PMCCNTR_EL0"), 200);
    armv8_cpu_put(&arm, "PMCR_EL0", 0);
    assert_int_equal(armv8_cpu_get(&arm, "PMCCNTR_EL0"), 200);
    assert_int_equal(arm.one.cpu->time, 600);
    armv8_cpu_release(&arm);
}

/* A counter that starts while kernel code has slipped by without arm.one. */
static void kernel_code_counts_as_soon_as_a_counter_runs(void **state)
{
    struct armv8_cpu arm;

    (void)state;
    armv8_cpu_init(&arm, MODEL_NEOVERSE_N1, 30);
    cpu_spend(arm.one.cpu, 1000, 10);
    armv8_cpu_put(&arm, "PMCNTENSET_EL0", 0x80000000);
    cpu_spend(arm.one.cpu, 1000, 10);
    armv8_cpu_put(&arm, "PMCR_EL0", PMCR_E);
    cpu_spend(arm.one.cpu, 1000, 10);
    cpu_spend(arm.one.cpu, 7, 7);
    assert_int_equal(armv8_cpu_get(&arm, "PMCCNTR_EL0"), 1007);
    assert_int_equal(arm.one.cpu->time, 3207);
    armv8_cpu_release(&arm);
}

/* Bursts go to the level that a ring runs at: EL0, EL1. */
static struct burst_row {
    const char *name;
    enum ring ring;
    uint64_t filter, want;
} burst_rows[] = {
    {"burst_of_user_code_counts_at_el0", RING_USER, 0x80000000, 50},
    {"burst_of_user_code_is_none_of_el1", RING_USER, 0x40000000, 0},
    {"burst_of_kernel_code_counts_at_el1", RING_KERNEL, 0x40000000, 50},
    {"burst_of_kernel_code_is_none_of_el0", RING_KERNEL, 0x80000000, 0},
};

static void burst_row(void **state)
{
    const struct burst_row *row = *state;
    struct armv8_cpu arm;

    armv8_cpu_init(&arm, MODEL_NEOVERSE_N1, 30);
    armv8_cpu_put(&arm, "PMEVTYPER0_EL0", row->filter | 0x21);
    armv8_cpu_put(&arm, "PMCNTENSET_EL0", 1);
    armv8_cpu_put(&arm, "PMCR_EL0", PMCR_E);
    cpu_add_events(arm.one.cpu, EVENT_BRANCHES, 50, row->ring);
    assert_int_equal(armv8_cpu_get(&arm, "PMEVCNTR0_EL0"), row->want);
    armv8_cpu_release(&arm);
}

/* What a processor that spins waits for: its own overflow at EL1. */
static struct spin_row {
    const char *name;
    uint64_t filter, want;
} spin_rows[] = {
    {"spinning_overflows_a_counter_of_el1", 0x40000000, 1500},
    {"spinning_is_nothing_to_a_counter_of_el0", 0x80000000, 0xFFFFFFFFFFFFFFFF},
};

static void spin_row(void **state)
{
    const struct spin_row *row = *state;
    struct armv8_cpu arm;

    armv8_cpu_init(&arm, MODEL_NEOVERSE_N1, 30);
    armv8_cpu_put(&arm, "PMEVCNTR0_EL0", AFTER_1000);
    armv8_cpu_put(&arm, "PMEVTYPER0_EL0", row->filter | CYCLES);
    armv8_cpu_put(&arm, "PMCNTENSET_EL0", 1);
    armv8_cpu_put(&arm, "PMINTENSET_EL1", 1);
    armv8_cpu_put(&arm, "PMCR_EL0", PMCR_E);
    assert_int_equal(cpu_spin_time(arm.one.cpu), row->want);
    armv8_cpu_release(&arm);
}

/* What is refused, by whom, and how the trace has it. */
static struct refusal_row {
    const char *name;
    enum model model;
    uint32_t reg;
    unsigned el;
    enum armv8_result want;
    const char *want_read, *want_write;
} refusal_rows[] = {
    {"register_of_el2_is_undefined_at_el1", MODEL_NEOVERSE_N1,
        ARMV8_ENCODE(3, 4, 1, 1, 1), 1, ARMV8_UNDEF,
        "100 cpu0 mrs register=MDCR_EL2 fault=UNDEF",
        "200 cpu0 msr register=MDCR_EL2 value=0x7 fault=UNDEF"},
    {"counter_that_is_not_there_is_undefined", MODEL_NEOVERSE_N1,
        ARMV8_ENCODE(3, 3, 14, 8, 6), 1, ARMV8_UNDEF,
        "100 cpu0 mrs register=PMEVCNTR6_EL0 fault=UNDEF",
        "200 cpu0 msr register=PMEVCNTR6_EL0 value=0x7 fault=UNDEF"},
    {"el0_is_trapped_until_pmuserenr_lets_it", MODEL_NEOVERSE_N1,
        ARMV8_ENCODE(3, 3, 9, 12, 0), 0, ARMV8_TRAP_EL1,
        "100 cpu0 mrs register=PMCR_EL0 fault=EL1",
        "200 cpu0 msr register=PMCR_EL0 value=0x7 fault=EL1"},
    {"register_that_nobody_knows_has_its_encoding", MODEL_NEOVERSE_N1,
        ARMV8_ENCODE(3, 0, 12, 12, 4), 1, ARMV8_UNDEF,
        "100 cpu0 mrs register=S3_0_C12_C12_4 fault=UNDEF",
        "200 cpu0 msr register=S3_0_C12_C12_4 value=0x7 fault=UNDEF"},
    {"x86_processor_has_no_system_register", MODEL_INTEL_V2,
        ARMV8_ENCODE(3, 3, 9, 12, 0), 1, ARMV8_UNDEF,
        "100 cpu0 mrs register=PMCR_EL0 fault=UNDEF",
        "200 cpu0 msr register=PMCR_EL0 value=0x7 fault=UNDEF"},
};

static void refusal_row(void **state)
{
    const struct refusal_row *row = *state;
    struct armv8_cpu arm;
    uint64_t value = 42;
    char line[2][80];

    armv8_cpu_init(&arm, row->model, 30);
    assert_int_equal(
        sysreg_read(arm.one.cpu, row->reg, row->el, &value), row->want);
    assert_int_equal(
        sysreg_write(arm.one.cpu, row->reg, row->el, 7), row->want);
    assert_int_equal(value, 42);
    for (size_t i = 0; i < 2; i++) {
        trace_format(&arm.one.machine.trace, i, line[i], sizeof(line[i]));
    }
    assert_string_equal(line[0], row->want_read);
    assert_string_equal(line[1], row->want_write);
    armv8_cpu_release(&arm);
}

static void accesses_are_traced_by_name(void **state)
{
    struct armv8_cpu arm;
    uint64_t value = 0;
    char line[80];

    (void)state;
    armv8_cpu_init(&arm, MODEL_NEOVERSE_N1, 30);
    armv8_cpu_put(&arm, "PMEVTYPER5_EL0", 0x11);
    sysreg_read(arm.one.cpu, ARMV8_ENCODE(3, 3, 14, 12, 5), 1, &value);
    trace_format(&arm.one.machine.trace, 0, line, sizeof(line));
    assert_string_equal(
        line, "100 cpu0 msr register=PMEVTYPER5_EL0 value=0x11");
    trace_format(&arm.one.machine.trace, 1, line, sizeof(line));
    assert_string_equal(
        line, "200 cpu0 mrs register=PMEVTYPER5_EL0 value=0x11");
    assert_int_equal(
        sysreg_read_known(arm.one.cpu, ARMV8_ENCODE(3, 3, 14, 12, 5)), 0x11);
    trace_format(&arm.one.machine.trace, 2, line, sizeof(line));
    assert_string_equal(
        line, "300 cpu0 mrs register=PMEVTYPER5_EL0 value=0x11");
    armv8_cpu_release(&arm);
}

/* A machine for Arm has no MSR of an x86 PMU; its interrupt controller is the
 * model's one. */
static struct msr_row_of_arm {
    const char *name;
    uint32_t address;
    enum msr_result want;
} msr_rows_of_arm[] = {
    {"no_pmc", IA32_PMC0, MSR_GP_FAULT},
    {"no_event_select", IA32_PERFEVTSEL0, MSR_GP_FAULT},
    {"no_fixed_counter", IA32_FIXED_CTR0, MSR_GP_FAULT},
    {"no_global_control", IA32_PERF_GLOBAL_CTRL, MSR_GP_FAULT},
    {"no_debugctl", IA32_DEBUGCTL, MSR_GP_FAULT},
    {"no_core_extension", 0xC0010200, MSR_GP_FAULT},
    {"no_k7", 0xC0010000, MSR_GP_FAULT},
    {"lvtpc_for_the_line", IA32_X2APIC_LVT_PMI, MSR_OK},
};

static void msr_row_of_arm(void **state)
{
    const struct msr_row_of_arm *row = *state;
    struct armv8_cpu arm;
    uint64_t value = 0;

    armv8_cpu_init(&arm, MODEL_NEOVERSE_N1, 30);
    assert_int_equal(msr_read(arm.one.cpu, row->address, &value), row->want);
    assert_int_equal(msr_write(arm.one.cpu, row->address, 0x10000), row->want);
    assert_int_equal(
        msr_rdpmc(arm.one.cpu, 0, RING_KERNEL, true, &value), MSR_GP_FAULT);
    armv8_cpu_release(&arm);
}

/* Counter 0 overflows after 50 of an access's 100 cycles, raises its line 30
 * later, which is up 10 after that: the end of the access is a preemption
 * point. */
static struct access_row {
    const char *name;
    bool write;
} access_rows[] = {
    {"read_is_interrupted_at_its_end", false},
    {"write_is_interrupted_at_its_end", true},
};

static void access_row(void **state)
{
    const struct access_row *row = *state;
    struct armv8_cpu arm;
    uint64_t value = 0;

    armv8_cpu_init(&arm, MODEL_NEOVERSE_N1, 30);
    armv8_cpu_start(&arm, 0xFFFFFFCE, 1);
    assert_int_equal(arm.one.taken_count, 0);
    if (row->write) {
        armv8_cpu_put(&arm, "PMEVCNTR1_EL0", 7);
    } else {
        sysreg_read(arm.one.cpu, ARMV8_ENCODE(3, 3, 14, 8, 1), 1, &value);
    }
    assert_int_equal(arm.one.taken_count, 1);
    assert_int_equal(arm.one.taken[0].time, 600);
    assert_int_equal(arm.one.taken[0].status, 1);
    armv8_cpu_release(&arm);
}

/* Each processor has a PMU of its own, in an arena that stays small. */
static void two_thousand_processors_fit_in_32_mib(void **state)
{
    struct machine_config config = {
        .processors = 2048, .groups = 32, .pmu = pmu_models[MODEL_NEOVERSE_N1]};
    struct machine machine;
    uint64_t first = 0, last = 0;

    (void)state;
    assert_true(machine_reserve(&machine));
    machine_reset(&machine, &config);
    assert_in_range(machine.arena.used, 1, 32 << 20);
    sysreg_write(
        machine_cpu(&machine, 2047), ARMV8_ENCODE(3, 3, 9, 13, 0), 1, 99);
    sysreg_peek(
        machine_cpu(&machine, 0), ARMV8_ENCODE(3, 3, 9, 13, 0), 1, &first);
    sysreg_peek(
        machine_cpu(&machine, 2047), ARMV8_ENCODE(3, 3, 9, 13, 0), 1, &last);
    assert_int_equal(first, 0);
    assert_int_equal(last, 99);
    machine_release(&machine);
}

TEST_FILE(test_cpu_armv8)
{
    TEST_ADD_ROWS(list, part_row, part_rows);
    TEST_ADD_ROWS(list, burst_row, burst_rows);
    TEST_ADD_ROWS(list, spin_row, spin_rows);
    TEST_ADD_ROWS(list, refusal_row, refusal_rows);
    TEST_ADD_ROWS(list, access_row, access_rows);
    TEST_ADD_ROWS(list, msr_row_of_arm, msr_rows_of_arm);
    test_add(list, "access_costs_and_counts_before_it_takes_effect",
        access_costs_and_counts_before_it_takes_effect, NULL);
    test_add(list, "kernel_code_counts_as_soon_as_a_counter_runs",
        kernel_code_counts_as_soon_as_a_counter_runs, NULL);
    test_add(
        list, "accesses_are_traced_by_name", accesses_are_traced_by_name, NULL);
    test_add(list, "two_thousand_processors_fit_in_32_mib",
        two_thousand_processors_fit_in_32_mib, NULL);
}
