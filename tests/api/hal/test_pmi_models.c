/* test_pmi_models.c - the HAL's interrupt on each x86 PMU of models.def, and
 * what is special where there is no status, where counters freeze, and where
 * there is no PMU (pmu.md 1.3, 1.6). */
#include "api/hal/pmu.h"
#include "tests/api/core/allocation.h"
#include "tests/api/hal/overflow_scene.h"

/* How counter 0 is made to wrap 1,000 cycles of ring 3 after it starts. */
enum {
    V1,
    V2,
    V3,
    V4,
    V5,
    NEHALEM,
    SKYLAKE,
    ICE_LAKE,
    SAPPHIRE_RAPIDS,
    K8,
    ZEN2,
    ZEN4
};

static struct part {
    const char *name;
    enum model model;
    uint32_t select, counter, control; /* control 0: there is none */
    uint64_t on, preset;
} parts[] = {
    [V1] = {"intel_v1_serves_two_overflows", MODEL_INTEL_V1, 0x186, 0x0C1, 0,
        0x51003C, 0xFFFFFC18},
    [V2] = {"intel_v2_serves_two_overflows", MODEL_INTEL_V2, 0x186, 0x0C1,
        0x38F, 0x51003C, 0xFFFFFC18},
    [V3] = {"intel_v3_serves_two_overflows", MODEL_INTEL_V3, 0x186, 0x0C1,
        0x38F, 0x51003C, 0xFFFFFC18},
    [V4] = {"intel_v4_serves_two_overflows", MODEL_INTEL_V4, 0x186, 0x4C1,
        0x38F, 0x51003C, 0xFFFFFFFFFC18},
    [V5] = {"intel_v5_serves_two_overflows", MODEL_INTEL_V5, 0x186, 0x4C1,
        0x38F, 0x51003C, 0xFFFFFFFFFC18},
    [NEHALEM] = {"nehalem_serves_two_overflows", MODEL_NEHALEM, 0x186, 0x0C1,
        0x38F, 0x51003C, 0xFFFFFC18},
    [SKYLAKE] = {"skylake_serves_two_overflows", MODEL_SKYLAKE, 0x186, 0x4C1,
        0x38F, 0x51003C, 0xFFFFFFFFFC18},
    [ICE_LAKE] = {"ice_lake_serves_two_overflows", MODEL_ICE_LAKE, 0x186, 0x4C1,
        0x38F, 0x51003C, 0xFFFFFFFFFC18},
    [SAPPHIRE_RAPIDS] = {"sapphire_rapids_serves_two_overflows",
        MODEL_SAPPHIRE_RAPIDS, 0x186, 0x4C1, 0x38F, 0x51003C, 0xFFFFFFFFFC18},
    [K8] = {"k8_serves_two_overflows", MODEL_K8, 0xC0010000, 0xC0010004, 0,
        0x510076, 0xFFFFFFFFFC18},
    [ZEN2] = {"zen2_serves_two_overflows", MODEL_ZEN2, 0xC0010200, 0xC0010201,
        0, 0x510076, 0xFFFFFFFFFC18},
    [ZEN4] = {"zen4_serves_two_overflows", MODEL_ZEN4, 0xC0010200, 0xC0010201,
        0xC0000301, 0x510076, 0xFFFFFFFFFC18},
};

static void init(struct scene *scene, const struct part *part)
{
    scene_init_model(scene, &pmu_models[part->model]);
    scene_grant(scene, 0x1, 0x3, true);
}

static void start(struct cpu *cpu, const struct part *part)
{
    msr_write(cpu, part->select, 0);
    msr_write(cpu, part->counter, part->preset);
    msr_write(cpu, part->select, part->on);
    if (part->control != 0) {
        msr_write(cpu, part->control, 0x1);
    }
}

/* A driver's code; its argument. */
struct work {
    struct scene *scene;
    const struct part *part;
};

static void overflow_twice(void *argument)
{
    const struct work *work = argument;
    struct cpu *cpu = kernel_cpu(&work->scene->booted.kernel);

    start(cpu, work->part);
    scene_run_cycles(cpu, 2000);
    start(cpu, work->part);
    scene_run_cycles(cpu, 2000);
}

/* Two overflows, two calls; everything is as before the first. */
static void part_row(void **state)
{
    const struct part *part = *state;
    struct scene scene;
    struct work work = {&scene, part};

    init(&scene, part);
    booted_run(&scene.booted, 0, overflow_twice, &work);
    assert_int_equal(scene.runs, 2);
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(scene.run[i].bits, 0x1);
        assert_int_equal(scene.run[i].irql, 15);
        assert_int_equal(scene.run[i].status, 0);
    }
    assert_int_equal(scene_peek(&scene, 0, 0x834), 0xFE);
    assert_int_equal(booted_cpu(&scene.booted, 0)->pmu.global_status, 0);
    assert_int_equal(scene.booted.kernel.rules.count, 0);
    scene_release(&scene);
}

