/* test_amd.c - AMD's registers: where they are, what a write to them leaves
 * out, and what CPUID says of them (pmu.md 1.5, 1.6). */
#include "sim/machine/cpuid.h"
#include "tests/sim/machine/single_cpu.h"

static void init(struct single_cpu *one, enum model model)
{
    single_cpu_init_model(one, &pmu_models[model]);
}

/* Written by one address and read by the other. PMU-AMD-01, PMU-AMD-02b,
 * PMU-AMD-02c, PMU-AMD-03a, PMU-BEH-17 */
static struct alias_row {
    const char *name;
    enum model model;
    uint32_t write, read;
    uint64_t value;
} alias_rows[] = {
    {"k7_select_0", MODEL_K8, 0xC0010000, 0xC0010000, 0x5300C0},
    {"k7_select_3", MODEL_K8, 0xC0010003, 0xC0010003, 0x5300C0},
    {"k7_counter_0", MODEL_K8, 0xC0010004, 0xC0010004, 0xFEDCBA987654},
    {"k7_counter_3", MODEL_K8, 0xC0010007, 0xC0010007, 0xFEDCBA987654},
    {"core_select_5", MODEL_ZEN2, 0xC001020A, 0xC001020A, 0x5300C0},
    {"core_counter_5", MODEL_ZEN2, 0xC001020B, 0xC001020B, 0xFEDCBA987654},
    {"select_0_of_k7_is_that_of_the_core", MODEL_ZEN2, 0xC0010000, 0xC0010200,
        0x5300C0},
    {"select_3_of_k7_is_that_of_the_core", MODEL_ZEN2, 0xC0010003, 0xC0010206,
        0x5300C0},
    {"counter_0_of_k7_is_that_of_the_core", MODEL_ZEN4, 0xC0010004, 0xC0010201,
        0xFEDCBA987654},
    {"counter_3_of_k7_is_that_of_the_core", MODEL_ZEN4, 0xC0010007, 0xC0010207,
        0xFEDCBA987654},
    {"select_0_of_the_core_is_that_of_k7", MODEL_ZEN4, 0xC0010200, 0xC0010000,
        0x5300C0},
    {"select_3_of_the_core_is_that_of_k7", MODEL_ZEN2, 0xC0010206, 0xC0010003,
        0x5300C0},
    {"counter_0_of_the_core_is_that_of_k7", MODEL_ZEN2, 0xC0010201, 0xC0010004,
        0xFEDCBA987654},
    {"counter_3_of_the_core_is_that_of_k7", MODEL_ZEN4, 0xC0010207, 0xC0010007,
        0xFEDCBA987654},
};

static void alias_row(void **state)
{
    const struct alias_row *row = *state;
    struct single_cpu one;

    init(&one, row->model);
    single_cpu_write(&one, row->write, row->value);
    assert_int_equal(single_cpu_peek(&one, row->read), row->value);
    single_cpu_release(&one);
}

/* A write of all ones, and what is read then; before it the status is 1. */
static struct mask_row {
    const char *name;
    enum model model;
    uint32_t address;
    uint64_t want;
} mask_rows[] = {
    /* PMU-AMD-05, PMU-GP-07a */
    {"select_of_k7_drops_reserved_bits", MODEL_K8, 0xC0010000, 0x30FFFD7FFFF},
    {"select_of_the_core_drops_reserved_bits", MODEL_ZEN2, 0xC001020A,
        0x30FFFD7FFFF},
    {"counter_drops_what_is_above_48_bits", MODEL_K8, 0xC0010004,
        0xFFFFFFFFFFFF},
    /* PMU-GP-07b */
    {"global_control_drops_missing_counters", MODEL_ZEN4, 0xC0000301, 0x3F},
    /* PMU-GP-07c, PMU-AMD-07a */
    {"global_status_drops_the_write", MODEL_ZEN4, 0xC0000300, 0x1},
    {"status_clear_reads_zero", MODEL_ZEN4, 0xC0000302, 0},
    {"status_set_reads_zero", MODEL_ZEN4, 0xC0000303, 0},
};

static void mask_row(void **state)
{
    const struct mask_row *row = *state;
    struct single_cpu one;

    init(&one, row->model);
    one.cpu->pmu.global_status = 0x1;
    single_cpu_write(&one, row->address, 0xFFFFFFFFFFFFFFFF);
    assert_int_equal(single_cpu_peek(&one, row->address), row->want);
    single_cpu_release(&one);
}

