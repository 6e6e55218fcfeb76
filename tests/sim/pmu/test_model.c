/* test_model.c - events and their codes, versions, and which counters there
 * are. The figures of each model are test_models.c's business. */
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

/* By the bitmap from version 5 on (PMU-ENUM-03, PMU-ENUM-05b). */
static struct fixed_row {
    const char *name;
    enum vendor vendor;
    uint32_t version, fixed, fixed_map;
    uint64_t want;
} fixed_rows[] = {
    {"version_1_has_no_fixed_counters", VENDOR_INTEL, 1, 3, 0, 0x0},
    {"version_2_has_those_it_counts", VENDOR_INTEL, 2, 3, 0, 0x700000000},
    {"version_4_has_no_bitmap", VENDOR_INTEL, 4, 1, 0xE, 0x100000000},
    {"version_5_has_those_of_the_bitmap", VENDOR_INTEL, 5, 1, 0xC, 0xD00000000},
    {"version_5_has_the_bitmap_alone", VENDOR_INTEL, 5, 0, 0x2, 0x200000000},
    {"amd_has_none", VENDOR_AMD, 3, 3, 0xF, 0x0},
    {"arm_has_the_cycle_counter_alone", VENDOR_ARM, 1, 3, 0xF, 0x80000000},
    {"arm_without_a_pmu_has_none", VENDOR_ARM, 0, 0, 0, 0x0},
};

static void fixed_row(void **state)
{
    const struct fixed_row *row = *state;
    const struct pmu_model model = {.vendor = row->vendor,
        .version = row->version,
        .fixed = row->fixed,
        .fixed_map = row->fixed_map};

    assert_int_equal(model_counters(&model), row->want);
}

/* What a select means on another model than version 2. */
static struct code_row {
    const char *name;
    enum model model;
    unsigned select, umask;
    enum event want;
} code_rows[] = {
    {"slots_are_the_eighth_event_of_version_5", MODEL_INTEL_V5, 0xA4, 0x01,
        EVENT_SLOTS},
    {"seventh_event_of_version_5", MODEL_INTEL_V5, 0xC5, 0x00,
        EVENT_BRANCH_MISSES},
    {"amd_s_cycles", MODEL_ZEN4, 0x76, 0x00, EVENT_CORE_CYCLES},
    {"amd_s_instructions", MODEL_ZEN4, 0xC0, 0x00, EVENT_INSTRUCTIONS},
    {"amd_s_branches", MODEL_ZEN4, 0xC2, 0x00, EVENT_BRANCHES},
    {"amd_s_branch_misses", MODEL_ZEN4, 0xC3, 0x00, EVENT_BRANCH_MISSES},
    {"k7_s_cycles", MODEL_K8, 0x76, 0x00, EVENT_CORE_CYCLES},
    {"amd_s_umask_counts_as_well", MODEL_ZEN4, 0xC0, 0x01, EVENT_COUNT},
    {"amd_s_select_has_12_bits", MODEL_ZEN4, 0x1C0, 0x00, EVENT_COUNT},
    {"intel_s_cycles_are_nothing_on_amd", MODEL_ZEN4, 0x3C, 0x00, EVENT_COUNT},
    {"amd_s_cycles_are_nothing_on_intel", MODEL_INTEL_V5, 0x76, 0x00,
        EVENT_COUNT},
};

static void code_row(void **state)
{
    const struct code_row *row = *state;
    const struct pmu_model *model = &pmu_models[row->model];
    const struct event_code *code;

    assert_int_equal(model_event(model, row->select, row->umask), row->want);
    if (row->want == EVENT_COUNT) {
        return;
    }
    code = model_code(model, row->want);
    assert_non_null(code);
    assert_int_equal(code->vendor, model->vendor);
    assert_int_equal(code->event, row->want);
    assert_int_equal(code->select, row->select);
    assert_int_equal(code->umask, row->umask);
    if (model->vendor == VENDOR_AMD) {
        assert_int_equal(code->bit, 0); /* CPUID has none for it */
    }
}

