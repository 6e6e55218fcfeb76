/* test_msr_rows.c - which registers a model has, what may be written to them,
 * and what they hold after RESET. A refused access is #GP and changes nothing.
 */
#include <string.h>

#include "tests/sim/machine/single_cpu.h"

enum shape { V2, SMALL, V1, NO_PMU };

/* Version 2 as in the model of that name; fewer and narrower counters; version
 * 1, which has neither fixed counters nor global registers; no PMU at all. */
static const struct pmu_model shapes[] = {
    [V2] = {.version = 2,
        .general = 8,
        .fixed = 3,
        .width = 48,
        .slots = 4,
        .event_bits = 7},
    [SMALL] = {.version = 2,
        .general = 4,
        .fixed = 2,
        .width = 40,
        .slots = 4,
        .event_bits = 7},
    [V1] = {.version = 1,
        .general = 2,
        .fixed = 0,
        .width = 40,
        .slots = 4,
        .event_bits = 7},
    [NO_PMU] = {.version = 0,
        .general = 0,
        .fixed = 0,
        .width = 48,
        .slots = 4,
        .event_bits = 7},
};

static void init_shape(struct single_cpu *one, enum shape shape)
{
    struct pmu_model model = shapes[shape];

    model.msr_cycles = 100;
    model.tsc = (struct rate){.p = 1, .q = 1};
    model.ref = (struct rate){.p = 1, .q = 25};
    single_cpu_init_model(one, &model);
}

/* PMU-MSR-01a, PMU-MSR-01b, PMU-MSR-02, PMU-MSR-04a, PMU-MSR-05a */
static struct write_row {
    const char *name;
    enum shape shape;
    uint32_t address;
    uint64_t value, want;
} write_rows[] = {
    {"first_pmc_is_written", V2, 0x0C1, 0x12345678, 0x12345678},
    {"last_pmc_is_written", V2, 0x0C8, 0x12345678, 0x12345678},
    {"pmc_ignores_the_high_half", V2, 0x0C1, 0xFFFFFFFF00000001, 0x1},
    {"pmc_repeats_bit_31_to_48_bits", V2, 0x0C1, 0x80000000, 0xFFFF80000000},
    {"pmc_repeats_bit_31_to_40_bits", SMALL, 0x0C1, 0x80000000, 0xFF80000000},
    {"first_evtsel_takes_all_but_anythread", V2, 0x186, 0xFFDFFFFF, 0xFFDFFFFF},
    {"last_evtsel_is_written", V2, 0x18D, 0x5300C0, 0x5300C0},
    {"evtsel_is_cleared", V2, 0x186, 0x0, 0x0},
    {"debugctl_takes_freeze_perfmon", V2, 0x1D9, 0x1000, 0x1000},
    {"debugctl_takes_zero_without_a_pmu", NO_PMU, 0x1D9, 0x0, 0x0},
    /* PMU-MSR-13d */
    {"debugctl_takes_lbr_and_btf", V2, 0x1D9, 0x3, 0x3},
    {"debugctl_takes_lbr_and_btf_without_a_pmu", NO_PMU, 0x1D9, 0x3, 0x3},
    {"first_fixed_ctr_takes_48_bits", V2, 0x309, 0xFFFFFFFFFFFF,
        0xFFFFFFFFFFFF},
    {"fixed_ctr_is_not_sign_extended", V2, 0x309, 0x80000000, 0x80000000},
    /* PMU-MSR-14b */
    {"misc_enable_is_written_back", V2, 0x1A0, 0x11889, 0x11889},
    {"last_fixed_ctr_is_written", V2, 0x30B, 0x1234, 0x1234},
    {"fixed_ctr_takes_40_bits", SMALL, 0x309, 0xFFFFFFFFFF, 0xFFFFFFFFFF},
    {"fixed_ctr_ctrl_takes_three_fields", V2, 0x38D, 0xBBB, 0xBBB},
    {"fixed_ctr_ctrl_takes_two_fields", SMALL, 0x38D, 0xBB, 0xBB},
    {"global_ctrl_takes_each_counter", V2, 0x38F, 0x7000000FF, 0x7000000FF},
    {"global_ctrl_takes_each_of_fewer_counters", SMALL, 0x38F, 0x30000000F,
        0x30000000F},
    /* PMU-MSR-19g */
    {"ovf_ctrl_takes_what_status_has_and_reads_zero", V2, 0x390,
        0xC0000007000000FF, 0x0},
    {"tpr_takes_eight_bits", V2, 0x808, 0xFF, 0xFF},
    {"icr_takes_destination_shorthand_and_mode", V2, 0x830, 0xFFFFFFFF000CCFFF,
        0xFFFFFFFF000CCFFF},
    {"lvtpc_takes_vector_mode_and_mask", V2, 0x834, 0x107FF, 0x107FF},
    {"pmc_exists_in_version_1", V1, 0x0C2, 0x77, 0x77},
    {"evtsel_exists_in_version_1", V1, 0x187, 0x4300C0, 0x4300C0},
};

