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

static void pmi_row(void **state)
{
    const struct pmi_row *row = *state;
    struct chooser chooser = {.later = row->later};
    struct schedule schedule;
    struct single_cpu one;

    single_cpu_init(&one);
    schedule_init(&schedule, row->interrupts, choose, &chooser);
    one.machine.schedule = &schedule;
    strand_spawn(one.cpu, row->code, &one, NULL);

    assert_int_equal(machine_run(&one.machine), MACHINE_IDLE);
    assert_int_equal(one.taken_count, 1);
    assert_int_equal(one.taken[0].time, row->want_time);
    assert_int_equal(chooser.asked, row->want_asked);
    single_cpu_release(&one);
}

/* Another one, once the first has been taken. */
static void overflow_again(void *argument)
{
    overflow(argument);
    overflow(argument);
}

static void next_one_is_kept_as_often(void **state)
{
    struct chooser chooser = {.later = 9};
    struct schedule schedule;
    struct single_cpu one;

    (void)state;
    single_cpu_init(&one);
    schedule_init(&schedule, true, choose, &chooser);
    one.machine.schedule = &schedule;
    strand_spawn(one.cpu, overflow_again, &one, NULL);

    assert_int_equal(machine_run(&one.machine), MACHINE_IDLE);
    assert_int_equal(one.taken_count, 2);
    assert_int_equal(one.taken[0].time, 900);
    assert_int_equal(chooser.asked, 8);
    single_cpu_release(&one);
}

/* What runs outside of the machine's loop has nobody to go before. */
static void nobody_is_asked_outside_of_a_run(void **state)
{
    struct chooser chooser = {.later = 9};
    struct schedule schedule;
    struct single_cpu one;

    (void)state;
    single_cpu_init(&one);
    schedule_init(&schedule, true, choose, &chooser);
    one.machine.schedule = &schedule;
    overflow(&one);

    assert_int_equal(one.taken_count, 1);
    assert_int_equal(one.taken[0].time, 500);
    assert_int_equal(chooser.asked, 0);
    single_cpu_release(&one);
}

TEST_FILE(test_schedule_pmi)
{
    TEST_ADD_ROWS(list, pmi_row, pmi_rows);
    test_add(
        list, "next_one_is_kept_as_often", next_one_is_kept_as_often, NULL);
    test_add(list, "nobody_is_asked_outside_of_a_run",
        nobody_is_asked_outside_of_a_run, NULL);
}
