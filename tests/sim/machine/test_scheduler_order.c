/* test_scheduler_order.c - no effect comes before its cause, and none later
 * than it must: register accesses, interrupts of an idle processor, and runs
 * that would not end. */
#include <stdio.h>
#include <string.h>

#include "sim/machine/machine.h"
#include "sim/machine/msr.h"
#include "sim/machine/strand.h"
#include "tests/rows.h"

/* Two processors, a register access costs 100 cycles. */
struct scene {
    struct machine machine;
    uint64_t cycles; /* that processor 1 runs before it does its part */
    uint64_t seen;
    uint64_t own_budget;
    char journal[64];
};

static void scene_init(struct scene *scene)
{
    struct machine_config config = {
        .processors = 2, .groups = 1, .pmu = pmu_models[MODEL_INTEL_V2]};

    config.pmu.skid = 0;
    *scene = (struct scene){.seen = 99};
    assert_true(machine_reserve(&scene->machine));
    machine_reset(&scene->machine, &config);
}

static void scene_spawn(
    struct scene *scene, uint32_t processor, void (*entry)(void *argument))
{
    assert_non_null(strand_spawn(
        machine_cpu(&scene->machine, processor), entry, scene, NULL));
}

static void run(struct cpu *cpu, uint64_t cycles)
{
    struct segment segment;

    segment_init(
        &segment, cpu->pmu.model, cpu_unhalted(cpu), cycles, RING_USER);
    cpu_run_segment(cpu, &segment);
}

static void write_5(void *argument)
{
    struct scene *scene = argument;

    msr_write(machine_cpu(&scene->machine, 0), 0x0C1, 5);
}

static void run_and_look(void *argument)
{
    struct scene *scene = argument;

    run(machine_cpu(&scene->machine, 1), scene->cycles);
    scene->seen = pmu_value(&machine_cpu(&scene->machine, 0)->pmu, 0);
}

static void read_it(void *argument)
{
    struct scene *scene = argument;

    msr_read(machine_cpu(&scene->machine, 0), 0x0C1, &scene->seen);
}

static void run_and_change(void *argument)
{
    struct scene *scene = argument;

    run(machine_cpu(&scene->machine, 1), scene->cycles);
    pmu_set_value(&machine_cpu(&scene->machine, 0)->pmu, 0, 7);
}

/* Processor 0 begins its access at 0; what the one of the two that looks sees
 * of what the other has done. */
static struct access_row {
    const char *name;
    void (*access)(void *argument);
    void (*other)(void *argument);
    uint64_t cycles;
    uint64_t want_seen;
} access_rows[] = {
    {"write_has_no_effect_while_it_begins", write_5, run_and_look, 1, 0},
    {"write_has_no_effect_a_cycle_early", write_5, run_and_look, 99, 0},
    {"write_of_a_lower_number_comes_first", write_5, run_and_look, 100, 5},
    {"write_has_its_effect_a_cycle_later", write_5, run_and_look, 101, 5},
    {"read_sees_what_happened_a_cycle_before", read_it, run_and_change, 99, 7},
    {"read_of_a_lower_number_comes_first", read_it, run_and_change, 100, 0},
    {"read_does_not_see_what_happens_later", read_it, run_and_change, 101, 0},
};

static void access_row(void **state)
{
    const struct access_row *row = *state;
    struct scene scene;

    scene_init(&scene);
    scene.cycles = row->cycles;
    scene_spawn(&scene, 0, row->access);
    scene_spawn(&scene, 1, row->other);
    assert_int_equal(machine_run(&scene.machine), MACHINE_IDLE);
    assert_int_equal(scene.seen, row->want_seen);
    machine_release(&scene.machine);
}

static void note(struct scene *scene, char what, uint64_t time)
{
    size_t used = strlen(scene->journal);

    snprintf(scene->journal + used, sizeof(scene->journal) - used, "%s%c@%llu",
        used == 0 ? "" : " ", what, (unsigned long long)time);
}

static void note_interrupt(void *context, struct cpu *cpu, uint8_t vector)
{
    (void)vector;
    note(context, '!', cpu->time);
    lapic_eoi(&cpu->lapic);
}

static void note_strand(void *argument)
{
    struct scene *scene = argument;

    note(scene, 'a', machine_cpu(&scene->machine, 0)->time);
}

/* A PMI request arrives at an idle processor at 500, and a strand in its queue
 * goes on at some time. */