/* Both a read and a write. */
static struct refused_row {
    const char *name;
    enum model model;
    uint32_t address;
} refused_rows[] = {
    /* PMU-GP-08a */
    {"core_select_on_k7_is_gp", MODEL_K8, 0xC0010200},
    {"core_counter_on_k7_is_gp", MODEL_K8, 0xC001020B},
    {"select_behind_the_core_s_is_gp", MODEL_ZEN2, 0xC001020C},
    {"counter_behind_the_core_s_is_gp", MODEL_ZEN4, 0xC001020D},
    {"register_behind_k7_s_is_gp", MODEL_K8, 0xC0010008},
    {"register_before_k7_s_is_gp", MODEL_K8, 0xC000FFFF},
    /* PMU-GP-08b */
    {"global_status_on_k7_is_gp", MODEL_K8, 0xC0000300},
    {"global_status_without_perfmon_v2_is_gp", MODEL_ZEN2, 0xC0000300},
    {"global_control_without_perfmon_v2_is_gp", MODEL_ZEN2, 0xC0000301},
    {"status_clear_without_perfmon_v2_is_gp", MODEL_ZEN2, 0xC0000302},
    {"status_set_without_perfmon_v2_is_gp", MODEL_ZEN2, 0xC0000303},
    {"register_behind_the_global_ones_is_gp", MODEL_ZEN4, 0xC0000304},
    /* PMU-AMD-03b */
    {"fixed_counter_is_gp", MODEL_ZEN4, 0x309},
    {"fixed_control_is_gp", MODEL_ZEN4, 0x38D},
    {"counter_of_intel_is_gp", MODEL_ZEN4, 0x0C1},
    {"status_of_intel_is_gp", MODEL_ZEN4, 0x38E},
    {"registers_of_amd_on_intel_are_gp", MODEL_INTEL_V4, 0xC0010000},
};

static void refused_row(void **state)
{
    const struct refused_row *row = *state;
    struct single_cpu one;
    uint64_t value = 0x77;

    init(&one, row->model);
    assert_int_equal(msr_read(one.cpu, row->address, &value), MSR_GP_FAULT);
    assert_int_equal(value, 0x77);
    assert_int_equal(msr_write(one.cpu, row->address, 0), MSR_GP_FAULT);
    single_cpu_release(&one);
}

/* Counter n holds 100H + n. PMU-GP-08c */
static struct rdpmc_row {
    const char *name;
    enum model model;
    uint32_t selector;
    enum msr_result want;
    uint64_t want_value;
} rdpmc_rows[] = {
    {"rdpmc_of_the_first_counter", MODEL_K8, 0, MSR_OK, 0x100},
    {"rdpmc_of_the_last_counter_of_k7", MODEL_K8, 3, MSR_OK, 0x103},
    {"rdpmc_behind_the_last_counter_of_k7", MODEL_K8, 4, MSR_GP_FAULT, 0},
    {"rdpmc_of_the_last_counter_of_the_core", MODEL_ZEN4, 5, MSR_OK, 0x105},
    {"rdpmc_behind_the_last_counter_of_the_core", MODEL_ZEN4, 6, MSR_GP_FAULT,
        0},
    {"rdpmc_of_intel_s_fixed_type", MODEL_ZEN4, 0x40000000, MSR_GP_FAULT, 0},
    {"rdpmc_in_fast_mode", MODEL_ZEN4, 0x80000000, MSR_GP_FAULT, 0},
};

static void rdpmc_row(void **state)
{
    const struct rdpmc_row *row = *state;
    struct single_cpu one;
    uint64_t value = 0;

    init(&one, row->model);
    for (unsigned n = 0; n < pmu_models[row->model].general; n++) {
        pmu_set_value(&one.cpu->pmu, n, 0x100 + n);
    }
    assert_int_equal(
        msr_rdpmc(one.cpu, row->selector, RING_KERNEL, false, &value),
        row->want);
    assert_int_equal(value, row->want_value);
    single_cpu_release(&one);
}

/* PMU-AMD-02a, PMU-AMD-06a, PMU-AMD-06b */
static struct cpuid_row {
    const char *name;
    enum model model;
    uint32_t leaf, want[4]; /* EAX, EBX, ECX, EDX */
} cpuid_rows[] = {
    {"vendor_of_k7", MODEL_K8, 0x0, {0x1, 0x68747541, 0x444D4163, 0x69746E65}},
    {"leaf_of_intel_is_empty", MODEL_ZEN4, 0xA, {0, 0, 0, 0}},
    {"highest_leaf_of_k7", MODEL_K8, 0x80000000, {0x80000001, 0, 0, 0}},
    {"highest_leaf_of_perfmon_v2", MODEL_ZEN4, 0x80000000,
        {0x80000022, 0, 0, 0}},
    {"k7_has_no_core_extension", MODEL_K8, 0x80000001,
        {0x40F12, 0, 0x1, 0x2BD3FBFF}},
    {"core_extension", MODEL_ZEN2, 0x80000001,
        {0x870F10, 0, 0x800121, 0x2FD3FBFF}},
    {"perfmon_v2_has_the_core_extension", MODEL_ZEN4, 0x80000001,
        {0xA60F12, 0, 0x800121, 0x2FD3FBFF}},
    {"core_extension_is_not_perfmon_v2", MODEL_ZEN2, 0x80000022, {0, 0, 0, 0}},
    {"perfmon_v2", MODEL_ZEN4, 0x80000022, {0x1, 0x6, 0, 0}},
};

static void cpuid_row(void **state)
{
    const struct cpuid_row *row = *state;
    struct single_cpu one;
    uint32_t out[4];

    init(&one, row->model);
    cpuid_read(one.cpu, row->leaf, out);
    assert_memory_equal(out, row->want, sizeof(out));
    single_cpu_release(&one);
}

TEST_FILE(test_amd)
{
    TEST_ADD_ROWS(list, alias_row, alias_rows);
    TEST_ADD_ROWS(list, mask_row, mask_rows);
    TEST_ADD_ROWS(list, refused_row, refused_rows);
    TEST_ADD_ROWS(list, rdpmc_row, rdpmc_rows);
    TEST_ADD_ROWS(list, cpuid_row, cpuid_rows);
}