static void write_row(void **state)
{
    const struct write_row *row = *state;
    struct single_cpu one;
    uint64_t value = 0x99;

    init_shape(&one, row->shape);
    assert_int_equal(msr_write(one.cpu, row->address, row->value), MSR_OK);
    assert_int_equal(msr_peek(one.cpu, row->address, &value), MSR_OK);
    assert_int_equal(value, row->want);
    single_cpu_release(&one);
}

/* PMU-BEH-03; without a PMU each register: PMU-GP-01a. */
static struct refused_write_row {
    const char *name;
    enum shape shape;
    uint32_t address;
    uint64_t value;
} refused_write_rows[] = {
    {"address_before_the_first_pmc_is_gp", V2, 0x0C0, 0},
    /* PMU-GP-01d */
    {"ninth_pmc_of_eight_is_gp", V2, 0x0C9, 0},
    {"fifth_pmc_of_four_is_gp", SMALL, 0x0C5, 0},
    {"third_pmc_of_two_is_gp", V1, 0x0C3, 0},
    {"pmc_without_a_pmu_is_gp", NO_PMU, 0x0C1, 0},
    {"ninth_evtsel_of_eight_is_gp", V2, 0x18E, 0},
    {"fifth_evtsel_of_four_is_gp", SMALL, 0x18A, 0},
    {"evtsel_without_a_pmu_is_gp", NO_PMU, 0x186, 0},
    /* PMU-GP-03a, PMU-MSR-15i, PMU-MSR-16 */
    {"evtsel_bit_21_anythread_is_gp", V2, 0x186, 0x200000},
    {"evtsel_bit_32_in_tx_is_gp", V2, 0x186, 0x100000000},
    {"evtsel_bit_33_in_txcp_is_gp", V2, 0x188, 0x200000000},
    {"evtsel_bit_34_adaptive_pebs_is_gp", V2, 0x186, 0x400000000},
    {"evtsel_bit_63_is_gp", V2, 0x186, 0x8000000000000000},
    {"evtsel_good_bits_with_a_bad_one_is_gp", V2, 0x18D, 0x7300C0},
    /* PMU-MSR-14b */
    {"misc_enable_bit_7_perfmon_cannot_be_cleared", V2, 0x1A0, 0x11809},
    {"misc_enable_bit_7_perfmon_cannot_be_set", NO_PMU, 0x1A0, 0x11889},
    {"misc_enable_bit_11_no_bts_cannot_be_cleared", V2, 0x1A0, 0x11089},
    {"misc_enable_bit_12_no_pebs_cannot_be_cleared", V2, 0x1A0, 0x10889},
    {"misc_enable_bit_1_is_gp", V2, 0x1A0, 0x1188B},
    {"misc_enable_bit_63_is_gp", V2, 0x1A0, 0x8000000000011889},
    {"debugctl_bit_6_branch_trace_without_bts_is_gp", V2, 0x1D9, 0x40},
    {"debugctl_bit_7_bts_without_bts_is_gp", V2, 0x1D9, 0x80},
    {"debugctl_bit_2_is_gp", V2, 0x1D9, 0x4},
    /* PMU-MSR-13c */
    {"debugctl_bit_14_freeze_in_smm_is_gp", V2, 0x1D9, 0x4000},
    {"debugctl_bit_12_before_version_2_is_gp", V1, 0x1D9, 0x1000},
    {"debugctl_bit_12_without_a_pmu_is_gp", NO_PMU, 0x1D9, 0x1000},
    /* PMU-GP-01e */
    {"fourth_fixed_ctr_of_three_is_gp", V2, 0x30C, 0},
    {"third_fixed_ctr_of_two_is_gp", SMALL, 0x30B, 0},
    {"fixed_ctr_in_version_1_is_gp", V1, 0x309, 0},
    {"fixed_ctr_without_a_pmu_is_gp", NO_PMU, 0x309, 0},
    /* PMU-MSR-04b */
    {"fixed_ctr_bit_48_is_gp", V2, 0x309, 0x1000000000000},
    {"fixed_ctr_bit_40_of_40_is_gp", SMALL, 0x309, 0x10000000000},
    {"fixed_ctr_bit_63_is_gp", V2, 0x30B, 0x8000000000000001},
    /* PMU-GP-03c */
    {"fixed_ctr_ctrl_anythread_of_counter_0_is_gp", V2, 0x38D, 0x4},
    {"fixed_ctr_ctrl_anythread_of_counter_2_is_gp", V2, 0x38D, 0x400},
    /* PMU-GP-03b */
    {"fixed_ctr_ctrl_field_of_counter_3_is_gp", V2, 0x38D, 0x1000},
    {"fixed_ctr_ctrl_field_of_the_third_of_two_is_gp", SMALL, 0x38D, 0x100},
    {"fixed_ctr_ctrl_bit_32_adaptive_pebs_is_gp", V2, 0x38D, 0x100000000},
    /* PMU-GP-01b, here and below */
    {"fixed_ctr_ctrl_in_version_1_is_gp", V1, 0x38D, 0},
    {"fixed_ctr_ctrl_without_a_pmu_is_gp", NO_PMU, 0x38D, 0},
    /* PMU-GP-02c, PMU-MSR-06 */
    {"global_status_is_read_only", V2, 0x38E, 0x1},
    {"global_status_does_not_take_zero", V2, 0x38E, 0x0},
    {"global_status_in_version_1_is_gp", V1, 0x38E, 0},
    /* PMU-GP-02a */
    {"global_ctrl_bit_of_the_ninth_gp_counter_is_gp", V2, 0x38F, 0x100},
    {"global_ctrl_bit_of_the_fourth_fixed_counter_is_gp", V2, 0x38F,
        0x800000000},
    /* PMU-MSR-07c */
    {"global_ctrl_bit_48_metrics_is_gp", V2, 0x38F, 0x1000000000000},
    {"global_ctrl_bit_63_is_gp", V2, 0x38F, 0x8000000000000000},
    {"global_ctrl_bit_of_the_fifth_of_four_is_gp", SMALL, 0x38F, 0x10},
    {"global_ctrl_bit_of_the_third_fixed_of_two_is_gp", SMALL, 0x38F,
        0x400000000},
    {"global_ctrl_in_version_1_is_gp", V1, 0x38F, 0},
    {"global_ctrl_without_a_pmu_is_gp", NO_PMU, 0x38F, 0},
    /* PMU-GP-02b, PMU-MSR-08c */
    {"ovf_ctrl_bit_of_the_ninth_gp_counter_is_gp", V2, 0x390, 0x101},
    {"ovf_ctrl_bit_of_the_fourth_fixed_counter_is_gp", V2, 0x390, 0x800000001},
    {"ovf_ctrl_bit_58_of_version_4_is_gp", V2, 0x390, 0x400000000000001},
    {"ovf_ctrl_bit_59_of_version_4_is_gp", V2, 0x390, 0x800000000000001},
    {"ovf_ctrl_bit_61_uncore_is_gp", V2, 0x390, 0x2000000000000001},
    {"ovf_ctrl_in_version_1_is_gp", V1, 0x390, 0},
    {"ovf_ctrl_without_a_pmu_is_gp", NO_PMU, 0x390, 0},
    /* PMU-GP-01c */
    {"status_set_below_version_4_is_gp", V2, 0x391, 0x1},
    {"inuse_below_version_4_is_gp", V2, 0x392, 0x1},
    {"pebs_enable_without_pebs_is_gp", V2, 0x3F1, 0},
    {"pebs_data_cfg_without_pebs_is_gp", V2, 0x3F2, 0},
    {"ds_area_without_a_ds_is_gp", V2, 0x600, 0},
    {"perf_capabilities_that_cpuid_does_not_name", V2, 0x345, 0},
    /* PMU-GP-04a */
    {"a_pmc_without_full_width_writes_is_gp", V2, 0x4C1, 0},
    {"tpr_bit_8_is_gp", V2, 0x808, 0x100},
    {"eoi_of_anything_but_zero_is_gp", V2, 0x80B, 0x1},
    {"icr_bit_12_delivery_status_is_gp", V2, 0x830, 0x1000},
    {"icr_bit_13_is_gp", V2, 0x830, 0x2000},
    {"icr_bit_16_is_gp", V2, 0x830, 0x10000},
    {"icr_bit_20_is_gp", V2, 0x830, 0x100000},
    {"icr_bit_31_is_gp", V2, 0x830, 0x80000000},
    {"lvtpc_bit_11_is_gp", V2, 0x834, 0x800},
    {"lvtpc_bit_12_delivery_status_is_gp", V2, 0x834, 0x1000},
    {"lvtpc_bit_17_is_gp", V2, 0x834, 0x20000},
    {"lvtpc_bit_32_is_gp", V2, 0x834, 0x100000000},
};

