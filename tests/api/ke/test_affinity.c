/* test_affinity.c - threads that go where their affinity wants them, when, and
 * how they come back (facts.md 7.5, GRP-07, GRP-08). Six processors in two
 * groups: 0 to 2 and 3 to 5.
 *
 * Driver code is a program: see step(). What it notes is the processor. */
#include <stdlib.h>

#include "api/boot/exports.h"
#include "tests/api/booted_kernel.h"

enum { STEPS = 8 };

/* 's' set {group, mask} and keep what was before in slot `n`, 'S' the same
 * without asking for what was before, 'r' revert to slot `n`, 'R' revert to
 * {group, mask}, '+' raise to n, '-' lower to n, 'l' and 'u' acquire and
 * release a spin lock; 0 the end. */
struct affinity_step {
    char kind;
    unsigned n;
    USHORT group;
    KAFFINITY mask;
};

struct traveller {
    struct affinity_step step[STEPS];
    GROUP_AFFINITY *argument, *slot; /* in the driver's memory; two slots */
    uint32_t on[STEPS];              /* the processor after each step */
    KIRQL irql[STEPS];
    KSPIN_LOCK *lock;
    KIRQL old;
    unsigned done;
};

static void step(struct traveller *traveller, const struct affinity_step *step)
{
    *traveller->argument =
        (GROUP_AFFINITY){.Group = step->group, .Mask = step->mask};
    switch (step->kind) {
    case 's':
        KeSetSystemGroupAffinityThread(
            traveller->argument, &traveller->slot[step->n]);
        break;
    case 'S':
        KeSetSystemGroupAffinityThread(traveller->argument, NULL);
        break;
    case 'r':
        KeRevertToUserGroupAffinityThread(&traveller->slot[step->n]);
        break;
    case 'R':
        KeRevertToUserGroupAffinityThread(traveller->argument);
        break;
    case '+':
        KfRaiseIrql((KIRQL)step->n);
        break;
    case '-':
        KeLowerIrql((KIRQL)step->n);
        break;
    case 'l':
        traveller->old = KeAcquireSpinLockRaiseToDpc(traveller->lock);
        break;
    case 'u':
        KeReleaseSpinLock(traveller->lock, traveller->old);
        break;
    default:
        abort();
    }
}

static void travel(void *argument)
{
    struct traveller *traveller = argument;

    for (unsigned i = 0; i < STEPS && traveller->step[i].kind != 0; i++) {
        step(traveller, &traveller->step[i]);
        traveller->on[i] = KeGetCurrentProcessorNumberEx(NULL);
        traveller->irql[i] = KeGetCurrentIrql();
        traveller->done++;
    }
}

static void traveller_init(struct traveller *traveller,
    struct booted_kernel *booted, const struct affinity_step step[STEPS])
{
    *traveller = (struct traveller){.done = 0};
    memcpy(traveller->step, step, sizeof(traveller->step));
    traveller->argument = booted_block(booted, sizeof(GROUP_AFFINITY), 0);
    traveller->lock = booted_block(booted, sizeof(KSPIN_LOCK), 0);
    traveller->slot = booted_block(booted, 2 * sizeof(GROUP_AFFINITY), 0xA5);
}

