/* test_msr.c - what RDMSR, WRMSR, RDPMC and CPUID cost, give and leave in the
 * trace. Which registers there are is test_msr_rows.c's business. */
#include <string.h>

#include "sim/machine/cpuid.h"
#include "tests/sim/machine/single_cpu.h"

/* PMU-GP-06a, PMU-GP-06b, PMU-GP-06c, PMU-GP-10a, PMU-GP-10b, PMU-GP-10c,
 * PMU-GP-10d, PMU-GP-10e */
static struct rdpmc_row {
    const char *name;
    uint32_t selector;
    enum ring ring;
    bool cr4_pce;
    enum msr_result want;
    uint64_t want_value;
} rdpmc_rows[] = {
    {"type_0_is_the_first_gp_counter", 0x0, RING_KERNEL, false, MSR_OK,
        0xFFFFFFFFFFF0},
    {"type_0_is_the_last_gp_counter", 0x7, RING_KERNEL, false, MSR_OK,
        0xFFFFFFFFFFF7},
    {"ninth_gp_counter_is_gp", 0x8, RING_KERNEL, false, MSR_GP_FAULT, 0},
    {"type_4000h_is_the_first_fixed_counter", 0x40000000, RING_KERNEL, false,
        MSR_OK, 0xFFFFFFFFFFF8},
    {"type_4000h_is_the_last_fixed_counter", 0x40000002, RING_KERNEL, false,
        MSR_OK, 0xFFFFFFFFFFFA},
    {"fourth_fixed_counter_is_gp", 0x40000003, RING_KERNEL, false, MSR_GP_FAULT,
        0},
    {"type_2000h_metrics_is_gp", 0x20000000, RING_KERNEL, false, MSR_GP_FAULT,
        0},
    {"fast_mode_is_gp", 0x80000000, RING_KERNEL, false, MSR_GP_FAULT, 0},
    {"fast_mode_of_a_fixed_counter_is_gp", 0xC0000000, RING_KERNEL, false,
        MSR_GP_FAULT, 0},
    {"type_1_is_gp", 0x00010000, RING_KERNEL, false, MSR_GP_FAULT, 0},
    {"index_of_all_ones_is_gp", 0xFFFF, RING_KERNEL, false, MSR_GP_FAULT, 0},
    {"user_without_pce_is_gp", 0x0, RING_USER, false, MSR_GP_FAULT, 0},
    {"user_with_pce_reads", 0x1, RING_USER, true, MSR_OK, 0xFFFFFFFFFFF1},
    {"kernel_with_pce_reads", 0x1, RING_KERNEL, true, MSR_OK, 0xFFFFFFFFFFF1},
    {"user_with_pce_is_gp_out_of_range", 0x8, RING_USER, true, MSR_GP_FAULT, 0},
};

static void rdpmc_row(void **state)
{
    const struct rdpmc_row *row = *state;
    struct single_cpu one;
    uint64_t value = 0;

    single_cpu_init(&one);
    for (unsigned slot = 0; slot < 11; slot++) {
        pmu_set_value(&one.cpu->pmu, slot, 0xFFFFFFFFFFF0 + slot);
    }

    assert_int_equal(
        msr_rdpmc(one.cpu, row->selector, row->ring, row->cr4_pce, &value),
        row->want);
    assert_int_equal(value, row->want_value);
    single_cpu_release(&one);
}

/* PMU-ENUM-01a, PMU-ENUM-01b, PMU-ENUM-01c, PMU-ENUM-04a, PMU-ENUM-06a */
static struct cpuid_row {
    const char *name;
    uint8_t version, general, fixed, width_bits;
    uint32_t leaf;
    uint32_t want[4]; /* EAX, EBX, ECX, EDX */
} cpuid_rows[] = {
    {"leaf_0_is_genuine_intel", 0, 0, 0, 48, 0x0,
        {0xA, 0x756E6547, 0x6C65746E, 0x49656E69}},
    {"leaf_1_has_x2apic_and_no_perf_capabilities", 0, 0, 0, 48, 0x1,
        {0x0, 0x800, 0x00282381, 0xAFCBFBFF}},
    {"leaf_ah_of_version_2", 2, 8, 3, 48, 0xA, {0x07300802, 0x0, 0x0, 0x603}},
    {"leaf_ah_of_fewer_and_narrower_counters", 2, 4, 2, 40, 0xA,
        {0x07280402, 0x0, 0x0, 0x502}},
    {"leaf_ah_of_version_1_has_no_fixed_counters", 1, 2, 0, 40, 0xA,
        {0x07280201, 0x0, 0x0, 0x0}},
    {"leaf_ah_without_a_pmu_is_zero", 0, 0, 0, 48, 0xA, {0x0, 0x0, 0x0, 0x0}},
    {"leaf_past_the_last_is_the_last", 2, 8, 3, 48, 0xB,
        {0x07300802, 0x0, 0x0, 0x603}},
};

