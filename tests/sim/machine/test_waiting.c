/* test_waiting.c - strands that wait: in what order they go on, how often their
 * conditions are asked, and who is left. */
#include <string.h>

#include "sim/machine/machine.h"
#include "sim/machine/strand.h"
#include "tests/rows.h"

enum { PROCESSORS = 64 };

/* Two things to wait for, and who has gone on, in order. */
struct scene {
    struct machine machine;
    bool first, second;
    unsigned asked; /* about the first */
    unsigned gone[PROCESSORS];
    unsigned count;
};

static struct scene scene;

static bool first_is_set(void *context)
{
    struct scene *of = context;

    of->asked++;
    return of->first;
}

static bool second_is_set(void *context)
{
    return ((struct scene *)context)->second;
}

static void note(void)
{
    scene.gone[scene.count++] =
        (unsigned)strand_current(&scene.machine)->cpu->index;
}

static void wait_for_first(void *argument)
{
    (void)argument;
    strand_wait(&scene.machine, STRAND_SPINNING, first_is_set, &scene);
    note();
}

static void wait_for_second(void *argument)
{
    (void)argument;
    strand_wait(&scene.machine, STRAND_BLOCKED, second_is_set, &scene);
    note();
}

static void set_first(void *argument)
{
    cpu_spend(argument, 1000, 1);
    cpu_checkpoint(argument);
    scene.asked = 0;
    scene.first = true;
    cpu_checkpoint(argument);
}

static void set_both(void *argument)
{
    cpu_spend(argument, 1000, 1);
    cpu_checkpoint(argument);
    scene.first = true;
    scene.second = true;
    cpu_checkpoint(argument);
}

static void scene_init(void)
{
    struct machine_config config = {.processors = PROCESSORS,
        .groups = 1,
        .pmu = pmu_models[MODEL_INTEL_V2]};

    scene = (struct scene){.count = 0};
    assert_true(machine_reserve(&scene.machine));
    machine_reset(&scene.machine, &config);
}

static void spawn(unsigned processor, void (*entry)(void *argument))
{
    struct cpu *cpu = machine_cpu(&scene.machine, processor);

    assert_non_null(strand_spawn(cpu, entry, cpu, NULL));
}

static void all_who_wait_for_one_thing_are_asked_as_one(void **state)
{
    (void)state;
    scene_init();
    spawn(0, set_first);
    for (unsigned i = 1; i < PROCESSORS; i++) {
        spawn(i, wait_for_first);
    }
    assert_int_equal(machine_run(&scene.machine), MACHINE_IDLE);
    assert_int_equal(scene.count, PROCESSORS - 1);
    /* Each asks once more for itself when it goes on. */
    assert_in_range(scene.asked, PROCESSORS, 2 * PROCESSORS + 4);
    machine_release(&scene.machine);
}

/* On one processor: its queue is in the order in which they go on. */
static void those_of_two_conditions_go_on_in_the_order_of_their_waits(
    void **state)
{
    (void)state;
    scene_init();
    spawn(0, set_both);
    spawn(5, wait_for_second);
    spawn(3, wait_for_first);
    spawn(4, wait_for_second);
    assert_int_equal(machine_run(&scene.machine), MACHINE_IDLE);
    assert_int_equal(scene.count, 3);
    assert_int_equal(scene.gone[0], 3);
    assert_int_equal(scene.gone[1], 4);
    assert_int_equal(scene.gone[2], 5);
    assert_null(waiting_next(&scene.machine, NULL));
    assert_null(scene.machine.waiting.waiters);
    machine_release(&scene.machine);
}

static void whose_condition_does_not_hold_is_left(void **state)
{
    const struct strand *first, *second;

    (void)state;
    scene_init();
    spawn(0, set_first);
    spawn(1, wait_for_second);
    spawn(2, wait_for_first);
    spawn(3, wait_for_second);
    assert_int_equal(machine_run(&scene.machine), MACHINE_DEADLOCK);
    assert_int_equal(scene.count, 1);
    assert_int_equal(scene.gone[0], 2);
    first = waiting_next(&scene.machine, NULL);
    second = waiting_next(&scene.machine, first);
    assert_int_equal(first->cpu->index, 1);
    assert_int_equal(second->cpu->index, 3);
    assert_null(waiting_next(&scene.machine, second));
    machine_release(&scene.machine);
}

