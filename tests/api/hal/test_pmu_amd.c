/* test_pmu_amd.c - what the HAL knows of AMD's registers: which counters there
 * are, which overflowed, which run, and what a write programs (pmu.md 1.6). */
#include "api/hal/pmu.h"
#include "tests/api/hal/overflow_scene.h"

/* What the HAL finds on a processor of this model. */
static struct hal_pmu find(const struct pmu_model *model)
{
    struct machine machine = {.trace = {.off = true}};
    struct msr_map map = {.slot = {{0}}};
    struct hal_pmu pmu;
    struct cpu cpu;

    msr_map_init(&map, model);
    cpu_init(&cpu, &machine, 0, model, &map);
    hal_pmu_find(&pmu, &cpu);
    return pmu;
}

/* `general` 0: the model's. PMU-AMD-02a, PMU-AMD-06a, PMU-AMD-06b */
static struct map_row {
    const char *name;
    enum model model;
    unsigned general;
    uint64_t want;
    bool want_latches;
} map_rows[] = {
    {"k7_has_four_counters", MODEL_K8, 0, 0xF, false},
    {"core_extension_has_six_counters", MODEL_ZEN2, 0, 0x3F, false},
    {"core_extension_has_those_that_can_be_read", MODEL_ZEN2, 4, 0xF, false},
    {"perfmon_v2_has_six_counters", MODEL_ZEN4, 0, 0x3F, true},
    {"perfmon_v2_has_as_many_as_it_says", MODEL_ZEN4, 5, 0x1F, true},
};

static void map_row(void **state)
{
    const struct map_row *row = *state;
    struct pmu_model model = pmu_models[row->model];
    struct hal_pmu pmu;

    model.general = row->general == 0 ? model.general : row->general;
    pmu = find(&model);
    assert_int_equal(pmu.counters, row->want);
    assert_int_equal(pmu.width, 48);
    assert_int_equal(pmu.latches, row->want_latches);
}

static void amd_without_a_pmu_has_no_indexes(void **state)
{
    struct pmu_model model = pmu_models[MODEL_K8];

    (void)state;
    model.version = 0;
    model.general = 0;
    assert_int_equal(find(&model).counters, 0);
}

/* Counter 1's select and value. PMU-AMD-08 */
static struct overflow_row {
    const char *name;
    enum model model;
    uint64_t select, value, want;
} overflow_rows[] = {
    {"top_bit_that_is_set_has_not_overflowed", MODEL_K8, 0x510076,
        0x800000000000, 0},
    {"top_bit_that_is_clear_has_overflowed", MODEL_K8, 0x510076, 0x7FFFFFFFFFFF,
        0x2},
    {"zero_has_overflowed", MODEL_ZEN2, 0x510076, 0, 0x2},
    {"last_value_has_not_overflowed", MODEL_ZEN2, 0x510076, 0xFFFFFFFFFFFF, 0},
    {"counter_that_asks_for_no_interrupt_is_not_looked_at", MODEL_K8, 0x410076,
        0, 0},
    {"counter_that_is_off_is_not_looked_at", MODEL_K8, 0x110076, 0, 0},
    {"perfmon_v2_asks_the_status_and_no_counter", MODEL_ZEN4, 0x510076, 0, 0},
};

static uint64_t overflowed(const struct scene *scene, struct cpu *cpu)
{
    const struct hal_pmu *pmu = scene->booted.kernel.pmu;

    return pmu->row->overflowed(pmu, cpu);
}

static void overflow_row(void **state)
{
    const struct overflow_row *row = *state;
    struct scene scene;
    struct cpu *cpu;

    scene_init_model(&scene, &pmu_models[row->model]);
    cpu = booted_cpu(&scene.booted, 0);
    msr_write(cpu, 0xC0010005, row->value);
    msr_write(cpu, 0xC0010001, row->select);
    assert_int_equal(overflowed(&scene, cpu), row->want);
    scene_release(&scene);
}

/* Counter 0 asks for interrupts, counter 1 is polled. */
static struct status_row {
    const char *name;
    uint64_t status, want;
} status_rows[] = {
    {"status_of_a_counter_that_interrupts", 0x1, 0x1},
    {"status_of_a_counter_that_is_polled", 0x2, 0},
    {"status_of_a_counter_that_is_off", 0x20, 0x20},
    {"freezes_of_the_status", 0x0C00000000000001, 0x0C00000000000001},
};

static void status_row(void **state)
{
    const struct status_row *row = *state;
    struct scene scene;
    struct cpu *cpu;

    scene_init_model(&scene, &pmu_models[MODEL_ZEN4]);
    cpu = booted_cpu(&scene.booted, 0);
    msr_write(cpu, 0xC0010200, 0x510076);
    msr_write(cpu, 0xC0010202, 0x410076);
    msr_write(cpu, 0xC0000303, row->status);
    assert_int_equal(overflowed(&scene, cpu), row->want);
    scene_release(&scene);
}

