/* test_cpuid.c - what CPUID says of each maker's models. What it costs is
 * test_msr.c's business. */
#include "sim/machine/cpuid.h"
#include "tests/sim/machine/single_cpu.h"

/* PMU-ENUM-11a, PMU-ENUM-11b, PMU-ENUM-12, PMU-ENUM-13 */
static struct leaf_row {
    const char *name;
    enum model model;
    uint32_t leaf;
    uint32_t want[4]; /* EAX, EBX, ECX, EDX */
} leaf_rows[] = {
    {"intel_v4_leaf_0", MODEL_INTEL_V4, 0x0,
        {0xA, 0x756E6547, 0x6C65746E, 0x49656E69}},
    {"zen2_leaf_0_is_authentic_amd", MODEL_ZEN2, 0x0,
        {0x6, 0x68747541, 0x444D4163, 0x69746E65}},
    {"k8_has_one_leaf_behind_it", MODEL_K8, 0x0,
        {0x1, 0x68747541, 0x444D4163, 0x69746E65}},
    {"arm_leaf_0_has_no_name", MODEL_NEOVERSE_N1, 0x0, {0x1, 0, 0, 0}},

    {"intel_v2_leaf_1", MODEL_INTEL_V2, 0x1,
        {0, 0x800, 0x00282381, 0xAFCBFBFF}},
    {"full_width_shows_in_perf_capabilities", MODEL_INTEL_V4, 0x1,
        {0, 0x800, 0x0028A381, 0xAFCBFBFF}},
    {"pebs_has_the_ds_area_and_perf_capabilities", MODEL_NEHALEM, 0x1,
        {0x000106A5, 0x800, 0x00B8E385, 0xAFEBFBFF}},
    {"skylake_leaf_1", MODEL_SKYLAKE, 0x1,
        {0x000506E3, 0x800, 0x03FAEB87, 0xAFEBFBFF}},
    {"ice_lake_leaf_1", MODEL_ICE_LAKE, 0x1,
        {0x000706E5, 0x800, 0x03FAEB87, 0xAFEBFBFF}},
    {"sapphire_rapids_leaf_1", MODEL_SAPPHIRE_RAPIDS, 0x1,
        {0x000806F8, 0x800, 0x03FEEB87, 0xAFEBFBFF}},
    {"k8_leaf_1", MODEL_K8, 0x1, {0x00040F12, 0x800, 0x00202001, 0x078BFBFF}},
    {"zen2_leaf_1", MODEL_ZEN2, 0x1,
        {0x00870F10, 0x800, 0x02F82203, 0x078BFBFF}},
    {"zen4_leaf_1", MODEL_ZEN4, 0x1,
        {0x00A60F12, 0x800, 0x02F82203, 0x078BFBFF}},

    {"skylake_has_mperf_and_aperf", MODEL_SKYLAKE, 0x6, {0, 0, 0x1, 0}},
    {"zen2_has_mperf_and_aperf", MODEL_ZEN2, 0x6, {0, 0, 0x1, 0}},
    {"k8_has_neither", MODEL_K8, 0x6, {0, 0, 0, 0}},
    {"leaf_between_that_is_not_modelled", MODEL_SKYLAKE, 0x7, {0, 0, 0, 0}},

    {"intel_v1_leaf_ah_ends_at_ebx", MODEL_INTEL_V1, 0xA,
        {0x07280201, 0, 0, 0}},
    {"intel_v2_leaf_ah", MODEL_INTEL_V2, 0xA, {0x07300802, 0, 0, 0x603}},
    {"intel_v4_leaf_ah_has_no_bitmap", MODEL_INTEL_V4, 0xA,
        {0x07300804, 0, 0, 0x603}},
    {"intel_v5_leaf_ah_has_a_bitmap_and_no_any_thread", MODEL_INTEL_V5, 0xA,
        {0x08300805, 0, 0x8, 0x8603}},
    {"ice_lake_leaf_ah", MODEL_ICE_LAKE, 0xA, {0x08300805, 0, 0xF, 0x8604}},
    {"zen2_has_no_leaf_ah", MODEL_ZEN2, 0xA, {0, 0, 0, 0}},
    {"intel_shows_the_last_basic_leaf_past_it", MODEL_SKYLAKE, 0x14,
        {0x07300404, 0, 0, 0x603}},
    {"intel_shows_it_for_a_hypervisor_s_leaf", MODEL_SKYLAKE, 0x40000000,
        {0x07300404, 0, 0, 0x603}},
    {"intel_shows_it_past_the_last_extended_leaf", MODEL_SKYLAKE, 0x80000002,
        {0x07300404, 0, 0, 0x603}},
    {"intel_shows_it_for_the_last_number_of_all", MODEL_SKYLAKE, 0xFFFFFFFF,
        {0x07300404, 0, 0, 0x603}},
    {"amd_shows_nothing_past_the_last_basic_leaf", MODEL_ZEN4, 0xD,
        {0, 0, 0, 0}},
    {"amd_shows_nothing_past_the_last_extended_leaf", MODEL_ZEN4, 0x80000023,
        {0, 0, 0, 0}},

    {"intel_has_one_extended_leaf", MODEL_INTEL_V4, 0x80000000,
        {0x80000001, 0, 0, 0}},
    {"arm_has_no_extended_leaf", MODEL_NEOVERSE_N1, 0x80000000,
        {0x80000000, 0, 0, 0}},
    {"k8_has_one_extended_leaf", MODEL_K8, 0x80000000, {0x80000001, 0, 0, 0}},
    {"zen2_has_one_extended_leaf", MODEL_ZEN2, 0x80000000,
        {0x80000001, 0, 0, 0}},
    {"zen4_has_perfmon_v2_s_leaf", MODEL_ZEN4, 0x80000000,
        {0x80000022, 0, 0, 0}},
    {"intel_has_no_core_extension", MODEL_INTEL_V4, 0x80000001,
        {0, 0, 0x00000001, 0x28100800}},
    {"skylake_extended_features", MODEL_SKYLAKE, 0x80000001,
        {0, 0, 0x00000121, 0x2C100800}},
    {"k8_has_no_core_extension", MODEL_K8, 0x80000001,
        {0x00040F12, 0, 0x00000001, 0x2BD3FBFF}},
    {"zen2_has_the_core_extension", MODEL_ZEN2, 0x80000001,
        {0x00870F10, 0, 0x00800121, 0x2FD3FBFF}},
    {"zen4_has_the_core_extension", MODEL_ZEN4, 0x80000001,
        {0x00A60F12, 0, 0x00800121, 0x2FD3FBFF}},
    {"intel_has_no_perfmon_v2", MODEL_INTEL_V4, 0x80000022,
        {0x07300804, 0, 0, 0x603}},
    {"zen2_has_no_perfmon_v2", MODEL_ZEN2, 0x80000022, {0, 0, 0, 0}},
    {"zen4_has_perfmon_v2_with_6_counters", MODEL_ZEN4, 0x80000022,
        {1, 6, 0, 0}},
};

