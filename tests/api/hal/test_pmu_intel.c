/* test_pmu_intel.c - what the HAL knows of the registers: which counters there
 * are, which overflowed, which run, and what a write programs. */
#include "api/hal/pmu.h"
#include "tests/api/hal/overflow_scene.h"

static struct map_row {
    const char *name;
    uint8_t general, fixed;
    uint64_t want;
} map_rows[] = {
    {"eight_gp_and_three_fixed_counters", 8, 3, 0x7000000FF},
    {"four_gp_counters_alone", 4, 0, 0xF},
    {"one_gp_and_one_fixed_counter", 1, 1, 0x100000001},
};

/* Each Intel row of models.def. */
static struct model_row {
    const char *name;
    enum model model;
    uint64_t want;
    unsigned want_width;
    bool want_latches;
} model_rows[] = {
    {"v1_has_two_gp_counters_of_40_bits_and_no_status", MODEL_INTEL_V1, 0x3, 40,
        false},
    {"v2_has_fixed_counters_and_a_status", MODEL_INTEL_V2, 0x7000000FF, 48,
        true},
    {"v3_has_what_v2_has", MODEL_INTEL_V3, 0x7000000FF, 48, true},
    {"v4_has_what_v3_has", MODEL_INTEL_V4, 0x7000000FF, 48, true},
    {"v5_has_the_fixed_counters_of_its_bitmap_as_well", MODEL_INTEL_V5,
        0xF000000FF, 48, true},
    {"nehalem_has_four_gp_counters", MODEL_NEHALEM, 0x70000000F, 48, true},
    {"skylake_has_four_gp_counters", MODEL_SKYLAKE, 0x70000000F, 48, true},
    {"ice_lake_has_four_fixed_counters", MODEL_ICE_LAKE, 0xF000000FF, 48, true},
    {"sapphire_rapids_has_four_fixed_counters", MODEL_SAPPHIRE_RAPIDS,
        0xF000000FF, 48, true},
};

/* What the HAL finds on a processor of this model. */
static struct hal_pmu find(const struct pmu_model *model)
{
    struct machine machine = {.trace = {.off = true}};
    struct hal_pmu pmu;
    struct cpu cpu;

    cpu_init(&cpu, &machine, 0, model, NULL);
    hal_pmu_find(&pmu, &cpu);
    return pmu;
}

static void map_row(void **state)
{
    const struct map_row *row = *state;
    struct pmu_model model = pmu_models[MODEL_INTEL_V2];

    model.general = row->general;
    model.fixed = row->fixed;
    assert_int_equal(find(&model).counters, row->want);
}

static void model_row(void **state)
{
    const struct model_row *row = *state;
    struct hal_pmu pmu = find(&pmu_models[row->model]);

    assert_int_equal(pmu.counters, row->want);
    assert_int_equal(pmu.width, row->want_width);
    assert_int_equal(pmu.latches, row->want_latches);
}

/* Fixed counters 0 and 2. */
static void gap_in_the_bitmap_of_fixed_counters_is_a_gap_in_the_map(
    void **state)
{
    struct pmu_model model = pmu_models[MODEL_INTEL_V5];

    (void)state;
    model.fixed = 1;
    model.fixed_map = 0x4;
    assert_int_equal(find(&model).counters, 0x5000000FF);
}

static void pmu_that_is_missing_has_no_indexes(void **state)
{
    (void)state;
    assert_int_equal(find(&pmu_models[MODEL_NONE]).counters, 0);
}

static uint64_t overflowed(const struct scene *scene, struct cpu *cpu)
{
    const struct hal_pmu *pmu = scene->booted.kernel.pmu;

    return pmu->row->overflowed(pmu, cpu);
}

/* Counters 0 and 1 and fixed counter 1 wrap while LVTPC is masked, so that
 * nobody takes the interrupt. */
static struct overflow_row {
    const char *name;
    uint64_t counters, interrupting, want;
} overflow_rows[] = {
    {"overflow_that_interrupts_is_seen", 0x1, 0x1, 0x1},
    {"overflow_that_does_not_interrupt_is_left_alone", 0x1, 0x0, 0x0},
    {"only_those_that_interrupt_are_seen", 0x3, 0x2, 0x2},
    {"fixed_overflow_that_interrupts_is_seen", 0x200000000, 0x200000000,
        0x200000000},
    {"fixed_overflow_that_does_not_interrupt_is_left_alone", 0x200000000, 0x0,
        0x0},
    {"nothing_that_overflowed_is_nothing", 0x0, 0x0, 0x0},
};