static void clear_clears_exactly_these_bits(void **state)
{
    struct scene scene;
    struct cpu *cpu;

    (void)state;
    scene_init_model(&scene, &pmu_models[MODEL_ZEN4]);
    cpu = booted_cpu(&scene.booted, 0);
    msr_write(cpu, 0xC0000303, 0x7);
    scene.booted.kernel.pmu->row->clear(scene.booted.kernel.pmu, cpu, 0x5);
    assert_int_equal(scene_peek(&scene, 0, 0xC0000300), 0x2);
    scene_release(&scene);
}

static void clear_without_a_status_touches_no_register(void **state)
{
    struct scene scene;
    struct cpu *cpu;
    uint64_t before;

    (void)state;
    scene_init_model(&scene, &pmu_models[MODEL_ZEN2]);
    cpu = booted_cpu(&scene.booted, 0);
    before = cpu->time;
    scene.booted.kernel.pmu->row->clear(scene.booted.kernel.pmu, cpu, 0x5);
    assert_int_equal(cpu->time, before);
    scene_release(&scene);
}

static struct disable_row {
    const char *name;
    enum model model;
    uint32_t select; /* of counter 3 */
} disable_rows[] = {
    {"disable_on_k7", MODEL_K8, 0xC0010003},
    {"disable_on_the_core_extension", MODEL_ZEN2, 0xC0010206},
    {"disable_on_perfmon_v2", MODEL_ZEN4, 0xC0010206},
};

static void disable_row(void **state)
{
    const struct disable_row *row = *state;
    struct scene scene;
    const struct hal_pmu *pmu;
    struct cpu *cpu;

    scene_init_model(&scene, &pmu_models[row->model]);
    pmu = scene.booted.kernel.pmu;
    cpu = booted_cpu(&scene.booted, 0);
    msr_write(cpu, row->select, 0x530076);
    assert_int_equal(hal_pmu_running(pmu, cpu), 0x8);
    pmu->row->disable(pmu, cpu, 0x8);
    assert_int_equal(hal_pmu_running(pmu, cpu), 0);
    assert_int_equal(scene_peek(&scene, 0, row->select), 0x130076);
    scene_release(&scene);
}

/* Both addresses of the first four counters. PMU-AMD-01, PMU-AMD-02b */
static struct programs_row program_rows[] = {
    {"k7_value_of_the_first_counter", MODEL_K8, 0xC0010004, 0, 0x1},
    {"k7_value_of_the_last_counter", MODEL_K8, 0xC0010007, 0, 0x8},
    {"k7_register_behind_the_last_counter", MODEL_K8, 0xC0010008, 0, 0},
    {"k7_select_that_enables", MODEL_K8, 0xC0010003, 0x410076, 0x8},
    {"k7_select_that_stays_off_as_it_was", MODEL_K8, 0xC0010003, 0, 0},
    {"k7_has_no_core_select", MODEL_K8, 0xC0010200, 0x410076, 0},
    {"k7_has_no_core_counter", MODEL_K8, 0xC0010201, 0, 0},
    {"core_value_of_the_first_counter", MODEL_ZEN2, 0xC0010201, 0, 0x1},
    {"core_value_of_the_last_counter", MODEL_ZEN2, 0xC001020B, 0, 0x20},
    {"core_register_behind_the_last_counter", MODEL_ZEN2, 0xC001020D, 0, 0},
    {"core_select_that_enables", MODEL_ZEN2, 0xC001020A, 0x410076, 0x20},
    {"core_register_behind_the_last_select", MODEL_ZEN2, 0xC001020C, 0x410076,
        0},
    {"core_value_by_its_old_address", MODEL_ZEN2, 0xC0010007, 0, 0x8},
    {"core_select_by_its_old_address", MODEL_ZEN4, 0xC0010001, 0x410076, 0x2},
    {"select_that_changes_a_counter_that_stays_off", MODEL_ZEN4, 0xC0010202,
        0x010076, 0x2},
    {"select_of_dropped_bits_alone", MODEL_ZEN4, 0xC0010202, 0xFFFFFCF000280000,
        0},
    {"global_control", MODEL_ZEN4, 0xC0000301, 0x3F, 0},
    {"counter_of_intel_on_amd", MODEL_ZEN4, 0x0C1, 0, 0},
};

TEST_FILE(test_pmu_amd)
{
    TEST_ADD_ROWS(list, map_row, map_rows);
    TEST_ADD_ROWS(list, overflow_row, overflow_rows);
    TEST_ADD_ROWS(list, status_row, status_rows);
    TEST_ADD_ROWS(list, disable_row, disable_rows);
    TEST_ADD_ROWS(list, programs_row, program_rows);
    test_add(list, "amd_without_a_pmu_has_no_indexes",
        amd_without_a_pmu_has_no_indexes, NULL);
    test_add(list, "clear_clears_exactly_these_bits",
        clear_clears_exactly_these_bits, NULL);
    test_add(list, "clear_without_a_status_touches_no_register",
        clear_without_a_status_touches_no_register, NULL);
}