/* Begins on processor 1. `want_before` is what the last 's' wrote. */
static struct travel_row {
    const char *name;
    enum os os;
    struct affinity_step step[STEPS];
    uint32_t want_on[STEPS];
    USHORT want_group;
    KAFFINITY want_mask;
} travel_rows[] = {
    {"goes_to_the_one_processor", OS_WIN11, {{'s', 0, 0, 0x4}}, {2}, 0, 0},
    {"goes_to_another_group", OS_WIN11, {{'s', 0, 1, 0x2}}, {4}, 0, 0},
    {"stays_where_it_is_allowed", OS_WIN11, {{'s', 0, 0, 0x7}}, {1}, 0, 0},
    {"goes_to_the_lowest_number_that_is_allowed", OS_WIN11, {{'s', 0, 1, 0x6}},
        {4}, 0, 0},
    {"previous_is_optional", OS_WIN11, {{'S', 0, 1, 0x1}}, {3}, 0xA5A5,
        0xA5A5A5A5A5A5A5A5},
    {"second_set_returns_the_first", OS_WIN11,
        {{'s', 0, 1, 0x6}, {'s', 0, 0, 0x1}}, {4, 0}, 1, 0x6},
    {"group_that_is_not_there_changes_nothing", OS_WIN11, {{'s', 0, 2, 0x1}},
        {1}, 0, 0},
    {"empty_mask_changes_nothing", OS_WIN11, {{'s', 0, 1, 0x0}}, {1}, 0, 0},
    {"processor_that_is_not_there_changes_nothing", OS_WIN11,
        {{'s', 0, 1, 0x9}}, {1}, 0, 0},
    {"failure_after_a_set_returns_nothing_and_stays", OS_WIN11,
        {{'s', 0, 1, 0x2}, {'s', 0, 1, 0x8}, {'s', 0, 0, 0x1}}, {4, 4, 0}, 1,
        0x2},
    {"revert_to_the_first_set", OS_WIN11,
        {{'s', 0, 0, 0x4}, {'s', 1, 1, 0x4}, {'r', 1, 0, 0}}, {2, 5, 2}, 0, 0},
    {"revert_to_user_mode_may_stay_in_windows_11", OS_WIN11,
        {{'s', 0, 1, 0x4}, {'r', 0, 0, 0}}, {5, 5}, 0, 0},
    {"revert_to_user_mode_goes_back_to_the_group_before", OS_WIN10_1903,
        {{'s', 0, 1, 0x4}, {'r', 0, 0, 0}}, {5, 0}, 0, 0},
    {"revert_to_user_mode_within_the_group_stays", OS_WIN10_1903,
        {{'s', 0, 0, 0x4}, {'r', 0, 0, 0}}, {2, 2}, 0, 0},
    {"home_is_the_group_before_the_first_set", OS_WIN10_1903,
        {{'s', 0, 1, 0x4}, {'s', 1, 1, 0x1}, {'R', 0, 0, 0}}, {5, 3, 0}, 0, 0},
    {"after_the_revert_the_affinity_is_user_mode_s", OS_WIN11,
        {{'s', 0, 1, 0x4}, {'R', 0, 0, 0}, {'s', 0, 0, 0x1}}, {5, 5, 0}, 0, 0},
    {"revert_without_a_set_has_no_effect", OS_WIN11, {{'R', 0, 1, 0x1}}, {1},
        0xA5A5, 0xA5A5A5A5A5A5A5A5},
    {"second_revert_has_no_effect", OS_WIN11,
        {{'s', 0, 1, 0x4}, {'R', 0, 0, 0}, {'R', 0, 0, 0x1}}, {5, 5, 5}, 0, 0},
    {"revert_to_an_invalid_affinity_has_no_effect", OS_WIN11,
        {{'s', 0, 1, 0x4}, {'R', 0, 2, 0x1}, {'s', 0, 0, 0x1}}, {5, 5, 0}, 1,
        0x4},
};

static void travel_row(void **state)
{
    const struct travel_row *row = *state;
    struct booted_kernel booted;
    struct traveller traveller;
    USHORT group;
    KAFFINITY mask;

    booted_init(&booted, row->os, ARCH_X64, 6, 2);
    traveller_init(&traveller, &booted, row->step);
    booted_run(&booted, 1, travel, &traveller);
    group = traveller.slot[0].Group;
    mask = traveller.slot[0].Mask;
    assert_memory_equal(traveller.on, row->want_on, sizeof(row->want_on));
    assert_int_equal(group, row->want_group);
    assert_int_equal(mask, row->want_mask);
    assert_int_equal(booted.kernel.rules.count, 0);
    booted_release(&booted);
}

