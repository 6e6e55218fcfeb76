/* test_settle.c - where code goes on, what interrupts have closed is closed to
 * the host; between interrupts of one segment it is not. */
#define _POSIX_C_SOURCE 200809L
#include "sim/machine/machine.h"
#include "sim/machine/strand.h"
#include "tests/rows.h"
#include "tests/sim/base/host_byte.h"

enum { VECTOR = 0x40, CYCLES_INT = 0x51003C /* EN, INT, USR, core cycles */ };

/* A machine of two processors whose interrupts open a page and close it. */
struct scene {
    struct machine machine;
    uint8_t *page;
    unsigned taken;
    bool spawns;        /* the interrupt starts a strand on processor 1 */
    bool kept;          /* open to the host at the second interrupt */
    bool open_behind;   /* where the interrupted code went on */
    bool open_on_other; /* where the strand began */
    uint64_t other_began;
};

static void look(void *argument)
{
    struct scene *scene = argument;

    scene->open_on_other = host_byte_is_open(scene->page);
    scene->other_began = machine_cpu(&scene->machine, 0)->time;
}

/* The next PMI comes 1,000 cycles later. */
static void interrupt(void *context, struct cpu *cpu, uint8_t vector)
{
    struct scene *scene = context;

    (void)vector;
    scene->kept |= scene->taken > 0 && host_byte_is_open(scene->page);
    scene->taken++;
    memory_set(&scene->machine.memory, scene->page, 1,
        MEMORY_READ | MEMORY_WRITE, false);
    memory_close_late(&scene->machine.memory, scene->page, 1);
    pmu_set_value(&cpu->pmu, 0, 0xFFFFFFFFFC18);
    cpu->lapic.lvtpc = 0xFE;
    lapic_eoi(&cpu->lapic);
    if (scene->spawns) {
        strand_spawn(machine_cpu(&scene->machine, 1), look, scene, NULL);
        scene->spawns = false;
    }
}

static void scene_init(struct scene *scene)
{
    const struct machine_config config = {
        .processors = 2, .groups = 1, .pmu = pmu_models[MODEL_INTEL_V2]};

    *scene = (struct scene){.taken = 0};
    assert_true(machine_reserve(&scene->machine));
    machine_reset(&scene->machine, &config);
    machine_on_interrupt(&scene->machine, interrupt, scene);
    scene->page = memory_alloc(&scene->machine.memory, MEMORY_PAGE_BYTES, 0);
    assert_non_null(scene->page);
}

/* Three PMIs. */
static void run_segment(void *argument)
{
    struct scene *scene = argument;
    struct cpu *cpu = machine_cpu(&scene->machine, 0);
    struct segment segment;

    cpu->lapic.lvtpc = 0xFE;
    pmu_set_value(&cpu->pmu, 0, 0xFFFFFFFFFC18);
    pmu_set_select(&cpu->pmu, 0, CYCLES_INT);
    segment_init(&segment, cpu->pmu.model, cpu_unhalted(cpu), 3500, RING_USER);
    cpu_run_segment(cpu, &segment);
    scene->open_behind = host_byte_is_open(scene->page);
}

static void stall(void *argument)
{
    struct scene *scene = argument;
    struct cpu *cpu = machine_cpu(&scene->machine, 0);

    cpu_send(cpu, VECTOR, cpu->time);
    cpu_stall(cpu, 100);
    scene->open_behind = host_byte_is_open(scene->page);
}

static void pass_a_point(void *argument)
{
    struct scene *scene = argument;
    struct cpu *cpu = machine_cpu(&scene->machine, 0);

    cpu_send(cpu, VECTOR, cpu->time);
    cpu_checkpoint(cpu);
    scene->open_behind = host_byte_is_open(scene->page);
}

static void open_interrupts(void *argument)
{
    struct scene *scene = argument;
    struct cpu *cpu = machine_cpu(&scene->machine, 0);

    cpu_set_task_priority(cpu, 15);
    cpu_send(cpu, VECTOR, cpu->time);
    cpu_set_task_priority(cpu, 0);
    scene->open_behind = host_byte_is_open(scene->page);
}

static struct behind_row {
    const char *name;
    void (*code)(void *argument);
    unsigned taken;
    bool kept;
} behind_rows[] = {
    {"behind_a_segment", run_segment, 3, true},
    {"behind_a_stall", stall, 1, false},
    {"behind_a_preemption_point", pass_a_point, 1, false},
    {"where_the_priority_is_lowered", open_interrupts, 1, false},
};

static void behind_row(void **state)
{
    const struct behind_row *row = *state;
    struct scene scene;

    scene_init(&scene);
    strand_spawn(machine_cpu(&scene.machine, 0), row->code, &scene, NULL);
    assert_int_equal(machine_run(&scene.machine), MACHINE_IDLE);
    assert_int_equal(scene.taken, row->taken);
    assert_int_equal(scene.kept, row->kept);
    assert_false(scene.open_behind);
    machine_release(&scene.machine);
}

static void another_strand_begins_while_the_segment_runs(void **state)
{
    struct scene scene;

    (void)state;
    scene_init(&scene);
    scene.spawns = true;
    scene.open_on_other = true;
    strand_spawn(machine_cpu(&scene.machine, 0), run_segment, &scene, NULL);
    assert_int_equal(machine_run(&scene.machine), MACHINE_IDLE);
    assert_int_equal(scene.taken, 3);
    assert_in_range(scene.other_began, 1000, 1999);
    assert_false(scene.open_on_other);
    machine_release(&scene.machine);
}

TEST_FILE(test_settle)
{
    TEST_ADD_ROWS(list, behind_row, behind_rows);
    test_add(list, "another_strand_begins_while_the_segment_runs",
        another_strand_begins_while_the_segment_runs, NULL);
}
