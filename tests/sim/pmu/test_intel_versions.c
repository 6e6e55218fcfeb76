/* test_intel_versions.c - what versions 1 to 5 say of themselves, which
 * registers they have and what those take (pmu.md 1.1, 1.2, 1.5). */
#include "sim/machine/cpuid.h"
#include "tests/sim/machine/single_cpu.h"

static void init(struct single_cpu *one, enum model model)
{
    single_cpu_init_model(one, &pmu_models[model]);
}

/* Leaf 0AH: EAX, EBX, ECX, EDX. PMU-ENUM-01a, PMU-ENUM-03, PMU-ENUM-04b,
 * PMU-ENUM-06a */
static struct leaf_row {
    const char *name;
    enum model model;
    uint32_t want[4];
} leaf_rows[] = {
    {"leaf_without_a_pmu", MODEL_NONE, {0, 0, 0, 0}},
    {"leaf_of_v1", MODEL_INTEL_V1, {0x07280201, 0, 0, 0}},
    {"leaf_of_v2", MODEL_INTEL_V2, {0x07300802, 0, 0, 0x603}},
    {"leaf_of_v3", MODEL_INTEL_V3, {0x07300803, 0, 0, 0x603}},
    {"leaf_of_v4", MODEL_INTEL_V4, {0x07300804, 0, 0, 0x603}},
    {"leaf_of_v5", MODEL_INTEL_V5, {0x08300805, 0, 0x8, 0x8603}},
    {"leaf_of_nehalem", MODEL_NEHALEM, {0x07300403, 0, 0, 0x603}},
    {"leaf_of_skylake", MODEL_SKYLAKE, {0x07300404, 0, 0, 0x603}},
    {"leaf_of_ice_lake", MODEL_ICE_LAKE, {0x08300805, 0, 0xF, 0x8604}},
    {"leaf_of_sapphire_rapids", MODEL_SAPPHIRE_RAPIDS,
        {0x08300805, 0, 0xF, 0x8604}},
};

static void leaf_row(void **state)
{
    const struct leaf_row *row = *state;
    struct single_cpu one;
    uint32_t out[4];

    init(&one, row->model);
    cpuid_read(one.cpu, 0xA, out);
    assert_memory_equal(out, row->want, sizeof(out));
    single_cpu_release(&one);
}

/* IA32_PERF_CAPABILITIES through `mask`; mask 0: it is not there, nor does
 * CPUID leaf 1 say so. PMU-ENUM-09a */
static struct capability_row {
    const char *name;
    enum model model;
    uint64_t mask, want;
} capability_rows[] = {
    {"v1_has_no_capabilities", MODEL_INTEL_V1, 0, 0},
    {"v3_has_no_capabilities", MODEL_INTEL_V3, 0, 0},
    /* PMU-ENUM-10d */
    {"v4_has_full_width_writes", MODEL_INTEL_V4, 0x2000, 0x2000},
    {"nehalem_has_none", MODEL_NEHALEM, 0x2000, 0},
    /* PMU-ENUM-10a, PMU-ENUM-10c, PMU-ENUM-10f */
    {"format_of_no_lbr_is_0", MODEL_INTEL_V4, 0x3F, 0},
    {"nothing_freezes_in_smm", MODEL_SKYLAKE, 0x1000, 0},
    {"there_are_no_metrics", MODEL_SAPPHIRE_RAPIDS, 0x8000, 0},
    /* PMU-ENUM-10b, PMU-ENUM-10e */
    {"nehalem_has_pebs_of_format_1", MODEL_NEHALEM, 0xFC0, 0x1C0},
    {"skylake_has_pebs_of_format_3", MODEL_SKYLAKE, 0xFC0, 0x3C0},
    {"ice_lake_has_pebs_of_format_4", MODEL_ICE_LAKE, 0xFC0, 0x4C0},
    {"v4_has_no_pebs", MODEL_INTEL_V4, 0xFC0, 0},
    {"skylake_has_no_baseline", MODEL_SKYLAKE, 0x34000, 0},
    {"ice_lake_has_a_baseline_alone", MODEL_ICE_LAKE, 0x34000, 0x4000},
};