static void all_who_wait_are_listed_in_the_order_of_their_waits(void **state)
{
    const struct strand *strand = NULL;

    (void)state;
    scene_init();
    for (unsigned i = 1; i <= 5; i++) {
        spawn(i, i % 2 == 0 ? wait_for_first : wait_for_second);
    }
    assert_int_equal(machine_run(&scene.machine), MACHINE_DEADLOCK);
    for (unsigned i = 1; i <= 5; i++) {
        strand = waiting_next(&scene.machine, strand);
        assert_int_equal(strand->cpu->index, i);
    }
    assert_null(waiting_next(&scene.machine, strand));
    machine_release(&scene.machine);
}

static bool flags[5];

static bool flag_is_set(void *context)
{
    return *(const bool *)context;
}

/* Processors 1 and 2 wait for one flag, 3 and 4 for one and then another. */
static void wait_for_flags(void *argument)
{
    const struct cpu *cpu = argument;

    if (cpu->index > 2) {
        strand_wait(&scene.machine, STRAND_BLOCKED, flag_is_set, &flags[0]);
    }
    strand_wait(
        &scene.machine, STRAND_BLOCKED, flag_is_set, &flags[cpu->index]);
    note();
}

static void set_flags(void *argument)
{
    for (unsigned i = 0; i < 5; i++) {
        cpu_spend(argument, 1000, 1);
        cpu_checkpoint(argument);
        flags[i] = true;
        cpu_checkpoint(argument);
    }
}

static void wait_that_is_over_leaves_room_for_new_ones(void **state)
{
    (void)state;
    memset(flags, 0, sizeof(flags));
    scene_init();
    spawn(0, set_flags);
    for (unsigned i = 1; i <= 4; i++) {
        spawn(i, wait_for_flags);
    }
    assert_int_equal(machine_run(&scene.machine), MACHINE_IDLE);
    assert_int_equal(scene.count, 4);
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(scene.gone[i], i + 1);
    }
    machine_release(&scene.machine);
}

static void end_interrupt(void *context, struct cpu *cpu, uint8_t vector)
{
    assert_int_equal(vector, 0xFE);
    ++*(unsigned *)context;
    lapic_eoi(&cpu->lapic);
}

/* Of three that spin one takes an interrupt and waits on. */
static struct spin_row {
    const char *name;
    unsigned interrupted;
} spin_rows[] = {
    {"first_of_those_who_spin_is_interrupted", 1},
    {"one_among_those_who_spin_is_interrupted", 2},
    {"last_of_those_who_spin_is_interrupted", 3},
};

static void spin_row(void **state)
{
    const struct spin_row *row = *state;
    unsigned taken = 0;
    struct cpu *cpu;

    scene_init();
    machine_on_interrupt(&scene.machine, end_interrupt, &taken);
    cpu = machine_cpu(&scene.machine, row->interrupted);
    cpu->lapic.lvtpc = 0xFE;
    cpu->pmi_due = 490;
    spawn(0, set_first);
    for (unsigned i = 1; i <= 3; i++) {
        spawn(i, wait_for_first);
    }
    assert_int_equal(machine_run(&scene.machine), MACHINE_IDLE);
    assert_int_equal(taken, 1);
    assert_int_equal(scene.count, 3);
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(scene.gone[i], i + 1);
    }
    assert_null(scene.machine.waiting.waiters);
    machine_release(&scene.machine);
}

TEST_FILE(test_waiting)
{
    test_add(list, "all_who_wait_for_one_thing_are_asked_as_one",
        all_who_wait_for_one_thing_are_asked_as_one, NULL);
    test_add(list, "those_of_two_conditions_go_on_in_the_order_of_their_waits",
        those_of_two_conditions_go_on_in_the_order_of_their_waits, NULL);
    TEST_ADD_ROWS(list, spin_row, spin_rows);
    test_add(list, "wait_that_is_over_leaves_room_for_new_ones",
        wait_that_is_over_leaves_room_for_new_ones, NULL);
    test_add(list, "all_who_wait_are_listed_in_the_order_of_their_waits",
        all_who_wait_are_listed_in_the_order_of_their_waits, NULL);
    test_add(list, "whose_condition_does_not_hold_is_left",
        whose_condition_does_not_hold_is_left, NULL);
}