static void overflow_once(void *argument)
{
    const struct work *work = argument;
    struct cpu *cpu = kernel_cpu(&work->scene->booted.kernel);

    start(cpu, work->part);
    scene_run_cycles(cpu, 2000);
}

/* The first call loads counter 0 so that it wraps 50 cycles of ring 0 later,
 * while the HAL is still about the first interrupt. The second one stops it. */
static void reload_for_the_kernel(
    struct scene *scene, struct cpu *cpu, const struct part *part)
{
    msr_write(cpu, part->select, 0);
    if (scene->runs == 1) {
        msr_write(cpu, part->counter, part->preset + 950);
        msr_write(cpu, part->select, part->on | 0x20000);
    }
}

static void reload_v1(struct scene *scene, struct cpu *cpu)
{
    reload_for_the_kernel(scene, cpu, &parts[V1]);
}

static void reload_k8(struct scene *scene, struct cpu *cpu)
{
    reload_for_the_kernel(scene, cpu, &parts[K8]);
}

static struct reload_row {
    const char *name;
    unsigned part;
    void (*also)(struct scene *scene, struct cpu *cpu);
} reload_rows[] = {
    {"overflow_during_the_service_is_served_on_v1", V1, reload_v1},
    {"overflow_during_the_service_is_served_on_k8", K8, reload_k8},
};

static void reload_row(void **state)
{
    const struct reload_row *row = *state;
    struct scene scene;
    struct work work = {&scene, &parts[row->part]};

    init(&scene, work.part);
    scene.also = row->also;
    booted_run(&scene.booted, 0, overflow_once, &work);
    assert_int_equal(scene.runs, 2);
    assert_int_equal(scene.run[1].bits, 0x1);
    scene_release(&scene);
}

/* Counter 0 wraps and counts on; then counter 1 of K8 wraps. */
static void overflow_the_other(void *argument)
{
    const struct work *work = argument;
    struct cpu *cpu = kernel_cpu(&work->scene->booted.kernel);

    overflow_once(argument);
    msr_write(cpu, 0xC0010005, 0xFFFFFFFFFC18);
    msr_write(cpu, 0xC0010001, 0x510076);
    scene_run_cycles(cpu, 2000);
}

/* It looks as if it had overflowed again: once an interrupt. PMU-AMD-08 */
static void counter_that_nobody_reloads_is_served_by_each_interrupt(
    void **state)
{
    struct scene scene;
    struct work work = {&scene, &parts[K8]};

    (void)state;
    init(&scene, &parts[K8]);
    scene_grant(&scene, 0x2, 0x3, true);
    booted_run(&scene.booted, 0, overflow_the_other, &work);
    assert_int_equal(scene.runs, 3);
    assert_int_equal(scene.run[0].bits, 0x1);
    assert_int_equal(scene.run[1].bits, 0x1);
    assert_int_equal(scene.run[2].bits, 0x2);
    scene_release(&scene);
}

static void overflow_frozen(void *argument)
{
    const struct work *work = argument;
    struct cpu *cpu = kernel_cpu(&work->scene->booted.kernel);

    msr_write(cpu, 0x1D9, 0x1800);
    overflow_once(argument);
}

/* What the PMI froze: the handler's view of the status, and all registers
 * afterwards; the counter goes on where it may. It froze 30 cycles behind its
 * wrap, and the segment has 1,000 left then, 10 of them before the handler. */
static struct freeze_row {
    const char *name;
    unsigned part;
    uint64_t want_seen, want_control, want_value;
} freeze_rows[] = {
    /* PMU-OVF-05b, PMU-BEH-11 */
    {"enables_that_v2_has_cleared_are_the_driver_s_to_set", V2, 0, 0, 30},
    /* PMU-OVF-05c, PMU-OVF-05d, PMU-BEH-11 */
    {"v4_counts_on_when_the_handlers_have_returned", V4, 0xC00000000000000, 0x1,
        990},
    {"perfmon_v2_counts_on_when_the_handlers_have_returned", ZEN4,
        0xC00000000000000, 0x1, 990},
};