static void capability_row(void **state)
{
    const struct capability_row *row = *state;
    struct single_cpu one;
    uint32_t out[4];
    uint64_t value = 0;

    init(&one, row->model);
    cpuid_read(one.cpu, 0x1, out);
    assert_int_equal(out[2] & 0x8000, row->mask == 0 ? 0 : 0x8000);
    assert_int_equal(msr_read(one.cpu, 0x345, &value),
        row->mask == 0 ? MSR_GP_FAULT : MSR_OK);
    assert_int_equal(value & row->mask, row->want);
    single_cpu_release(&one);
}

static struct write_row {
    const char *name;
    enum model model;
    uint32_t write, read;
    uint64_t value, want;
} write_rows[] = {
    /* PMU-MSR-03 */
    {"whole_write_sets_48_bits", MODEL_INTEL_V4, 0x4C1, 0x0C1, 0xFEDCBA987654,
        0xFEDCBA987654},
    {"whole_write_of_the_last_counter", MODEL_INTEL_V5, 0x4C8, 0x0C8,
        0x80000000, 0x80000000},
    {"whole_register_shows_the_other_s_write", MODEL_SKYLAKE, 0x0C1, 0x4C1,
        0x80000000, 0xFFFF80000000},
    /* PMU-MSR-15f, PMU-MSR-05c */
    {"anythread_of_a_select_since_v3", MODEL_INTEL_V3, 0x186, 0x186, 0x6100C0,
        0x6100C0},
    {"anythread_of_a_select_in_v4", MODEL_INTEL_V4, 0x18D, 0x18D, 0x6100C0,
        0x6100C0},
    {"anythread_of_fixed_counters_since_v3", MODEL_INTEL_V3, 0x38D, 0x38D,
        0xFFF, 0xFFF},
    /* PMU-ENUM-05a, PMU-ENUM-05b */
    {"last_fixed_counter_of_those_in_a_row", MODEL_INTEL_V5, 0x30B, 0x30B, 0x77,
        0x77},
    {"fixed_counter_of_the_bitmap", MODEL_INTEL_V5, 0x30C, 0x30C, 0x77, 0x77},
    {"field_of_a_fixed_counter_of_the_bitmap", MODEL_INTEL_V5, 0x38D, 0x38D,
        0xBBBB, 0xBBBB},
    {"enable_of_a_fixed_counter_of_the_bitmap", MODEL_INTEL_V5, 0x38F, 0x38F,
        0xF000000FF, 0xF000000FF},
    /* PMU-MSR-15j, PMU-MSR-05e */
    {"adaptive_bit_of_a_select", MODEL_ICE_LAKE, 0x186, 0x186, 0x4005100C0,
        0x4005100C0},
    {"adaptive_bits_of_fixed_counters", MODEL_ICE_LAKE, 0x38D, 0x38D,
        0x111100001111, 0x111100001111},
    /* PMU-MSR-09, PMU-BEH-12 */
    {"status_set_sets_its_bits", MODEL_INTEL_V4, 0x391, 0x38E,
        0x4C000007000000FF, 0x4C000007000000FF},
    {"status_set_reads_zero", MODEL_INTEL_V4, 0x391, 0x391, 0x1, 0},
    {"status_reset_takes_the_freezes_since_v4", MODEL_INTEL_V4, 0x390, 0x390,
        0xFC000007000000FF, 0},
    {"status_reset_takes_uncore_since_v3", MODEL_INTEL_V3, 0x390, 0x390,
        0xE0000007000000FF, 0},
};

static void write_row(void **state)
{
    const struct write_row *row = *state;
    struct single_cpu one;

    init(&one, row->model);
    single_cpu_write(&one, row->write, row->value);
    assert_int_equal(single_cpu_peek(&one, row->read), row->want);
    single_cpu_release(&one);
}

