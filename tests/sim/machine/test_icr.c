/* test_icr.c - WRMSR to the interrupt command register: who is interrupted, and
 * when, whatever it does at that time. */
#include "sim/machine/strand.h"
#include "tests/sim/machine/single_cpu.h"

enum { PROCESSORS = 4, IA32_X2APIC_ICR = 0x830 };

/* A machine of four processors, and what each has taken. */
struct icr_scene {
    struct machine machine;
    uint64_t command;
    unsigned count[PROCESSORS];
    uint8_t vector[PROCESSORS];
    uint64_t time[PROCESSORS], ended[PROCESSORS];
    bool flag;
};

static void take(void *context, struct cpu *cpu, uint8_t vector)
{
    struct icr_scene *scene = context;

    scene->count[cpu->index]++;
    scene->vector[cpu->index] = vector;
    scene->time[cpu->index] = cpu->time;
    lapic_eoi(&cpu->lapic);
}

static void icr_scene_init(struct icr_scene *scene, uint64_t command)
{
    const struct machine_config config = {.processors = PROCESSORS,
        .groups = 1,
        .pmu = pmu_models[MODEL_INTEL_V2]};

    *scene = (struct icr_scene){.command = command};
    assert_true(machine_reserve(&scene->machine));
    machine_reset(&scene->machine, &config);
    machine_on_interrupt(&scene->machine, take, scene);
}

/* Processor 1, at 1,000: the WRMSR takes effect at 1,100. */
static void send_at_1000(void *argument)
{
    struct icr_scene *scene = argument;
    struct cpu *cpu = machine_cpu(&scene->machine, 1);

    cpu_spend(cpu, 1000, 1);
    cpu_checkpoint(cpu);
    msr_write(cpu, IA32_X2APIC_ICR, scene->command);
    scene->flag = true;
}

static void spawn(struct icr_scene *scene, uint32_t processor,
    void (*function)(void *argument))
{
    assert_non_null(strand_spawn(
        machine_cpu(&scene->machine, processor), function, scene, NULL));
}

/* Which of four idle processors are interrupted. */
static struct who_row {
    const char *name;
    uint64_t command;
    unsigned want[PROCESSORS];
} who_rows[] = {
    {"destination_0", 0x0000000000000040, {1, 0, 0, 0}},
    {"destination_3", 0x0000000300000040, {0, 0, 0, 1}},
    {"destination_that_does_not_exist", 0x0000000400000040, {0, 0, 0, 0}},
    {"destination_of_all_ones_is_everybody", 0xFFFFFFFF00000040, {1, 1, 1, 1}},
    {"shorthand_self", 0x0000000300040040, {0, 1, 0, 0}},
    {"shorthand_all", 0x0000000000080040, {1, 1, 1, 1}},
    {"shorthand_all_but_self", 0x00000000000C0040, {1, 0, 1, 1}},
    {"level_asserted_makes_no_difference", 0x0000000200004040, {0, 0, 1, 0}},
    {"lowest_legal_vector", 0x0000000200000010, {0, 0, 1, 0}},
    {"illegal_vector_is_lost", 0x000000020000000F, {0, 0, 0, 0}},
    {"lowest_priority_mode_is_not_modelled", 0x0000000200000140, {0, 0, 0, 0}},
    {"nmi_mode_is_not_modelled", 0x0000000200000440, {0, 0, 0, 0}},
    {"logical_destination_is_not_modelled", 0x0000000200000840, {0, 0, 0, 0}},
};

static void who_row(void **state)
{
    const struct who_row *row = *state;
    struct icr_scene scene;

    icr_scene_init(&scene, row->command);
    spawn(&scene, 1, send_at_1000);
    assert_int_equal(machine_run(&scene.machine), MACHINE_IDLE);
    for (uint32_t i = 0; i < PROCESSORS; i++) {
        assert_int_equal(scene.count[i], row->want[i]);
        if (row->want[i] != 0) {
            assert_int_equal(scene.vector[i], row->command & 0xFF);
            assert_int_equal(scene.time[i], 1100);
        }
    }
    machine_release(&scene.machine);
}

static struct cpu *target(struct icr_scene *scene)
{
    return machine_cpu(&scene->machine, 0);
}

static void run_5000(void *argument)
{
    struct icr_scene *scene = argument;
    struct segment segment;

    segment_init(&segment, target(scene)->pmu.model, 0, 5000, RING_USER);
    cpu_run_segment(target(scene), &segment);
    scene->ended[0] = target(scene)->time;
}

static void spend_5000(void *argument)
{
    struct icr_scene *scene = argument;

    cpu_spend(target(scene), 5000, 1);
    cpu_checkpoint(target(scene));
    scene->ended[0] = target(scene)->time;
}

static void run_5000_without_interrupts(void *argument)
{
    struct icr_scene *scene = argument;

    cpu_disable_interrupts(target(scene));
    run_5000(scene);
    cpu_enable_interrupts(target(scene));
    cpu_checkpoint(target(scene));
}

static void run_5000_at_priority_4(void *argument)
{
    struct icr_scene *scene = argument;

    cpu_set_task_priority(target(scene), 4);
    run_5000(scene);
    cpu_set_task_priority(target(scene), 3);
}

static bool flag_is_set(void *context)
{
    return ((struct icr_scene *)context)->flag;
}

static void spin(void *argument)
{
    struct icr_scene *scene = argument;

    strand_wait(&scene->machine, STRAND_SPINNING, flag_is_set, scene);
    scene->ended[0] = target(scene)->time;
}