/* The level decides when it goes, and goes along. From processor 1. */
static struct level_row {
    const char *name;
    struct affinity_step step[STEPS];
    uint32_t want_on[STEPS];
    KIRQL want_irql[STEPS];
} level_rows[] = {
    {"at_apc_level_it_goes_and_takes_the_level_along",
        {{'+', 1, 0, 0}, {'s', 0, 1, 0x1}, {'-', 0, 0, 0}}, {1, 3, 3},
        {1, 1, 0}},
    {"at_dispatch_level_it_goes_when_that_ends",
        {{'+', 2, 0, 0}, {'s', 0, 1, 0x1}, {'-', 0, 0, 0}}, {1, 1, 3},
        {2, 2, 0}},
    {"it_goes_when_the_spin_lock_is_released",
        {{'l', 0, 0, 0}, {'s', 0, 1, 0x1}, {'u', 0, 0, 0}}, {1, 1, 3},
        {2, 2, 0}},
    {"it_goes_when_the_level_falls_to_apc_level",
        {{'+', 1, 0, 0}, {'+', 2, 0, 0}, {'s', 0, 1, 0x1}, {'-', 1, 0, 0},
            {'-', 0, 0, 0}},
        {1, 1, 1, 3, 3}, {1, 2, 2, 1, 0}},
    {"higher_levels_go_first",
        {{'+', 2, 0, 0}, {'s', 0, 1, 0x1}, {'+', 15, 0, 0}, {'-', 2, 0, 0},
            {'-', 0, 0, 0}},
        {1, 1, 1, 1, 3}, {2, 2, 15, 2, 0}},
    {"last_of_two_sets_counts",
        {{'+', 2, 0, 0}, {'s', 0, 1, 0x1}, {'s', 0, 1, 0x4}, {'-', 0, 0, 0}},
        {1, 1, 1, 5}, {2, 2, 2, 0}},
    {"set_back_before_the_level_falls_goes_nowhere",
        {{'+', 2, 0, 0}, {'s', 0, 1, 0x1}, {'R', 0, 0, 0}, {'-', 0, 0, 0}},
        {1, 1, 1, 1}, {2, 2, 2, 0}},
};

static void level_row(void **state)
{
    const struct level_row *row = *state;
    struct booted_kernel booted;
    struct traveller traveller;

    booted_init(&booted, OS_WIN11, ARCH_X64, 6, 2);
    traveller_init(&traveller, &booted, row->step);
    booted_run(&booted, 1, travel, &traveller);
    assert_memory_equal(traveller.on, row->want_on, sizeof(row->want_on));
    assert_memory_equal(traveller.irql, row->want_irql, STEPS);
    for (uint32_t i = 0; i < 6; i++) {
        assert_int_equal(
            irql_current(&booted.kernel, booted_cpu(&booted, i)), 0);
        assert_int_equal(booted_cpu(&booted, i)->lapic.task_priority, 0);
    }
    booted_release(&booted);
}

static void call_returns_on_the_processor_where_it_went(void **state)
{
    static const struct affinity_step steps[STEPS] = {{'S', 0, 1, 0x1}};
    static const char want[] = "cpu3 return api=KeSetSystemGroupAffinityThread";
    struct booted_kernel booted;
    struct traveller traveller;
    unsigned found = 0;
    char line[160];

    (void)state;
    booted_init(&booted, OS_WIN11, ARCH_X64, 6, 2);
    traveller_init(&traveller, &booted, steps);
    booted_run(&booted, 1, travel, &traveller);
    for (size_t i = 0; i < booted.machine.trace.count; i++) {
        trace_format(&booted.machine.trace, i, line, sizeof(line));
        found += strstr(line, want) != NULL;
    }
    assert_int_equal(found, 1);
    booted_release(&booted);
}

static void above_dispatch_level_it_is_a_fatal_error(void **state)
{
    static const struct affinity_step steps[STEPS] = {
        {'+', 3, 0, 0}, {'S', 0, 1, 0x1}};
    struct booted_kernel booted;
    struct traveller traveller;

    (void)state;
    booted_init(&booted, OS_WIN11, ARCH_X64, 6, 2);
    traveller_init(&traveller, &booted, steps);
    booted_run_to_stop(&booted, 1, travel, &traveller);
    assert_int_equal(booted_broken(&booted, RULE_IRQL_CONTRACT), 1);
    assert_int_equal(traveller.done, 1);
    booted_release(&booted);
}

static void raise_to_dispatch(void *argument)
{
    (void)argument;
    KfRaiseIrql(2);
}

static void processor_at_dispatch_level_takes_nobody(void **state)
{
    static const struct affinity_step steps[STEPS] = {{'S', 0, 1, 0x1}};
    struct booted_kernel booted;
    struct traveller traveller;

    (void)state;
    booted_init(&booted, OS_WIN11, ARCH_X64, 6, 2);
    booted_run(&booted, 3, raise_to_dispatch, NULL);
    traveller_init(&traveller, &booted, steps);
    booted_spawn(&booted, 1, travel, &traveller);
    assert_int_equal(machine_run(&booted.machine), MACHINE_DEADLOCK);
    assert_int_equal(traveller.done, 0);
    booted_release(&booted);
}

