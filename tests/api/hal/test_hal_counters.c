/* test_hal_counters.c - HalAllocateHardwareCounters and
 * HalFreeHardwareCounters as a pair: what is held, by whom, until when
 * (facts.md 2.2, 2.3, 10). */
#include "api/hal/arbiter.h"
#include "sim/machine/msr.h"
#include "tests/api/core/allocation.h"

static const PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR counter_0[] = {SINGLE(0)};
static const PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR counter_1[] = {SINGLE(1)};
static const PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR both[] = {RANGE(0, 1)};

static uint32_t release(struct booted_kernel *booted, uint64_t handle)
{
    struct release call = {.handle = handle};

    booted_run(booted, 0, release_call, &call);
    return call.status;
}

static void whole_pmu_is_given_once_until_it_is_freed(void **state)
{
    struct booted_kernel booted;
    uint64_t first, second, third;

    (void)state;
    booted_init(&booted, OS_WIN7, ARCH_X64, 2, 1);
    assert_int_equal(allocate(&booted, NULL, 0, &first), 0x00000000);
    assert_int_equal(allocate(&booted, NULL, 0, &second), 0xC000009A);
    assert_int_equal(second, 0);
    assert_int_equal(release(&booted, first), 0x00000000);
    assert_int_equal(allocate(&booted, NULL, 0, &third), 0x00000000);
    assert_int_not_equal(third, first);
    booted_release(&booted);
}

static void counters_of_a_list_conflict_one_by_one(void **state)
{
    struct booted_kernel booted;
    uint64_t handle, refused;

    (void)state;
    booted_init_usual(&booted);
    assert_int_equal(allocate(&booted, counter_0, 1, &handle), 0x00000000);
    assert_int_equal(allocate(&booted, counter_1, 1, &handle), 0x00000000);
    assert_int_equal(allocate(&booted, both, 1, &refused), 0xC000009A);
    assert_int_equal(refused, 0);
    assert_int_equal(allocate(&booted, NULL, 0, &refused), 0xC000009A);
    booted_release(&booted);
}

static void refused_list_keeps_none_of_its_counters(void **state)
{
    struct booted_kernel booted;
    uint64_t held, handle;

    (void)state;
    booted_init_usual(&booted);
    assert_int_equal(allocate(&booted, counter_1, 1, &held), 0x00000000);
    assert_int_equal(allocate(&booted, both, 1, &handle), 0xC000009A);
    assert_int_equal(allocate(&booted, counter_0, 1, &handle), 0x00000000);
    booted_release(&booted);
}

static void freed_set_frees_all_of_its_counters(void **state)
{
    struct booted_kernel booted;
    uint64_t handle;

    (void)state;
    booted_init_usual(&booted);
    assert_int_equal(allocate(&booted, both, 1, &handle), 0x00000000);
    assert_int_equal(release(&booted, handle), 0x00000000);
    assert_int_equal(allocate(&booted, counter_0, 1, &handle), 0x00000000);
    assert_int_equal(allocate(&booted, counter_1, 1, &handle), 0x00000000);
    booted_release(&booted);
}

static struct handle_row {
    const char *name;
    uint64_t offset; /* from the handle of a live set, or the value itself */
    bool is_offset, twice;
    uint32_t want;
    unsigned want_null; /* hal.free.null */
} handle_rows[] = {
    {"live_set_can_be_freed", 0, true, false, 0x00000000, 0},
    {"set_cannot_be_freed_twice", 0, true, true, 0xC000000D, 0},
    {"null_cannot_be_freed", 0, false, false, 0xC000000D, 1},
    {"handle_that_was_never_issued_cannot_be_freed", 4, true, false, 0xC000000D,
        0},
    {"value_inside_of_a_handle_cannot_be_freed", 1, true, false, 0xC000000D, 0},
    {"pseudo_handle_cannot_be_freed", 0xFFFFFFFFFFFFFFFF, false, false,
        0xC000000D, 0},
};

static void handle_row(void **state)
{
    const struct handle_row *row = *state;
    struct booted_kernel booted;
    uint64_t handle;

    booted_init_usual(&booted);
    assert_int_equal(allocate(&booted, counter_0, 1, &handle), 0x00000000);
    if (row->twice) {
        assert_int_equal(release(&booted, handle), 0x00000000);
    }
    assert_int_equal(
        release(&booted, row->is_offset ? handle + row->offset : row->offset),
        row->want);
    assert_int_equal(
        booted.kernel.arbiter->first != NULL, row->want != 0 && !row->twice);
    assert_int_equal(
        booted_broken(&booted, RULE_HAL_FREE_NULL), row->want_null);
    booted_release(&booted);
}