static void overflow_row(void **state)
{
    const struct overflow_row *row = *state;
    struct scene scene;
    struct cpu *cpu;

    scene_init(&scene);
    cpu = booted_cpu(&scene.booted, 0);
    msr_write(cpu, 0x834, 0x10000);
    scene_overflow(cpu, row->counters, row->interrupting);
    assert_int_equal(cpu->pmu.global_status, row->counters);
    assert_int_equal(overflowed(&scene, cpu), row->want);
    scene_release(&scene);
}

static void clear_clears_exactly_these_bits(void **state)
{
    struct scene scene;
    struct cpu *cpu;

    (void)state;
    scene_init(&scene);
    cpu = booted_cpu(&scene.booted, 0);
    msr_write(cpu, 0x834, 0x10000);
    scene_overflow(cpu, 0x7, 0x7);
    scene.booted.kernel.pmu->row->clear(scene.booted.kernel.pmu, cpu, 0x5);
    assert_int_equal(cpu->pmu.global_status, 0x2);
    scene_release(&scene);
}

static void arm_opens_the_interrupt_on_the_vector(void **state)
{
    struct scene scene;

    (void)state;
    scene_init(&scene);
    scene.booted.kernel.pmu->row->arm(booted_cpu(&scene.booted, 1), 0xD3);
    assert_int_equal(scene_peek(&scene, 1, 0x834), 0xD3);
    scene_release(&scene);
}

/* The registers that start counters, and those that run then. */
static struct running_row {
    const char *name;
    uint64_t select_0, select_7, fixed, global, want;
} running_rows[] = {
    {"nothing_runs_after_reset", 0, 0, 0, 0xFF, 0},
    {"gp_counter_runs", 0x4100C0, 0, 0, 0xFF, 0x1},
    {"last_gp_counter_runs", 0, 0x4200C0, 0, 0xFF, 0x80},
    {"counter_that_is_off_globally_does_not_run", 0x4100C0, 0x4100C0, 0, 0x1,
        0x1},
    {"fixed_counters_run", 0, 0, 0x301, 0x7000000FF, 0x500000000},
    {"gp_and_fixed_counters_run", 0x4300C0, 0, 0x020, 0x2000000FF, 0x200000001},
};

static void running_row(void **state)
{
    const struct running_row *row = *state;
    struct scene scene;
    struct cpu *cpu;
    uint64_t before;

    scene_init(&scene);
    cpu = booted_cpu(&scene.booted, 0);
    msr_write(cpu, 0x186, row->select_0);
    msr_write(cpu, 0x18D, row->select_7);
    msr_write(cpu, 0x38D, row->fixed);
    msr_write(cpu, 0x38F, row->global);
    before = cpu->time;
    assert_int_equal(hal_pmu_running(scene.booted.kernel.pmu, cpu), row->want);
    assert_int_equal(cpu->time, before); /* an observer costs nothing */
    scene_release(&scene);
}

/* Fixed counter 0 was set to count ring 0 before. */
static struct program_row {
    const char *name;
    uint32_t address;
    uint64_t value, want;
} program_rows[] = {
    {"value_of_the_first_counter", 0x0C1, 0, 0x1},
    {"value_of_the_last_counter", 0x0C8, 0, 0x80},
    {"register_behind_the_last_counter", 0x0C9, 0, 0},
    {"register_before_the_first_counter", 0x0C0, 0, 0},
    {"select_that_enables", 0x187, 0x4100C0, 0x2},
    {"select_that_changes_a_counter_that_stays_off", 0x187, 0x0100C0, 0x2},
    {"select_that_stays_off_as_it_was", 0x187, 0, 0},
    {"value_of_a_fixed_counter", 0x30B, 0, 0x400000000},
    {"register_behind_the_last_fixed_counter", 0x30C, 0, 0},
    {"control_that_changes_one_field", 0x38D, 0x021, 0x200000000},
    {"control_that_changes_all_fields", 0x38D, 0x330, 0x700000000},
    {"control_that_changes_nothing", 0x38D, 0x001, 0},
    {"global_control", 0x38F, 0xFF, 0},
    {"lvtpc", 0x834, 0xFE, 0},
    {"unknown_register", 0xFFFFFFFF, 0, 0},
};