static void block(void *argument)
{
    struct icr_scene *scene = argument;

    strand_wait(&scene->machine, STRAND_BLOCKED, flag_is_set, scene);
    scene->ended[0] = target(scene)->time;
}

static void stall_5000(void *argument)
{
    struct icr_scene *scene = argument;

    cpu_stall(target(scene), 5000);
    scene->ended[0] = target(scene)->time;
}

/* Vector 40H arrives at processor 0 at 1,100, while it does this. */
static struct when_row {
    const char *name;
    void (*code)(void *argument);
    uint64_t want_time, want_ended, want_unhalted;
} when_rows[] = {
    {"segment_is_interrupted_and_goes_on", run_5000, 1100, 5000, 5000},
    {"kernel_code_takes_it_at_its_next_preemption_point", spend_5000, 5000,
        5000, 5000},
    {"stall_is_interrupted_and_goes_on", stall_5000, 1100, 5000, 5000},
    {"after_cli_it_waits_for_sti", run_5000_without_interrupts, 5000, 5000,
        5000},
    {"it_waits_for_the_priority", run_5000_at_priority_4, 5000, 5000, 5000},
    {"spinning_processor_takes_it", spin, 1100, 1100, 1100},
    {"processor_whose_strand_is_blocked_takes_it", block, 1100, 1100, 0},
};

static void when_row(void **state)
{
    const struct when_row *row = *state;
    struct icr_scene scene;

    icr_scene_init(&scene, 0x40);
    spawn(&scene, 0, row->code);
    spawn(&scene, 1, send_at_1000);
    assert_int_equal(machine_run(&scene.machine), MACHINE_IDLE);
    assert_int_equal(scene.count[0], 1);
    assert_int_equal(scene.time[0], row->want_time);
    assert_int_equal(scene.ended[0], row->want_ended);
    assert_int_equal(cpu_unhalted(target(&scene)), row->want_unhalted);
    machine_release(&scene.machine);
}

static void idle_processor_with_a_pmi_on_its_way_takes_both(void **state)
{
    struct icr_scene scene;

    (void)state;
    icr_scene_init(&scene, 0x40);
    target(&scene)->lapic.lvtpc = 0xFE;
    target(&scene)->pmi_due = 1990;
    spawn(&scene, 1, send_at_1000);
    assert_int_equal(machine_run(&scene.machine), MACHINE_IDLE);
    assert_int_equal(scene.count[0], 2);
    assert_int_equal(scene.vector[0], 0xFE);
    assert_int_equal(scene.time[0], 2000);
    machine_release(&scene.machine);
}

static void interrupt_of_another_has_its_own_trace(void **state)
{
    struct icr_scene scene;
    char line[80];

    (void)state;
    icr_scene_init(&scene, 0x40);
    spawn(&scene, 1, send_at_1000);
    machine_run(&scene.machine);
    trace_format(&scene.machine.trace, scene.machine.trace.count - 2, line,
        sizeof(line));
    assert_string_equal(line, "1100 cpu0 ipi_taken vector=0x40");
    machine_release(&scene.machine);
}

/* Code that ends its interrupt's service before it waits for another processor;
 * somebody else wants the processor meanwhile. */
struct early_eoi {
    struct icr_scene scene;
    bool called, other_ran, other_ran_inside;
};

static void spend_2000_on_2(void *argument)
{
    struct early_eoi *early = argument;
    struct cpu *cpu = machine_cpu(&early->scene.machine, 2);

    cpu_spend(cpu, 2000, 1);
    cpu_checkpoint(cpu);
    early->called = true;
}

static void acknowledge_and_call(void *context, struct cpu *cpu, uint8_t vector)
{
    struct early_eoi *early = context;

    (void)vector;
    lapic_eoi(&cpu->lapic);
    strand_call_on(machine_cpu(cpu->machine, 2), spend_2000_on_2, early, NULL);
    early->other_ran_inside = early->other_ran;
}

static void run_other(void *argument)
{
    struct early_eoi *early = argument;

    early->other_ran = true;
}

static void interrupt_keeps_the_processor_behind_its_eoi(void **state)
{
    struct early_eoi early = {.called = false};

    (void)state;
    icr_scene_init(&early.scene, 0x40);
    machine_on_interrupt(&early.scene.machine, acknowledge_and_call, &early);
    spawn(&early.scene, 0, run_5000);
    assert_non_null(
        strand_spawn(target(&early.scene), run_other, &early, NULL));
    spawn(&early.scene, 1, send_at_1000);
    assert_int_equal(machine_run(&early.scene.machine), MACHINE_IDLE);
    assert_true(early.called);
    assert_true(early.other_ran);
    assert_false(early.other_ran_inside);
    machine_release(&early.scene.machine);
}

TEST_FILE(test_icr)
{
    TEST_ADD_ROWS(list, who_row, who_rows);
    TEST_ADD_ROWS(list, when_row, when_rows);
    test_add(list, "idle_processor_with_a_pmi_on_its_way_takes_both",
        idle_processor_with_a_pmi_on_its_way_takes_both, NULL);
    test_add(list, "interrupt_of_another_has_its_own_trace",
        interrupt_of_another_has_its_own_trace, NULL);
    test_add(list, "interrupt_keeps_the_processor_behind_its_eoi",
        interrupt_keeps_the_processor_behind_its_eoi, NULL);
}