static void cpuid_row(void **state)
{
    const struct cpuid_row *row = *state;
    const struct pmu_model model = {.version = row->version,
        .general = row->general,
        .fixed = row->fixed,
        .width = row->width_bits,
        .event_bits = row->version > 0 ? 7 : 0,
        .tsc = {.p = 1, .q = 1},
        .ref = {.p = 1, .q = 25},
        .msr_cycles = 100};
    struct single_cpu one;
    uint32_t out[4] = {1, 2, 3, 4};

    single_cpu_init_model(&one, &model);
    cpuid_read(one.cpu, row->leaf, out);

    for (int i = 0; i < 4; i++) {
        assert_int_equal(out[i], row->want[i]);
    }
    single_cpu_release(&one);
}

/* What a processor executes between enabling a counter and looking at it. */
enum instruction {
    RDMSR,
    RDMSR_FAULT,
    WRMSR,
    WRMSR_FAULT,
    RDPMC,
    RDPMC_FAULT,
    CPUID
};

static void execute(struct cpu *cpu, enum instruction instruction)
{
    uint64_t value = 0;
    uint32_t out[4];

    switch (instruction) {
    case RDMSR:
        assert_int_equal(msr_read(cpu, 0x38F, &value), MSR_OK);
        break;
    case RDMSR_FAULT:
        assert_int_equal(msr_read(cpu, 0x391, &value), MSR_GP_FAULT);
        break;
    case WRMSR:
        assert_int_equal(msr_write(cpu, 0x390, 0), MSR_OK);
        break;
    case WRMSR_FAULT:
        assert_int_equal(msr_write(cpu, 0x38E, 0), MSR_GP_FAULT);
        break;
    case RDPMC:
        assert_int_equal(msr_rdpmc(cpu, 1, RING_KERNEL, false, &value), MSR_OK);
        break;
    case RDPMC_FAULT:
        assert_int_equal(
            msr_rdpmc(cpu, 9, RING_KERNEL, false, &value), MSR_GP_FAULT);
        break;
    case CPUID:
        cpuid_read(cpu, 0, out);
        break;
    }
}

/* Counter 0 counts kernel instructions, counter 1 kernel cycles. */
static struct cost_row {
    const char *name;
    enum instruction instruction;
    uint64_t retired;
} cost_rows[] = {
    {"rdmsr_costs_100_cycles_and_an_instruction", RDMSR, 1},
    {"faulting_rdmsr_costs_100_cycles_and_no_instruction", RDMSR_FAULT, 0},
    {"wrmsr_costs_100_cycles_and_an_instruction", WRMSR, 1},
    {"faulting_wrmsr_costs_100_cycles_and_no_instruction", WRMSR_FAULT, 0},
    {"rdpmc_costs_100_cycles_and_an_instruction", RDPMC, 1},
    {"faulting_rdpmc_costs_100_cycles_and_no_instruction", RDPMC_FAULT, 0},
    {"cpuid_costs_100_cycles_and_an_instruction", CPUID, 1},
};

static void cost_row(void **state)
{
    const struct cost_row *row = *state;
    struct single_cpu one;
    uint64_t start;

    single_cpu_init(&one);
    pmu_set_select(&one.cpu->pmu, 0, 0x4200C0);
    pmu_set_select(&one.cpu->pmu, 1, 0x42003C);
    start = one.cpu->time;
    execute(one.cpu, row->instruction);

    assert_int_equal(one.cpu->time - start, 100);
    assert_int_equal(single_cpu_peek(&one, IA32_PMC0), row->retired);
    assert_int_equal(single_cpu_peek(&one, IA32_PMC1), 100);
    single_cpu_release(&one);
}

/* A PMI lands in the middle of the instruction, whose end is a preemption
 * point, also where it faults. */
static void interrupt_row(void **state)
{
    const struct cost_row *row = *state;
    struct single_cpu one;

    single_cpu_init(&one);
    one.cpu->pmi_lands = 50;
    one.cpu->pmi_vector = 0xFE;
    execute(one.cpu, row->instruction);

    assert_int_equal(one.taken_count, 1);
    assert_int_equal(one.taken[0].vector, 0xFE);
    assert_int_equal(one.taken[0].time, 100);
    single_cpu_release(&one);
}

