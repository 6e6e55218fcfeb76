/* test_schedule_pmi.c - a PMI that comes behind a later instruction than the
 * one in which it lands, as long as somebody says so. */
#include "sim/machine/schedule.h"
#include "sim/machine/strand.h"
#include "tests/sim/machine/single_cpu.h"

enum { INSTRUCTIONS = 8 };

/* How many choices in a row are for later. */
struct chooser {
    unsigned later, asked;
};

static uint32_t choose(void *context, const struct schedule_choice *choice)
{
    struct chooser *chooser = context;

    assert_int_equal(choice->count, 2);
    assert_int_equal(choice->usual, 0);
    assert_int_equal(choice->candidate[0], 0);
    assert_int_equal(choice->candidate[1], SCHEDULE_LATER);
    return chooser->asked++ < chooser->later ? SCHEDULE_LATER : 0;
}

/* The fourth access is the instruction that wraps, at 400: its PMI lands at
 * 440, in the fifth, and comes at the end of that. */
static void overflow(void *argument)
{
    struct single_cpu *one = argument;

    single_cpu_write(one, IA32_X2APIC_LVT_PMI, 0xFE);
    single_cpu_write(one, IA32_PMC0, 0xFFFFFFFF);
    single_cpu_write(one, IA32_PERFEVTSEL0, 0x5200C0);
    for (unsigned i = 0; i < INSTRUCTIONS; i++) {
        single_cpu_write(one, IA32_PMC1, 0);
    }
}

/* Behind that a segment begins, which is no instruction. */
static void overflow_and_run(void *argument)
{
    struct single_cpu *one = argument;

    single_cpu_write(one, IA32_X2APIC_LVT_PMI, 0xFE);
    single_cpu_write(one, IA32_PMC0, 0xFFFFFFFF);
    single_cpu_write(one, IA32_PERFEVTSEL0, 0x5200C0);
    single_cpu_write(one, IA32_PMC1, 0);
    single_cpu_write(one, IA32_PMC1, 0);
    single_cpu_run(one, RING_USER, 100000, 1, 1);
}

/* It lands in the fifth access, is pending behind it, and is taken behind the
 * next one, at which interrupts are on again. */
static void overflow_with_interrupts_off(void *argument)
{
    struct single_cpu *one = argument;

    single_cpu_write(one, IA32_X2APIC_LVT_PMI, 0xFE);
    single_cpu_write(one, IA32_PMC0, 0xFFFFFFFF);
    single_cpu_write(one, IA32_PERFEVTSEL0, 0x5200C0);
    cpu_disable_interrupts(one->cpu);
    single_cpu_write(one, IA32_PMC1, 0);
    single_cpu_write(one, IA32_PMC1, 0);
    cpu_enable_interrupts(one->cpu);
    single_cpu_write(one, IA32_PMC1, 0);
    single_cpu_write(one, IA32_PMC1, 0);
}

static struct pmi_row {
    const char *name;
    void (*code)(void *argument);
    bool interrupts;
    unsigned later;
    uint64_t want_time;
    unsigned want_asked;
} pmi_rows[] = {
    {"it_comes_where_it_lands", overflow, true, 0, 500, 1},
    {"one_access_later", overflow, true, 1, 600, 2},
    {"three_later", overflow, true, 3, 800, 4},
    {"four_later_and_no_more", overflow, true, 9, 900, 4},
    {"nobody_is_asked_where_it_is_on_time", overflow, false, 9, 500, 0},
    {"kept_no_longer_than_code_of_the_kernel_goes_on", overflow_and_run, true,
        9, 501, 1},
    {"nobody_is_asked_where_interrupts_are_off", overflow_with_interrupts_off,
        true, 9, 600, 0},
};

/* A processor whose schedule says how often a PMI is kept. */
struct scene {
    struct single_cpu one;
    struct schedule schedule;
    struct chooser chooser;
};

static void scene_init(struct scene *scene, bool interrupts, uint32_t later)
{
    scene->chooser = (struct chooser){.later = later};
    single_cpu_init(&scene->one);
    schedule_init(&scene->schedule, interrupts, choose, &scene->chooser);
    scene->one.machine.schedule = &scene->schedule;
}

static void scene_check(
    const struct scene *scene, size_t taken, uint64_t time, uint32_t asked)
{
    assert_int_equal(scene->one.taken_count, taken);
    assert_int_equal(scene->one.taken[0].time, time);
    assert_int_equal(scene->chooser.asked, asked);
}

static void pmi_row(void **state)
{
    const struct pmi_row *row = *state;
    struct scene scene;

    scene_init(&scene, row->interrupts, row->later);
    strand_spawn(scene.one.cpu, row->code, &scene.one, NULL);
    assert_int_equal(machine_run(&scene.one.machine), MACHINE_IDLE);
    scene_check(&scene, 1, row->want_time, row->want_asked);
    single_cpu_release(&scene.one);
}

/* Another one, once the first has been taken. */
static void overflow_again(void *argument)
{
    overflow(argument);
    overflow(argument);
}

static void next_one_is_kept_as_often(void **state)
{
    struct scene scene;

    (void)state;
    scene_init(&scene, true, 9);
    strand_spawn(scene.one.cpu, overflow_again, &scene.one, NULL);
    assert_int_equal(machine_run(&scene.one.machine), MACHINE_IDLE);
    scene_check(&scene, 2, 900, 8);
    single_cpu_release(&scene.one);
}

/* What runs outside of the machine's loop has nobody to go before. */
static void nobody_is_asked_outside_of_a_run(void **state)
{
    struct scene scene;

    (void)state;
    scene_init(&scene, true, 9);
    overflow(&scene.one);
    scene_check(&scene, 1, 500, 0);
    single_cpu_release(&scene.one);
}

TEST_FILE(test_schedule_pmi)
{
    TEST_ADD_ROWS(list, pmi_row, pmi_rows);
    test_add(
        list, "next_one_is_kept_as_often", next_one_is_kept_as_often, NULL);
    test_add(list, "nobody_is_asked_outside_of_a_run",
        nobody_is_asked_outside_of_a_run, NULL);
}