static void set_belongs_to_the_driver_that_called(void **state)
{
    struct booted_kernel booted;
    uint64_t handle;

    (void)state;
    booted_init_usual(&booted);
    assert_int_equal(allocate(&booted, counter_0, 1, &handle), 0x00000000);
    assert_ptr_equal(booted.kernel.arbiter->first->owner, &booted.driver);
    booted_release(&booted);
}

static void another_driver_may_free_the_set(void **state)
{
    struct booted_kernel booted;
    struct driver other = {.name = "other"};
    struct release call = {0};

    (void)state;
    booted_init_usual(&booted);
    assert_int_equal(allocate(&booted, counter_0, 1, &call.handle), 0);
    assert_non_null(
        strand_spawn(booted_cpu(&booted, 1), release_call, &call, &other));
    assert_int_equal(machine_run(&booted.machine), MACHINE_IDLE);
    assert_int_equal(call.status, 0x00000000);
    assert_null(booted.kernel.arbiter->first);
    booted_release(&booted);
}

/* Counter 0 of processor 1 is set up, then its set is freed. */
static struct running_row {
    const char *name;
    uint64_t select, global;
    unsigned want_broken;
} running_rows[] = {
    {"free_of_a_running_counter_is_reported", 0x5300C0, 0xFF, 1},
    {"free_of_a_counter_that_was_switched_off_is_fine", 0x1300C0, 0xFF, 0},
    {"free_of_a_counter_stopped_globally_is_fine", 0x5300C0, 0xFE, 0},
    {"free_of_a_counter_that_counts_no_ring_is_fine", 0x5000C0, 0xFF, 0},
};

static void running_row(void **state)
{
    const struct running_row *row = *state;
    struct booted_kernel booted;
    struct cpu *cpu;
    uint64_t handle, select = 0;

    booted_init_usual(&booted);
    cpu = booted_cpu(&booted, 1);
    assert_int_equal(allocate(&booted, counter_0, 1, &handle), 0x00000000);
    assert_int_equal(msr_write(cpu, 0x186, row->select), MSR_OK);
    assert_int_equal(msr_write(cpu, 0x38F, row->global), MSR_OK);

    assert_int_equal(release(&booted, handle), 0x00000000);
    assert_int_equal(
        booted_broken(&booted, RULE_HAL_FREE_RUNNING), row->want_broken);
    assert_int_equal(booted.kernel.rules.count, row->want_broken);
    /* The next owner finds the counter as it was left. */
    assert_int_equal(msr_peek(cpu, 0x186, &select), MSR_OK);
    assert_int_equal(select, row->select);
    booted_release(&booted);
}

static void running_counter_of_nobody_does_not_matter(void **state)
{
    struct booted_kernel booted;
    uint64_t handle;

    (void)state;
    booted_init_usual(&booted);
    assert_int_equal(allocate(&booted, counter_0, 1, &handle), 0x00000000);
    assert_int_equal(
        msr_write(booted_cpu(&booted, 0), 0x187, 0x5300C0), MSR_OK);
    assert_int_equal(release(&booted, handle), 0x00000000);
    assert_int_equal(booted.kernel.rules.count, 0);
    booted_release(&booted);
}

TEST_FILE(test_hal_counters)
{
    TEST_ADD_ROWS(list, handle_row, handle_rows);
    TEST_ADD_ROWS(list, running_row, running_rows);
    test_add(list, "whole_pmu_is_given_once_until_it_is_freed",
        whole_pmu_is_given_once_until_it_is_freed, NULL);
    test_add(list, "counters_of_a_list_conflict_one_by_one",
        counters_of_a_list_conflict_one_by_one, NULL);
    test_add(list, "refused_list_keeps_none_of_its_counters",
        refused_list_keeps_none_of_its_counters, NULL);
    test_add(list, "freed_set_frees_all_of_its_counters",
        freed_set_frees_all_of_its_counters, NULL);
    test_add(list, "set_belongs_to_the_driver_that_called",
        set_belongs_to_the_driver_that_called, NULL);
    test_add(list, "another_driver_may_free_the_set",
        another_driver_may_free_the_set, NULL);
    test_add(list, "running_counter_of_nobody_does_not_matter",
        running_counter_of_nobody_does_not_matter, NULL);
}