static void freeze_row(void **state)
{
    const struct freeze_row *row = *state;
    const struct part *part = &parts[row->part];
    struct scene scene;
    struct work work = {&scene, part};

    init(&scene, part);
    booted_run(&scene.booted, 0, overflow_frozen, &work);
    assert_int_equal(scene.runs, 1);
    assert_int_equal(scene.run[0].status, row->want_seen);
    assert_int_equal(booted_cpu(&scene.booted, 0)->pmu.global_status, 0);
    assert_int_equal(scene_peek(&scene, 0, part->control), row->want_control);
    assert_int_equal(scene_peek(&scene, 0, part->counter), row->want_value);
    scene_release(&scene);
}

static void overflow_beside_the_buffer(void *argument)
{
    const struct work *work = argument;

    msr_write(
        kernel_cpu(&work->scene->booted.kernel), 0x391, 0x4000000000000000);
    overflow_once(argument);
}

/* PMU-OVF-07d */
static void bit_62_is_left_to_its_owner_and_does_not_hold_the_hal_up(
    void **state)
{
    struct scene scene;
    struct work work = {&scene, &parts[V4]};

    (void)state;
    init(&scene, &parts[V4]);
    booted_run(&scene.booted, 0, overflow_beside_the_buffer, &work);
    assert_int_equal(scene.runs, 1);
    assert_int_equal(scene.run[0].bits, 0x1);
    assert_int_equal(scene.run[0].status, 0x4000000000000000);
    assert_int_equal(scene_peek(&scene, 0, 0x38E), 0x4000000000000000);
    assert_int_equal(scene_peek(&scene, 0, 0x834), 0xFE);
    scene_release(&scene);
}

/* An interrupt on the PMI's vector that somebody else has sent. */
static void send_vector(void *argument)
{
    const struct work *work = argument;
    struct cpu *cpu = kernel_cpu(&work->scene->booted.kernel);

    msr_write(cpu, 0x830, 0x440FE); /* to itself */
    cpu_settle(cpu);
}

static struct sent_row {
    const char *name;
    enum model model;
    uint64_t want_lvtpc;
} sent_rows[] = {
    {"vector_that_was_sent_without_a_pmu_finds_nothing", MODEL_NONE, 0x10000},
    {"vector_that_was_sent_on_v1_finds_nothing", MODEL_INTEL_V1, 0xFE},
    {"vector_that_was_sent_on_v4_finds_nothing", MODEL_INTEL_V4, 0xFE},
    {"vector_that_was_sent_on_zen2_finds_nothing", MODEL_ZEN2, 0xFE},
};

static void sent_row(void **state)
{
    const struct sent_row *row = *state;
    struct scene scene;
    struct work work = {&scene, NULL};

    scene_init_model(&scene, &pmu_models[row->model]);
    scene_grant(&scene, 0x1, 0x3, true);
    booted_run(&scene.booted, 0, send_vector, &work);
    assert_int_equal(scene.runs, 0);
    assert_int_equal(booted_cpu(&scene.booted, 0)->taken, 1);
    assert_int_equal(scene_peek(&scene, 0, 0x834), row->want_lvtpc);
    scene_release(&scene);
}

/* HAL-ALLOC-56c [C]: a list meets an empty index map. */
static void without_a_pmu_it_is_given_as_a_whole_and_not_by_a_list(void **state)
{
    static const PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR counter_0[] = {SINGLE(0)};
    struct booted_kernel booted;
    uint64_t handle;

    (void)state;
    booted_init_model(&booted, &pmu_models[MODEL_NONE]);
    assert_int_equal(booted.kernel.pmu->counters, 0);
    assert_int_equal(allocate(&booted, counter_0, 1, &handle), 0xC000000D);
    assert_int_equal(allocate(&booted, NULL, 0, &handle), 0x00000000);
    assert_int_equal(allocate(&booted, NULL, 0, &handle), 0xC000009A);
    booted_release(&booted);
}

TEST_FILE(test_pmi_models)
{
    TEST_ADD_ROWS(list, part_row, parts);
    TEST_ADD_ROWS(list, reload_row, reload_rows);
    TEST_ADD_ROWS(list, freeze_row, freeze_rows);
    TEST_ADD_ROWS(list, sent_row, sent_rows);
    test_add(list, "counter_that_nobody_reloads_is_served_by_each_interrupt",
        counter_that_nobody_reloads_is_served_by_each_interrupt, NULL);
    test_add(list, "bit_62_is_left_to_its_owner_and_does_not_hold_the_hal_up",
        bit_62_is_left_to_its_owner_and_does_not_hold_the_hal_up, NULL);
    test_add(list, "without_a_pmu_it_is_given_as_a_whole_and_not_by_a_list",
        without_a_pmu_it_is_given_as_a_whole_and_not_by_a_list, NULL);
}
