/* test_cpuid.c - what CPUID says of each maker's models. What it costs is
 * test_msr.c's business. */
#include "sim/machine/cpuid.h"
#include "tests/sim/machine/single_cpu.h"

static struct leaf_row {
    const char *name;
    enum model model;
    uint32_t leaf;
    uint32_t want[4]; /* EAX, EBX, ECX, EDX */
} leaf_rows[] = {
    {"intel_v4_leaf_0", MODEL_INTEL_V4, 0x0,
        {0xA, 0x756E6547, 0x6C65746E, 0x49656E69}},
    {"zen2_leaf_0_is_authentic_amd", MODEL_ZEN2, 0x0,
        {0x1, 0x68747541, 0x444D4163, 0x69746E65}},
    {"arm_leaf_0_has_no_name", MODEL_NEOVERSE_N1, 0x0, {0x1, 0, 0, 0}},

    {"intel_v2_leaf_1_has_x2apic_alone", MODEL_INTEL_V2, 0x1,
        {0, 0, 0x00200000, 0}},
    {"full_width_shows_in_perf_capabilities", MODEL_INTEL_V4, 0x1,
        {0, 0, 0x00208000, 0}},
    {"pebs_has_the_ds_area_and_perf_capabilities", MODEL_NEHALEM, 0x1,
        {0x000106A5, 0, 0x00208004, 0x00200000}},
    {"ice_lake_leaf_1", MODEL_ICE_LAKE, 0x1,
        {0x000706E5, 0, 0x00208004, 0x00200000}},
    {"zen2_leaf_1", MODEL_ZEN2, 0x1, {0x00870F10, 0, 0x00200000, 0}},

    {"intel_v1_leaf_ah_ends_at_ebx", MODEL_INTEL_V1, 0xA,
        {0x07280201, 0, 0, 0}},
    {"intel_v2_leaf_ah", MODEL_INTEL_V2, 0xA, {0x07300802, 0, 0, 0x603}},
    {"intel_v4_leaf_ah_has_no_bitmap", MODEL_INTEL_V4, 0xA,
        {0x07300804, 0, 0, 0x603}},
    {"intel_v5_leaf_ah_has_a_bitmap_and_no_any_thread", MODEL_INTEL_V5, 0xA,
        {0x08300805, 0, 0x8, 0x8603}},
    {"ice_lake_leaf_ah", MODEL_ICE_LAKE, 0xA, {0x08300805, 0, 0xF, 0x8604}},
    {"zen2_has_no_leaf_ah", MODEL_ZEN2, 0xA, {0, 0, 0, 0}},

    {"intel_has_no_extended_leaf", MODEL_INTEL_V4, 0x80000000,
        {0x80000000, 0, 0, 0}},
    {"k8_has_one_extended_leaf", MODEL_K8, 0x80000000, {0x80000001, 0, 0, 0}},
    {"zen2_has_one_extended_leaf", MODEL_ZEN2, 0x80000000,
        {0x80000001, 0, 0, 0}},
    {"zen4_has_perfmon_v2_s_leaf", MODEL_ZEN4, 0x80000000,
        {0x80000022, 0, 0, 0}},
    {"intel_has_no_core_extension", MODEL_INTEL_V4, 0x80000001, {0, 0, 0, 0}},
    {"k8_has_no_core_extension", MODEL_K8, 0x80000001, {0, 0, 0, 0}},
    {"zen2_has_the_core_extension", MODEL_ZEN2, 0x80000001,
        {0, 0, 0x00800000, 0}},
    {"zen4_has_the_core_extension", MODEL_ZEN4, 0x80000001,
        {0, 0, 0x00800000, 0}},
    {"intel_has_no_perfmon_v2", MODEL_INTEL_V4, 0x80000022, {0, 0, 0, 0}},
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
    assert_int_equal(out[1], 0x01000000);
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
