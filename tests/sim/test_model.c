/* test_model.c - the figures of the models and the architectural events. */
#include "sim/pmu/model.h"
#include "tests/rows.h"

/* PMU-ENUM-07a, PMU-ENUM-07b, PMU-ENUM-07c, PMU-ENUM-07d, PMU-ENUM-07e,
 * PMU-ENUM-07f, PMU-ENUM-07g; that both numbers decide: PMU-MSR-15a */
static struct select_row {
    const char *name;
    uint8_t select, umask;
    enum event want;
} select_rows[] = {
    {"3ch_00_is_core_cycles", 0x3C, 0x00, EVENT_CORE_CYCLES},
    {"c0h_00_is_instructions", 0xC0, 0x00, EVENT_INSTRUCTIONS},
    {"3ch_01_is_reference_cycles", 0x3C, 0x01, EVENT_REF_CYCLES},
    {"2eh_4fh_is_llc_references", 0x2E, 0x4F, EVENT_LLC_REFERENCES},
    {"2eh_41h_is_llc_misses", 0x2E, 0x41, EVENT_LLC_MISSES},
    {"c4h_00_is_branches", 0xC4, 0x00, EVENT_BRANCHES},
    {"c5h_00_is_branch_misses", 0xC5, 0x00, EVENT_BRANCH_MISSES},
    {"a4h_01_is_past_the_event_vector_of_version_2", 0xA4, 0x01, EVENT_COUNT},
    {"00_03_belongs_to_fixed_counter_2_alone", 0x00, 0x03, EVENT_COUNT},
    {"00_00_is_no_event", 0x00, 0x00, EVENT_COUNT},
    {"c0h_with_another_umask_is_no_event", 0xC0, 0x01, EVENT_COUNT},
    {"3ch_with_another_umask_is_no_event", 0x3C, 0x02, EVENT_COUNT},
    {"4fh_2eh_is_no_event", 0x4F, 0x2E, EVENT_COUNT},
};

static void select_row(void **state)
{
    const struct select_row *row = *state;

    assert_int_equal(
        model_event(&pmu_models[MODEL_INTEL_V2], row->select, row->umask),
        row->want);
}

static struct figures_row {
    const char *name;
    enum event event;
    const char *want_name;
    unsigned want_cpuid_bit;
    bool want_clock;
} figures_rows[] = {
    {"core_cycles_are_cpuid_bit_0", EVENT_CORE_CYCLES, "core_cycles", 0, true},
    {"instructions_are_cpuid_bit_1", EVENT_INSTRUCTIONS, "instructions", 1,
        false},
    {"reference_cycles_are_cpuid_bit_2", EVENT_REF_CYCLES, "ref_cycles", 2,
        true},
    {"llc_references_are_cpuid_bit_3", EVENT_LLC_REFERENCES, "llc_references",
        3, false},
    {"llc_misses_are_cpuid_bit_4", EVENT_LLC_MISSES, "llc_misses", 4, false},
    {"branches_are_cpuid_bit_5", EVENT_BRANCHES, "branches", 5, false},
    {"branch_misses_are_cpuid_bit_6", EVENT_BRANCH_MISSES, "branch_misses", 6,
        false},
};

static void figures_row(void **state)
{
    const struct figures_row *row = *state;

    assert_string_equal(event_rows[row->event].name, row->want_name);
    assert_int_equal(model_code(&pmu_models[MODEL_INTEL_V2], row->event)->bit,
        row->want_cpuid_bit);
    assert_int_equal(event_rows[row->event].clock, row->want_clock);
}

static struct counters_row {
    const char *name;
    uint8_t general, fixed;
    uint64_t want;
} counters_rows[] = {
    {"no_counters_have_no_bits", 0, 0, 0x0},
    {"one_general_counter_is_bit_0", 1, 0, 0x1},
    {"one_fixed_counter_is_bit_32", 0, 1, 0x100000000},
    {"four_and_three_counters_have_seven_bits", 4, 3, 0x70000000F},
    {"eight_and_three_counters_have_eleven_bits", 8, 3, 0x7000000FF},
};

static void counters_row(void **state)
{
    const struct counters_row *row = *state;
    const struct pmu_model model = {
        .version = 2, .general = row->general, .fixed = row->fixed};

    assert_int_equal(model_counters(&model), row->want);
}

/* The HAL's indexes on each part (facts.md A27). */
static struct map_row {
    const char *name;
    enum model model;
    uint64_t want;
} map_rows[] = {
    {"map_without_a_pmu_is_empty", MODEL_NONE, 0},
    {"map_of_version_1_has_no_fixed_counters", MODEL_INTEL_V1, 0x3},
    {"map_of_version_5_has_the_bitmap_s", MODEL_INTEL_V5, 0xF000000FF},
    {"map_of_nehalem", MODEL_NEHALEM, 0x70000000F},
    {"map_of_k7", MODEL_K8, 0xF},
    {"map_of_the_core_extension", MODEL_ZEN2, 0x3F},
    {"map_of_perfmon_v2", MODEL_ZEN4, 0x3F},
    {"map_of_armv8_has_the_cycle_counter", MODEL_NEOVERSE_N1, 0x8000003F},
};

static void map_row(void **state)
{
    const struct map_row *row = *state;

    assert_int_equal(model_counters(&pmu_models[row->model]), row->want);
}

static struct model_row {
    const char *name;
    enum model model;
    const char *want_name;
    unsigned want_version, want_general, want_fixed, want_width;
    uint32_t want_msr_cycles, want_latency, want_skid;
} model_rows[] = {
    {"model_none_has_no_pmu", MODEL_NONE, "none", 0, 0, 0, 48, 100, 0, 0},
    {"model_intel_v2_has_8_gp_and_3_fixed_counters", MODEL_INTEL_V2, "intel_v2",
        2, 8, 3, 48, 100, 30, 10},
};

static void model_row(void **state)
{
    const struct model_row *row = *state;
    const struct pmu_model *model = &pmu_models[row->model];

    assert_string_equal(model->name, row->want_name);
    assert_int_equal(model->version, row->want_version);
    assert_int_equal(model->general, row->want_general);
    assert_int_equal(model->fixed, row->want_fixed);
    assert_int_equal(model->width, row->want_width);
    assert_int_equal(model->msr_cycles, row->want_msr_cycles);
    assert_int_equal(model->latency, row->want_latency);
    assert_int_equal(model->skid, row->want_skid);
}

int main(void)
{
    struct test_list list = {.count = 0};

    TEST_ADD_ROWS(&list, select_row, select_rows);
    TEST_ADD_ROWS(&list, figures_row, figures_rows);
    TEST_ADD_ROWS(&list, counters_row, counters_rows);
    TEST_ADD_ROWS(&list, map_row, map_rows);
    TEST_ADD_ROWS(&list, model_row, model_rows);
    return test_run("sim.model", &list);
}