/* Gives every register of the shape a value that a stray write would change. */
static void fill(struct cpu *cpu)
{
    struct pmu *pmu = &cpu->pmu;

    for (unsigned slot = 0; slot < 11; slot++) {
        pmu_set_value(pmu, slot, 0xFFFF000000 + slot);
    }
    for (unsigned n = 0; n < pmu->model->general; n++) {
        pmu_set_select(pmu, n, 0x1300C0 + n); /* not enabled */
    }
    pmu_set_fixed_ctrl(pmu, pmu->model->fixed > 0 ? 0x88 : 0);
    pmu_set_global_ctrl(pmu, pmu->model->general > 0 ? 0x3 : 0);
    pmu_set_status(pmu, pmu->model->general > 0 ? 0x1 : 0);
    pmu->debugctl = 0;
    cpu->lapic.lvtpc = 0x100FE;
    cpu->lapic.task_priority = 0xF0;
    cpu->lapic.requested.word[3] = 0x1;
    cpu->lapic.in_service.word[3] = 0x2;
}

enum { REGISTERS = 68 }; /* those of PMU and APIC, which stand first */

/* Every register that can be read, 0 for the others. */
static void snapshot(const struct cpu *cpu, uint64_t value[REGISTERS])
{
    char name[40];
    uint32_t address = 0;

    for (size_t i = 0; i < REGISTERS; i++) {
        assert_true(msr_name(i, name, sizeof(name)));
        assert_true(msr_address(name, &address));
        value[i] = 0;
        (void)msr_peek(cpu, address, &value[i]);
    }
}