/* Events that no select of the model means. */
static struct no_code_row {
    const char *name;
    enum model model;
    uint32_t event_bits, events_missing;
    enum event event;
} no_code_rows[] = {
    {"tsc_cycles_of_intel", MODEL_INTEL_V5, 8, 0, EVENT_TSC_CYCLES},
    {"llc_misses_of_amd", MODEL_ZEN4, 0, 0, EVENT_LLC_MISSES},
    {"ref_cycles_of_amd", MODEL_ZEN4, 0, 0, EVENT_REF_CYCLES},
    {"cycles_of_arm", MODEL_NEOVERSE_N1, 0, 0, EVENT_CORE_CYCLES},
    {"slots_past_the_vector", MODEL_INTEL_V5, 7, 0, EVENT_SLOTS},
    {"branch_misses_past_the_vector", MODEL_INTEL_V2, 6, 0,
        EVENT_BRANCH_MISSES},
    {"cycles_that_are_missing", MODEL_INTEL_V2, 7, 0x1, EVENT_CORE_CYCLES},
    {"llc_misses_that_are_missing", MODEL_INTEL_V2, 7, 0x10, EVENT_LLC_MISSES},
};

static void no_code_row(void **state)
{
    const struct no_code_row *row = *state;
    struct pmu_model model = pmu_models[row->model];

    model.event_bits = row->event_bits;
    model.events_missing = row->events_missing;
    assert_null(model_code(&model, row->event));
}

/* The last that is not missing is still there. */
static void missing_event_leaves_its_neighbours(void **state)
{
    struct pmu_model model = pmu_models[MODEL_INTEL_V2];

    (void)state;
    model.events_missing = 0x10;
    assert_int_equal(model_event(&model, 0x2E, 0x41), EVENT_COUNT);
    assert_int_equal(model_event(&model, 0x2E, 0x4F), EVENT_LLC_REFERENCES);
    assert_int_equal(model_event(&model, 0xC4, 0x00), EVENT_BRANCHES);
}

static void there_are_12_codes(void **state)
{
    (void)state;
    assert_int_equal(model_code_at(0)->event, EVENT_CORE_CYCLES);
    assert_int_equal(model_code_at(11)->event, EVENT_BRANCH_MISSES);
    assert_int_equal(model_code_at(11)->vendor, VENDOR_AMD);
    assert_null(model_code_at(12));
}

static struct version_row {
    const char *name;
    enum vendor vendor;
    uint32_t version;
    const char *want;
} version_rows[] = {
    {"intel_1_is_v1", VENDOR_INTEL, 1, "v1"},
    {"intel_2_is_v2", VENDOR_INTEL, 2, "v2"},
    {"intel_3_is_v3", VENDOR_INTEL, 3, "v3"},
    {"intel_4_is_v4", VENDOR_INTEL, 4, "v4"},
    {"intel_5_is_v5", VENDOR_INTEL, 5, "v5"},
    {"intel_0_is_none", VENDOR_INTEL, 0, NULL},
    {"intel_6_is_none", VENDOR_INTEL, 6, NULL},
    {"amd_1_is_k7", VENDOR_AMD, 1, "K7"},
    {"amd_2_is_the_core_extension", VENDOR_AMD, 2, "core extension"},
    {"amd_3_is_perfmon_v2", VENDOR_AMD, 3, "PerfMonV2"},
    {"amd_4_is_none", VENDOR_AMD, 4, NULL},
    {"arm_1_is_pmuv3", VENDOR_ARM, 1, "PMUv3"},
    {"arm_2_is_none", VENDOR_ARM, 2, NULL},
    {"arm_3_is_none", VENDOR_ARM, 3, NULL},
    {"arm_4_is_pmuv3p1", VENDOR_ARM, 4, "PMUv3p1"},
    {"arm_5_is_pmuv3p4", VENDOR_ARM, 5, "PMUv3p4"},
    {"arm_6_is_pmuv3p5", VENDOR_ARM, 6, "PMUv3p5"},
};

static void version_row(void **state)
{
    const struct version_row *row = *state;
    const struct pmu_model model = {
        .vendor = row->vendor, .version = row->version};
    const char *version = model_version(&model);

    if (row->want == NULL || version == NULL) {
        assert_ptr_equal(version, row->want);
    } else {
        assert_string_equal(version, row->want);
    }
}

TEST_FILE(test_model)
{
    TEST_ADD_ROWS(list, select_row, select_rows);
    TEST_ADD_ROWS(list, figures_row, figures_rows);
    TEST_ADD_ROWS(list, counters_row, counters_rows);
    TEST_ADD_ROWS(list, map_row, map_rows);
    TEST_ADD_ROWS(list, fixed_row, fixed_rows);
    TEST_ADD_ROWS(list, code_row, code_rows);
    TEST_ADD_ROWS(list, no_code_row, no_code_rows);
    test_add(list, "missing_event_leaves_its_neighbours",
        missing_event_leaves_its_neighbours, NULL);
    test_add(list, "there_are_12_codes", there_are_12_codes, NULL);
    TEST_ADD_ROWS(list, version_row, version_rows);
}