static struct refused_row {
    const char *name;
    enum model model;
    uint32_t address;
    uint64_t value;
} refused_rows[] = {
    /* PMU-MSR-15f, PMU-MSR-05c */
    {"anythread_of_a_select_is_gone_in_v5", MODEL_INTEL_V5, 0x186, 0x6100C0},
    {"anythread_of_a_fixed_counter_is_gone_in_v5", MODEL_INTEL_V5, 0x38D, 0x4},
    {"anythread_of_a_select_before_v3", MODEL_INTEL_V1, 0x186, 0x6100C0},
    /* PMU-GP-04b */
    {"whole_write_of_49_bits", MODEL_INTEL_V4, 0x4C1, 0x1000000000000},
    {"whole_write_of_64_bits", MODEL_SKYLAKE, 0x4C1, 0xFFFFFFFFFFFFFFFF},
    {"whole_write_behind_the_last_counter", MODEL_SKYLAKE, 0x4C5, 0},
    {"whole_write_without_the_capability", MODEL_NEHALEM, 0x4C1, 0},
    /* PMU-GP-02d, PMU-MSR-10a */
    {"in_use_cannot_be_written", MODEL_INTEL_V4, 0x392, 0},
    {"in_use_is_not_there_in_v3", MODEL_INTEL_V3, 0x392, 0},
    {"status_set_is_not_there_in_v3", MODEL_INTEL_V3, 0x391, 0},
    /* PMU-ENUM-09b */
    {"capabilities_cannot_be_written", MODEL_INTEL_V4, 0x345, 0x2000},
    /* PMU-MSR-19c, PMU-MSR-19d */
    {"status_reset_of_metrics", MODEL_INTEL_V5, 0x390, 0x1000000000000},
    {"status_set_of_metrics", MODEL_INTEL_V5, 0x391, 0x1000000000000},
    {"status_reset_of_ctr_frz_before_v4", MODEL_INTEL_V3, 0x390,
        0x800000000000000},
    {"status_reset_of_lbr_frz_before_v4", MODEL_INTEL_V3, 0x390,
        0x400000000000000},
    {"status_set_of_a_missing_counter", MODEL_SKYLAKE, 0x391, 0x10},
    {"status_set_of_cond_chgd", MODEL_INTEL_V4, 0x391, 0x8000000000000000},
    /* PMU-MSR-15j, PMU-MSR-05e */
    {"adaptive_bit_of_a_select_without_a_baseline", MODEL_SKYLAKE, 0x186,
        0x4005100C0},
    {"adaptive_bit_of_a_fixed_counter_without_a_baseline", MODEL_SKYLAKE, 0x38D,
        0x100000001},
    /* PMU-ENUM-05a */
    {"fixed_counter_behind_those_in_a_row", MODEL_INTEL_V4, 0x30C, 0},
};

static void refused_row(void **state)
{
    const struct refused_row *row = *state;
    struct single_cpu one;

    init(&one, row->model);
    assert_int_equal(
        msr_write(one.cpu, row->address, row->value), MSR_GP_FAULT);
    assert_int_equal(one.cpu->pmu.global_status, 0);
    single_cpu_release(&one);
}

/* What IA32_PERF_GLOBAL_INUSE reads. PMU-MSR-10a, PMU-BEH-12 */
static struct in_use_row {
    const char *name;
    uint64_t select_0, select_7, fixed, want;
} in_use_rows[] = {
    {"nothing_is_in_use_after_reset", 0, 0, 0, 0},
    /* PMU-MSR-10b */
    {"event_of_a_select_is_in_use_though_it_is_off", 0x3C, 0, 0, 0x1},
    {"event_of_the_last_select", 0, 0x43003C, 0, 0x80},
    {"select_without_an_event_is_not_in_use", 0x430000, 0, 0, 0},
    /* PMU-MSR-10c */
    {"fixed_counter_of_one_ring", 0, 0, 0x10, 0x200000000},
    {"fixed_counters_of_both_rings", 0, 0, 0x303, 0x500000000},
    /* PMU-MSR-10d, PMU-MSR-10e */
    {"interrupt_of_a_select", 0x10003C, 0, 0, 0x8000000000000001},
    {"interrupt_of_a_fixed_counter_that_is_off", 0, 0, 0x8, 0x8000000000000000},
};

static void in_use_row(void **state)
{
    const struct in_use_row *row = *state;
    struct single_cpu one;

    init(&one, MODEL_INTEL_V4);
    single_cpu_write(&one, 0x186, row->select_0);
    single_cpu_write(&one, 0x18D, row->select_7);
    single_cpu_write(&one, 0x38D, row->fixed);
    assert_int_equal(single_cpu_peek(&one, 0x392), row->want);
    single_cpu_release(&one);
}

TEST_FILE(test_intel_versions)
{
    TEST_ADD_ROWS(list, leaf_row, leaf_rows);
    TEST_ADD_ROWS(list, capability_row, capability_rows);
    TEST_ADD_ROWS(list, write_row, write_rows);
    TEST_ADD_ROWS(list, refused_row, refused_rows);
    TEST_ADD_ROWS(list, in_use_row, in_use_rows);
}