static void refused_write_row(void **state)
{
    const struct refused_write_row *row = *state;
    struct single_cpu one;
    uint64_t before[REGISTERS], after[REGISTERS];
    uint8_t lapic[sizeof(struct lapic)];

    init_shape(&one, row->shape);
    fill(one.cpu);
    snapshot(one.cpu, before);
    memcpy(lapic, &one.cpu->lapic, sizeof(lapic));

    assert_int_equal(
        msr_write(one.cpu, row->address, row->value), MSR_GP_FAULT);
    snapshot(one.cpu, after);
    assert_memory_equal(after, before, sizeof(before));
    assert_memory_equal(&one.cpu->lapic, lapic, sizeof(lapic));
    single_cpu_release(&one);
}

static struct refused_read_row {
    const char *name;
    enum shape shape;
    uint32_t address;
} refused_read_rows[] = {
    {"ninth_pmc_of_eight_is_not_read", V2, 0x0C9},
    {"third_pmc_of_two_is_not_read", V1, 0x0C3},
    {"pmc_without_a_pmu_is_not_read", NO_PMU, 0x0C1},
    {"ninth_evtsel_of_eight_is_not_read", V2, 0x18E},
    {"evtsel_without_a_pmu_is_not_read", NO_PMU, 0x186},
    {"fourth_fixed_ctr_of_three_is_not_read", V2, 0x30C},
    {"fixed_ctr_without_a_pmu_is_not_read", NO_PMU, 0x309},
    {"fixed_ctr_ctrl_in_version_1_is_not_read", V1, 0x38D},
    {"global_status_in_version_1_is_not_read", V1, 0x38E},
    {"global_ctrl_in_version_1_is_not_read", V1, 0x38F},
    {"ovf_ctrl_in_version_1_is_not_read", V1, 0x390},
    {"global_status_without_a_pmu_is_not_read", NO_PMU, 0x38E},
    {"global_ctrl_without_a_pmu_is_not_read", NO_PMU, 0x38F},
    {"status_set_below_version_4_is_not_read", V2, 0x391},
    {"inuse_below_version_4_is_not_read", V2, 0x392},
    {"perf_capabilities_are_not_read", V2, 0x345},
    {"a_pmc_is_not_read", V2, 0x4C1},
    {"eoi_is_write_only", V2, 0x80B},
    {"address_of_all_ones_is_not_read", V2, 0xFFFFFFFF},
};