static struct trace_row {
    const char *name;
    enum instruction instruction;
    const char *want;
} trace_rows[] = {
    {"rdmsr_is_traced", RDMSR, "100 cpu0 rdmsr index=0x38f value=0xff"},
    {"faulting_rdmsr_is_traced", RDMSR_FAULT,
        "100 cpu0 rdmsr index=0x391 fault=#GP"},
    {"wrmsr_is_traced", WRMSR, "100 cpu0 wrmsr index=0x390 value=0x0"},
    {"faulting_wrmsr_is_traced", WRMSR_FAULT,
        "100 cpu0 wrmsr index=0x38e value=0x0 fault=#GP"},
    {"rdpmc_is_traced", RDPMC, "100 cpu0 rdpmc index=0x1 value=0x0"},
    {"faulting_rdpmc_is_traced", RDPMC_FAULT,
        "100 cpu0 rdpmc index=0x9 fault=#GP"},
    {"cpuid_is_traced", CPUID, "100 cpu0 cpuid leaf=0x0"},
};

static void trace_row(void **state)
{
    const struct trace_row *row = *state;
    struct single_cpu one;
    char line[100];

    single_cpu_init(&one);
    execute(one.cpu, row->instruction);

    assert_int_equal(one.machine.trace.count, 1);
    trace_format(&one.machine.trace, 0, line, sizeof(line));
    assert_string_equal(line, row->want);
    single_cpu_release(&one);
}

/* PMU-MSR-08a */
static struct clear_row {
    const char *name;
    uint64_t value, want;
} clear_rows[] = {
    {"one_bit_of_status_is_cleared", 0x1, 0x300000002},
    {"bits_of_both_halves_are_cleared", 0x100000002, 0x200000001},
    {"zero_clears_nothing", 0x0, 0x300000003},
    {"bit_that_is_not_set_clears_nothing", 0x80, 0x300000003},
    {"all_bits_are_cleared", 0x7000000FF, 0x0},
};

static void clear_row(void **state)
{
    const struct clear_row *row = *state;
    struct single_cpu one;

    single_cpu_init(&one);
    pmu_set_status(&one.cpu->pmu, 0x300000003);
    single_cpu_write(&one, IA32_PERF_GLOBAL_OVF_CTRL, row->value);

    assert_int_equal(single_cpu_peek(&one, IA32_PERF_GLOBAL_STATUS), row->want);
    single_cpu_release(&one);
}

static struct name_row {
    const char *name;
    const char *msr;
    bool want;
    uint32_t want_address;
} name_rows[] = {
    {"first_pmc_has_a_name", "IA32_PMC0", true, 0x0C1},
    {"last_pmc_has_a_name", "IA32_PMC7", true, 0x0C8},
    {"ninth_pmc_has_none", "IA32_PMC8", false, 0},
    {"pmc_without_a_number_has_none", "IA32_PMC", false, 0},
    {"last_evtsel_has_a_name", "IA32_PERFEVTSEL7", true, 0x18D},
    {"misc_enable_has_a_name", "IA32_MISC_ENABLE", true, 0x1A0},
    {"debugctl_has_a_name", "IA32_DEBUGCTL", true, 0x1D9},
    {"last_fixed_ctr_has_a_name", "IA32_FIXED_CTR3", true, 0x30C},
    {"fifth_fixed_ctr_has_none", "IA32_FIXED_CTR4", false, 0},
    {"last_full_width_pmc_has_a_name", "IA32_A_PMC7", true, 0x4C8},
    {"amd_s_last_ctl_has_a_name", "PERF_CTL5", true, 0xC001020A},
    {"amd_s_last_ctr_has_a_name", "PERF_CTR5", true, 0xC001020B},
    {"fixed_ctr_ctrl_has_a_name", "IA32_FIXED_CTR_CTRL", true, 0x38D},
    {"global_status_has_a_name", "IA32_PERF_GLOBAL_STATUS", true, 0x38E},
    {"global_ctrl_has_a_name", "IA32_PERF_GLOBAL_CTRL", true, 0x38F},
    {"ovf_ctrl_has_a_name", "IA32_PERF_GLOBAL_OVF_CTRL", true, 0x390},
    {"tpr_has_a_name", "IA32_X2APIC_TPR", true, 0x808},
    {"eoi_has_a_name", "IA32_X2APIC_EOI", true, 0x80B},
    {"icr_has_a_name", "IA32_X2APIC_ICR", true, 0x830},
    {"lvtpc_has_a_name", "IA32_X2APIC_LVT_PMI", true, 0x834},
    {"name_in_small_letters_is_none", "ia32_pmc0", false, 0},
    {"empty_name_is_none", "", false, 0},
};