static void leaf_row(void **state)
{
    const struct leaf_row *row = *state;
    struct single_cpu one;
    uint32_t out[4] = {1, 2, 3, 4};

    single_cpu_init_model(&one, &pmu_models[row->model]);
    cpuid_read(one.cpu, row->leaf, out);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(out[i], row->want[i]);
    }
    single_cpu_release(&one);
}

/* Leaf 1 EBX[31:24]. */
static void second_processor_has_apic_id_1(void **state)
{
    const struct machine_config config = {
        .processors = 2, .groups = 1, .pmu = pmu_models[MODEL_INTEL_V2]};
    struct machine machine;
    uint32_t out[4];

    (void)state;
    assert_true(machine_reserve(&machine));
    machine_reset(&machine, &config);
    cpuid_read(machine_cpu(&machine, 1), 0x1, out);
    assert_int_equal(out[1], 0x01000800);
    machine_release(&machine);
}

/* Leaf 0AH of a version 5 with other figures. */
static void missing_events_and_any_thread_are_shown(void **state)
{
    struct pmu_model model = pmu_models[MODEL_INTEL_V5];
    struct single_cpu one;
    uint32_t out[4];

    (void)state;
    model.events_missing = 0xA4;
    model.any_thread = true;
    single_cpu_init_model(&one, &model);
    cpuid_read(one.cpu, 0xA, out);
    assert_int_equal(out[0], 0x08300805);
    assert_int_equal(out[1], 0xA4);
    assert_int_equal(out[2], 0x8);
    assert_int_equal(out[3], 0x603);
    single_cpu_release(&one);
}

TEST_FILE(test_cpuid)
{
    TEST_ADD_ROWS(list, leaf_row, leaf_rows);
    test_add(list, "second_processor_has_apic_id_1",
        second_processor_has_apic_id_1, NULL);
    test_add(list, "missing_events_and_any_thread_are_shown",
        missing_events_and_any_thread_are_shown, NULL);
}