static void refused_read_row(void **state)
{
    const struct refused_read_row *row = *state;
    struct single_cpu one;
    uint64_t value = 0x1234;

    init_shape(&one, row->shape);
    assert_int_equal(msr_read(one.cpu, row->address, &value), MSR_GP_FAULT);
    assert_int_equal(value, 0x1234);
    single_cpu_release(&one);
}

/* PMU-MSR-08b, PMU-MSR-14a, PMU-MSR-18, PMU-BEH-04 */
static struct reset_row {
    const char *name;
    enum shape shape;
    uint32_t address;
    uint64_t want;
} reset_rows[] = {
    {"pmc_is_zero", V2, 0x0C1, 0x0},
    {"evtsel_is_zero", V2, 0x186, 0x0},
    {"misc_enable_has_perfmon_and_neither_bts_nor_pebs", V2, 0x1A0, 0x11889},
    {"misc_enable_without_a_pmu_lacks_perfmon", NO_PMU, 0x1A0, 0x11809},
    {"debugctl_is_zero", V2, 0x1D9, 0x0},
    {"fixed_ctr_is_zero", V2, 0x309, 0x0},
    {"fixed_ctr_ctrl_is_zero", V2, 0x38D, 0x0},
    {"global_status_is_zero", V2, 0x38E, 0x0},
    {"global_ctrl_enables_eight_gp_counters", V2, 0x38F, 0xFF},
    {"global_ctrl_enables_four_gp_counters", SMALL, 0x38F, 0xF},
    {"ovf_ctrl_reads_zero", V2, 0x390, 0x0},
    {"tpr_is_zero", V2, 0x808, 0x0},
    {"icr_is_zero", V2, 0x830, 0x0},
    {"lvtpc_is_masked", V2, 0x834, 0x10000},
};

static void reset_row(void **state)
{
    const struct reset_row *row = *state;
    struct single_cpu one;
    uint64_t value = 0x1234;

    init_shape(&one, row->shape);
    assert_int_equal(msr_read(one.cpu, row->address, &value), MSR_OK);
    assert_int_equal(value, row->want);
    single_cpu_release(&one);
}

TEST_FILE(test_msr_rows)
{
    TEST_ADD_ROWS(list, write_row, write_rows);
    TEST_ADD_ROWS(list, refused_write_row, refused_write_rows);
    TEST_ADD_ROWS(list, refused_read_row, refused_read_rows);
    TEST_ADD_ROWS(list, reset_row, reset_rows);
}