static void program_row(void **state)
{
    const struct program_row *row = *state;
    struct scene scene;
    struct cpu *cpu;

    scene_init(&scene);
    cpu = booted_cpu(&scene.booted, 0);
    msr_write(cpu, 0x38D, 0x001);
    assert_int_equal(hal_pmu_programs(scene.booted.kernel.pmu, cpu,
                         row->address, row->value),
        row->want);
    scene_release(&scene);
}

/* Registers that version 2 lacks. */
static struct programs_row versions_rows[] = {
    {"whole_value_of_the_last_counter", MODEL_INTEL_V4, 0x4C8, 0, 0x80},
    {"register_behind_the_whole_values", MODEL_INTEL_V4, 0x4C9, 0, 0},
    {"whole_value_without_the_capability", MODEL_INTEL_V3, 0x4C1, 0, 0},
    {"value_of_a_fixed_counter_of_the_bitmap", MODEL_INTEL_V5, 0x30C, 0,
        0x800000000},
    {"field_of_a_fixed_counter_of_the_bitmap", MODEL_INTEL_V5, 0x38D, 0x1000,
        0x800000000},
    {"second_select_of_version_1", MODEL_INTEL_V1, 0x187, 0x4100C0, 0x2},
    {"select_behind_those_of_version_1", MODEL_INTEL_V1, 0x188, 0x4100C0, 0},
    {"fixed_counter_in_version_1", MODEL_INTEL_V1, 0x309, 0, 0},
    {"fixed_control_in_version_1", MODEL_INTEL_V1, 0x38D, 0x1, 0},
    {"counter_of_amd_on_intel", MODEL_INTEL_V4, 0xC0010004, 0, 0},
    {"counter_without_a_pmu", MODEL_NONE, 0x0C1, 0, 0},
};

/* Versions 1 to 3 freeze without a bit of the status. */
static struct frozen_row {
    const char *name;
    enum model model;
    uint64_t want;
} frozen_rows[] = {
    {"frozen_counters_of_version_4_are_told", MODEL_INTEL_V4,
        0x4C00000000000000},
    {"frozen_counters_of_version_5_are_told", MODEL_INTEL_V5,
        0x4C00000000000000},
};

/* With them the DS buffer's bit, which the HAL serves where the buffer is its
 * own. */
static void frozen_row(void **state)
{
    const struct frozen_row *row = *state;
    struct scene scene;
    struct cpu *cpu;

    scene_init_model(&scene, &pmu_models[row->model]);
    cpu = booted_cpu(&scene.booted, 0);
    msr_write(cpu, 0x391, 0x4C00000000000000);
    assert_int_equal(overflowed(&scene, cpu), row->want);
    scene_release(&scene);
}

TEST_FILE(test_pmu_intel)
{
    TEST_ADD_ROWS(list, model_row, model_rows);
    TEST_ADD_ROWS(list, programs_row, versions_rows);
    TEST_ADD_ROWS(list, frozen_row, frozen_rows);
    test_add(list, "gap_in_the_bitmap_of_fixed_counters_is_a_gap_in_the_map",
        gap_in_the_bitmap_of_fixed_counters_is_a_gap_in_the_map, NULL);
    TEST_ADD_ROWS(list, map_row, map_rows);
    TEST_ADD_ROWS(list, overflow_row, overflow_rows);
    TEST_ADD_ROWS(list, running_row, running_rows);
    TEST_ADD_ROWS(list, program_row, program_rows);
    test_add(list, "pmu_that_is_missing_has_no_indexes",
        pmu_that_is_missing_has_no_indexes, NULL);
    test_add(list, "clear_clears_exactly_these_bits",
        clear_clears_exactly_these_bits, NULL);
    test_add(list, "arm_opens_the_interrupt_on_the_vector",
        arm_opens_the_interrupt_on_the_vector, NULL);
}