static struct idle_row {
    const char *name;
    uint64_t wake;
    const char *want_journal;
} idle_rows[] = {
    {"interrupt_comes_before_a_later_strand", 1000, "!@500 a@1000"},
    {"interrupt_comes_a_cycle_before_a_strand", 501, "!@500 a@501"},
    {"strand_of_the_same_time_comes_first", 500, "a@500 !@500"},
    {"earlier_strand_comes_first", 400, "a@400 !@500"},
};

static void idle_row(void **state)
{
    const struct idle_row *row = *state;
    struct scene scene;
    struct cpu *cpu;

    scene_init(&scene);
    machine_on_interrupt(&scene.machine, note_interrupt, &scene);
    cpu = machine_cpu(&scene.machine, 0);
    cpu->lapic.lvtpc = 0xFE;
    cpu->pmi_due = 500;
    scene_spawn(&scene, 0, note_strand);
    cpu->first->wake = row->wake;
    assert_int_equal(machine_run(&scene.machine), MACHINE_IDLE);
    assert_string_equal(scene.journal, row->want_journal);
    machine_release(&scene.machine);
}

static void poll_for_ever(void *argument)
{
    struct scene *scene = argument;
    struct cpu *cpu = machine_cpu(&scene->machine, 0);

    for (;;) {
        cpu_spend(cpu, 10, 1);
        cpu_checkpoint(cpu);
        scene->seen++;
    }
}

static void budget_ends_a_strand_that_polls_alone(void **state)
{
    struct scene scene;

    (void)state;
    scene_init(&scene);
    scene.machine.budget = 1000;
    scene_spawn(&scene, 0, poll_for_ever);
    assert_int_equal(machine_run(&scene.machine), MACHINE_BUDGET);
    assert_int_equal(scene.machine.budget, 0);
    assert_in_range(scene.seen, 99 + 998, 99 + 1000);
    machine_release(&scene.machine);
}

static void poll_with_a_budget(void *argument)
{
    struct scene *scene = argument;

    strand_set_budget(&scene->machine, &scene->own_budget);
    poll_for_ever(argument);
}

/* The machine's is not touched before its own is used up. */
static void strand_counts_a_budget_of_its_own(void **state)
{
    struct scene scene;

    (void)state;
    scene_init(&scene);
    scene.machine.budget = 10;
    scene.own_budget = 1000;
    scene_spawn(&scene, 0, poll_with_a_budget);
    assert_int_equal(machine_run(&scene.machine), MACHINE_BUDGET);
    assert_int_equal(scene.own_budget, 0);
    assert_in_range(scene.seen, 99 + 998, 99 + 1000);
    machine_release(&scene.machine);
}

static void spend_and_note(void *argument)
{
    struct scene *scene = argument;
    struct cpu *cpu = machine_cpu(&scene->machine, 0);

    cpu_spend(cpu, scene->cycles, 1);
    cpu_checkpoint(cpu);
    note(scene, 'a', 1);
}

static struct limit_row {
    const char *name;
    uint64_t cycles;
    enum machine_end want_end;
    const char *want_journal;
} limit_rows[] = {
    {"time_below_2_to_the_62nd_goes_on", 0x3FFFFFFFFFFFFFFF, MACHINE_IDLE,
        "a@1"},
    {"time_of_2_to_the_62nd_ends_the_run", 0x4000000000000000, MACHINE_BUDGET,
        ""},
    {"time_above_2_to_the_62nd_ends_the_run", 0x7000000000000000,
        MACHINE_BUDGET, ""},
};

static void limit_row(void **state)
{
    const struct limit_row *row = *state;
    struct scene scene;

    scene_init(&scene);
    scene.cycles = row->cycles;
    scene_spawn(&scene, 0, spend_and_note);
    assert_int_equal(machine_run(&scene.machine), row->want_end);
    assert_string_equal(scene.journal, row->want_journal);
    machine_release(&scene.machine);
}

TEST_FILE(test_scheduler_order)
{
    TEST_ADD_ROWS(list, access_row, access_rows);
    TEST_ADD_ROWS(list, idle_row, idle_rows);
    TEST_ADD_ROWS(list, limit_row, limit_rows);
    test_add(list, "budget_ends_a_strand_that_polls_alone",
        budget_ends_a_strand_that_polls_alone, NULL);
    test_add(list, "strand_counts_a_budget_of_its_own",
        strand_counts_a_budget_of_its_own, NULL);
}