static void name_row(void **state)
{
    const struct name_row *row = *state;
    uint32_t address = 0;

    assert_int_equal(msr_address(row->msr, &address), row->want);
    assert_int_equal(address, row->want_address);
}

/* That no two have an address is asserted where a machine is made. */
static void every_name_is_found_again(void **state)
{
    char name[40];
    uint32_t address, last = 0;
    size_t count = 0;

    (void)state;
    for (; msr_name(count, name, sizeof(name)); count++) {
        assert_true(msr_address(name, &address));
        assert_int_not_equal(address, last);
        last = address;
    }
    assert_true(count > MSR_COUNT); /* some rows have several */
}

static void peek_costs_nothing_and_leaves_no_trace(void **state)
{
    struct single_cpu one;
    uint64_t value = 0;

    (void)state;
    single_cpu_init(&one);
    assert_int_equal(msr_peek(one.cpu, 0x38F, &value), MSR_OK);
    assert_int_equal(value, 0xFF);
    assert_int_equal(msr_peek(one.cpu, 0x391, &value), MSR_GP_FAULT);
    assert_int_equal(value, 0xFF);
    assert_int_equal(one.cpu->time, 0);
    assert_int_equal(one.machine.trace.count, 0);
    single_cpu_release(&one);
}

static void lower_tpr_takes_what_is_pending(void **state)
{
    struct single_cpu one;

    (void)state;
    single_cpu_init(&one);
    single_cpu_write(&one, IA32_X2APIC_TPR, 0xF0);
    one.cpu->lapic.requested = (struct vectors){
        .word[3] = 0x4000000000000000, .words = 1u << 3}; /* FEH */
    single_cpu_write(&one, IA32_X2APIC_LVT_PMI, 0xFE);
    assert_int_equal(one.taken_count, 0);
    single_cpu_write(&one, IA32_X2APIC_TPR, 0x0);
    assert_int_equal(one.taken_count, 1);
    assert_int_equal(one.taken[0].vector, 0xFE);
    assert_int_equal(one.taken[0].time, 300);
    single_cpu_release(&one);
}

static void eoi_ends_the_service_of_an_interrupt(void **state)
{
    struct single_cpu one;

    (void)state;
    single_cpu_init(&one);
    one.cpu->lapic.in_service = (struct vectors){
        .word[3] = 0x4000000000000000, .words = 1u << 3}; /* FEH */
    single_cpu_write(&one, IA32_X2APIC_EOI, 0);
    assert_int_equal(one.cpu->lapic.in_service.word[3], 0);
    single_cpu_release(&one);
}

/* Registers that go on by themselves. */
static struct clock_row {
    const char *name;
    uint32_t address;
    bool want;
} clock_rows[] = {
    {"time_stamp_counter_is_a_clock", 0x010, true},
    {"mperf_is_a_clock", 0x0E7, true},
    {"aperf_is_a_clock", 0x0E8, true},
    {"platform_id_is_none", 0x017, false},
    {"apic_base_is_none", 0x01B, false},
    {"platform_info_is_none", 0x0CE, false},
    {"efer_is_none", 0xC0000080, false},
    {"task_priority_is_none", 0x808, false},
    {"counter_is_none", 0x0C1, false},
    {"address_of_no_register_is_none", 0x999, false},
};

static void clock_row(void **state)
{
    const struct clock_row *row = *state;

    assert_int_equal(msr_is_clock(row->address), row->want);
}

TEST_FILE(test_msr)
{
    TEST_ADD_ROWS(list, rdpmc_row, rdpmc_rows);
    TEST_ADD_ROWS(list, cpuid_row, cpuid_rows);
    TEST_ADD_ROWS(list, cost_row, cost_rows);
    TEST_ADD_GROUP(list, "interrupted", interrupt_row, cost_rows);
    TEST_ADD_ROWS(list, trace_row, trace_rows);
    TEST_ADD_ROWS(list, clear_row, clear_rows);
    TEST_ADD_ROWS(list, name_row, name_rows);
    TEST_ADD_ROWS(list, clock_row, clock_rows);
    test_add(
        list, "every_name_is_found_again", every_name_is_found_again, NULL);
    test_add(list, "peek_costs_nothing_and_leaves_no_trace",
        peek_costs_nothing_and_leaves_no_trace, NULL);
    test_add(list, "lower_tpr_takes_what_is_pending",
        lower_tpr_takes_what_is_pending, NULL);
    test_add(list, "eoi_ends_the_service_of_an_interrupt",
        eoi_ends_the_service_of_an_interrupt, NULL);
}