/* Raises when somebody is on the way to this processor, and ends there. */
static void raise_late(void *argument)
{
    struct cpu *cpu = kernel_cpu(kernel_current());

    (void)argument;
    cpu_spend(cpu, 1000, 1);
    cpu_checkpoint(cpu);
    KfRaiseIrql(2);
}

static void processor_that_is_raised_meanwhile_takes_nobody(void **state)
{
    static const struct affinity_step steps[STEPS] = {{'S', 0, 1, 0x1}};
    struct booted_kernel booted;
    struct traveller traveller;

    (void)state;
    booted_init(&booted, OS_WIN11, ARCH_X64, 6, 2);
    traveller_init(&traveller, &booted, steps);
    booted_spawn(&booted, 1, travel, &traveller);
    booted_spawn(&booted, 3, raise_late, NULL);
    assert_int_equal(machine_run(&booted.machine), MACHINE_DEADLOCK);
    assert_int_equal(irql_current(&booted.kernel, booted_cpu(&booted, 3)), 2);
    assert_int_equal(traveller.done, 0);
    booted_release(&booted);
}

/* A thread that is called from elsewhere, as a step on another processor is,
 * and ends where it went. */
static void call_traveller(void *argument)
{
    strand_call_on(
        machine_cpu(kernel_current()->machine, 1), travel, argument, NULL);
}

static void call_that_moves_ends_elsewhere_and_returns(void **state)
{
    static const struct affinity_step steps[STEPS] = {{'S', 0, 1, 0x1}};
    struct booted_kernel booted;
    struct traveller traveller;

    (void)state;
    booted_init(&booted, OS_WIN11, ARCH_X64, 6, 2);
    traveller_init(&traveller, &booted, steps);
    booted_run(&booted, 0, call_traveller, &traveller);
    assert_int_equal(traveller.on[0], 3);
    assert_int_equal(traveller.done, 1);
    booted_release(&booted);
}

/* Driver code with a bad pointer for what was before. */
struct bad_call {
    GROUP_AFFINITY *wanted;
    bool caught;
    uint32_t on;
};

static void set_with_bad_previous(void *argument)
{
    struct bad_call *bad = argument;

    KeSetSystemGroupAffinityThread(bad->wanted, (PGROUP_AFFINITY)0x10);
}

static void catch_bad_previous(void *argument)
{
    struct bad_call *bad = argument;
    struct exception_record record;

    bad->caught = booted_catch(set_with_bad_previous, bad, &record);
    bad->on = kernel_cpu(kernel_current())->index;
}

static void bad_pointer_is_found_before_anything_changes(void **state)
{
    const GROUP_AFFINITY wanted = {.Mask = 0x1};
    struct booted_kernel booted;
    struct bad_call bad = {.caught = false};

    (void)state;
    booted_init(&booted, OS_WIN11, ARCH_X64, 6, 2);
    bad.wanted = booted_copy(&booted, &wanted, sizeof(wanted));
    booted_run(&booted, 1, catch_bad_previous, &bad);
    assert_true(bad.caught);
    assert_int_equal(bad.on, 1);
    booted_release(&booted);
}

TEST_FILE(test_affinity)
{
    TEST_ADD_ROWS(list, travel_row, travel_rows);
    TEST_ADD_ROWS(list, level_row, level_rows);
    test_add(list, "call_returns_on_the_processor_where_it_went",
        call_returns_on_the_processor_where_it_went, NULL);
    test_add(list, "above_dispatch_level_it_is_a_fatal_error",
        above_dispatch_level_it_is_a_fatal_error, NULL);
    test_add(list, "processor_at_dispatch_level_takes_nobody",
        processor_at_dispatch_level_takes_nobody, NULL);
    test_add(list, "processor_that_is_raised_meanwhile_takes_nobody",
        processor_that_is_raised_meanwhile_takes_nobody, NULL);
    test_add(list, "call_that_moves_ends_elsewhere_and_returns",
        call_that_moves_ends_elsewhere_and_returns, NULL);
    test_add(list, "bad_pointer_is_found_before_anything_changes",
        bad_pointer_is_found_before_anything_changes, NULL);
}
