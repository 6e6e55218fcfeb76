/* test_alarm.c - when the machine's alarm comes, and what it starts. */
#include "sim/machine/machine.h"
#include "sim/machine/strand.h"
#include "tests/rows.h"

enum { RINGS = 8 };

/* A machine of two processors: on the first some code runs. */
struct scene {
    struct machine machine;
    struct machine_alarm alarm;
    uint64_t run[2];          /* cycles of each stretch; 0: none */
    uint64_t every;           /* 0: it rings once */
    uint64_t rung[RINGS];     /* what time it was */
    uint64_t started[RINGS];  /* of a strand that it has started there */
    uint64_t at_start[RINGS]; /* what the first processor had come to then */
    unsigned rings, starts;
};

static void note_start(void *argument)
{
    struct scene *scene = argument;

    scene->at_start[scene->starts] = machine_cpu(&scene->machine, 0)->time;
    scene->started[scene->starts++] = machine_cpu(&scene->machine, 1)->time;
}

static void note_ring(void *argument)
{
    struct scene *scene = argument;
    uint64_t now = scene->machine.now;

    assert_null(strand_current(&scene->machine));
    assert_true(scene->rings < RINGS);
    scene->rung[scene->rings++] = now;
    strand_spawn(machine_cpu(&scene->machine, 1), note_start, scene, NULL);
    if (scene->every > 0) {
        machine_set_alarm(&scene->machine, &scene->alarm, now + scene->every);
    }
}

static void run_code(void *argument)
{
    struct scene *scene = argument;
    struct cpu *cpu = machine_cpu(&scene->machine, 0);

    for (unsigned i = 0; i < 2 && scene->run[i] > 0; i++) {
        struct segment segment;

        segment_init(&segment, cpu->pmu.model, cpu_unhalted(cpu), scene->run[i],
            RING_KERNEL);
        cpu_run_segment(cpu, &segment);
    }
}

static struct alarm_row {
    const char *name;
    uint64_t run[2], at, every;
    unsigned want_rings;
    uint64_t want_rung[RINGS];
} alarm_rows[] = {
    {"in_the_middle_of_code", {1000, 0}, 400, 0, 1, {400}},
    {"at_its_end_others_come_first", {400, 0}, 400, 0, 0, {0}},
    {"a_cycle_before_its_end", {401, 0}, 400, 0, 1, {400}},
    {"between_two_stretches_the_later_waits", {400, 600}, 400, 0, 1, {400}},
    {"at_the_beginning", {1000, 0}, 0, 0, 1, {0}},
    {"behind_the_end_never", {1000, 0}, 1001, 0, 0, {0}},
    {"again_and_again", {1000, 0}, 300, 300, 3, {300, 600, 900}},
    {"without_code_never", {0, 0}, 10, 0, 0, {0}},
};

static void scene_init(struct scene *scene, const struct alarm_row *row)
{
    struct machine_config config = {
        .processors = 2, .groups = 1, .pmu = pmu_models[MODEL_INTEL_V2]};

    *scene =
        (struct scene){.run = {row->run[0], row->run[1]}, .every = row->every};
    assert_true(machine_reserve(&scene->machine));
    machine_reset(&scene->machine, &config);
    scene->alarm =
        (struct machine_alarm){.action = note_ring, .context = scene};
    machine_set_alarm(&scene->machine, &scene->alarm, row->at);
    strand_spawn(machine_cpu(&scene->machine, 0), run_code, scene, NULL);
}

static void alarm_row(void **state)
{
    const struct alarm_row *row = *state;
    struct scene scene;

    scene_init(&scene, row);
    assert_int_equal(machine_run(&scene.machine), MACHINE_IDLE);
    assert_int_equal(scene.rings, row->want_rings);
    assert_int_equal(scene.starts, row->want_rings);
    for (unsigned i = 0; i < row->want_rings; i++) {
        assert_int_equal(scene.rung[i], row->want_rung[i]);
        assert_int_equal(scene.started[i], row->want_rung[i]);
        assert_true(scene.at_start[i] <= row->want_rung[i]);
    }
    machine_release(&scene.machine);
}

static const struct alarm_row one = {
    .name = "", .run = {1000, 0}, .at = 1200, .every = 0};

static void one_that_has_not_come_comes_in_the_next_run(void **state)
{
    struct scene scene;

    (void)state;
    scene_init(&scene, &one);
    assert_int_equal(machine_run(&scene.machine), MACHINE_IDLE);
    assert_int_equal(scene.rings, 0);
    strand_spawn(machine_cpu(&scene.machine, 0), run_code, &scene, NULL);
    assert_int_equal(machine_run(&scene.machine), MACHINE_IDLE);
    assert_int_equal(scene.rings, 1);
    assert_int_equal(scene.started[0], 1200);
    machine_release(&scene.machine);
}

static void reset_forgets_it(void **state)
{
    struct scene scene;
    struct machine_config config;

    (void)state;
    scene_init(&scene, &one);
    config = scene.machine.config;
    machine_reset(&scene.machine, &config);
    scene.run[0] = 5000;
    strand_spawn(machine_cpu(&scene.machine, 0), run_code, &scene, NULL);
    assert_int_equal(machine_run(&scene.machine), MACHINE_IDLE);
    assert_int_equal(scene.rings, 0);
    machine_release(&scene.machine);
}

static void set_anew_it_comes_once(void **state)
{
    struct scene scene;

    (void)state;
    scene_init(&scene, &one);
    machine_set_alarm(&scene.machine, &scene.alarm, 500);
    assert_int_equal(machine_run(&scene.machine), MACHINE_IDLE);
    assert_int_equal(scene.rings, 1);
    assert_int_equal(scene.rung[0], 500);
    machine_release(&scene.machine);
}

static void spend_5000(void *argument)
{
    struct scene *scene = argument;

    cpu_spend(machine_cpu(&scene->machine, 0), 5000, 1);
}

/* On the other processor: what has rung by 100, and by 300. */
static void look_at_100_and_300(void *argument)
{
    struct scene *scene = argument;
    struct cpu *cpu = machine_cpu(&scene->machine, 1);

    cpu_spend(cpu, 100, 1);
    cpu_checkpoint(cpu);
    assert_int_equal(scene->rings, 0);
    cpu_spend(cpu, 200, 1);
    cpu_checkpoint(cpu);
    assert_int_equal(scene->rings, 1);
}

static void it_waits_for_code_that_is_behind_the_latest_time(void **state)
{
    struct scene scene;

    (void)state;
    scene_init(&scene, &(struct alarm_row){.at = 200});
    strand_spawn(machine_cpu(&scene.machine, 0), spend_5000, &scene, NULL);
    strand_spawn(
        machine_cpu(&scene.machine, 1), look_at_100_and_300, &scene, NULL);
    assert_int_equal(machine_run(&scene.machine), MACHINE_IDLE);
    assert_int_equal(scene.rings, 1);
    assert_int_equal(scene.rung[0], 200);
    assert_int_equal(scene.machine.now, 5000);
    machine_release(&scene.machine);
}

TEST_FILE(test_alarm)
{
    TEST_ADD_ROWS(list, alarm_row, alarm_rows);
    test_add(list, "one_that_has_not_come_comes_in_the_next_run",
        one_that_has_not_come_comes_in_the_next_run, NULL);
    test_add(list, "reset_forgets_it", reset_forgets_it, NULL);
    test_add(list, "set_anew_it_comes_once", set_anew_it_comes_once, NULL);
    test_add(list, "it_waits_for_code_that_is_behind_the_latest_time",
        it_waits_for_code_that_is_behind_the_latest_time, NULL);
}
