/* test_faults.c - calls that fail without doing anything, as seen by whoever
 * makes them. */
#include "api/boot/exports.h"
#include "api/hal/arbiter.h"
#include "tests/api/booted_kernel.h"

static struct fault_row {
    const char *name;
    uint32_t nth;
    unsigned want_failed; /* which of the calls; 0: none of them */
    uint32_t want_left;
} fault_rows[] = {
    {"next_call_fails", 1, 1, 0},
    {"second_call_fails", 2, 2, 0},
    {"third_call_fails", 3, 3, 0},
    {"call_that_never_comes", 5, 0, 2},
};

enum { CALLS = 3 };

static void fault_row(void **state)
{
    const struct fault_row *row = *state;
    struct faults faults = {0};
    uint64_t result = 7;

    faults_arm(&faults, ROUTINE_ExAllocatePool, row->nth, 0x55);
    for (unsigned call = 1; call <= CALLS; call++) {
        bool failed = faults_take(&faults, ROUTINE_ExAllocatePool, &result);

        assert_int_equal(failed, call == row->want_failed);
        assert_false(faults_take(&faults, ROUTINE_ExAllocatePool2, &result));
        if (call < row->want_failed) {
            assert_int_equal(result, 7);
        }
    }
    assert_int_equal(result, row->want_failed == 0 ? 7 : 0x55);
    assert_int_equal(
        faults_left(&faults, ROUTINE_ExAllocatePool), row->want_left);
}

/* Whether the call with these arguments can fail, and how. */
static struct way_row {
    const char *name;
    enum routine routine;
    uint64_t argument[8];
    bool want;
    struct fault_way want_way;
} way_rows[] = {
    {"always", ROUTINE_HalAllocateHardwareCounters, {0}, true,
        {(uint32_t)STATUS_INSUFFICIENT_RESOURCES, false}},
    {"always_with_null", ROUTINE_IoAllocateWorkItem, {0}, true, {0, false}},
    {"routine_without_a_way", ROUTINE_HalFreeHardwareCounters, {0}, false,
        {7, true}},
    {"only_where_given_and_it_is", ROUTINE_KeWaitForSingleObject,
        {1, 0, 0, 0, 0x1000}, true, {(uint32_t)STATUS_TIMEOUT, false}},
    {"only_where_given_and_it_is_not", ROUTINE_KeWaitForSingleObject,
        {1, 0, 0, 1, 0}, false, {7, true}},
    {"only_where_given_high_bits", ROUTINE_KeWaitForMultipleObjects,
        {1, 0, 0, 0, 0, 0, UINT64_C(1) << 63}, true,
        {(uint32_t)STATUS_TIMEOUT, false}},
    {"only_where_given_in_its_bits", ROUTINE_KeSetHardwareCounterConfiguration,
        {1, UINT64_C(1) << 32}, false, {7, true}},
    {"only_where_not_given_and_it_is_not",
        ROUTINE_ExAcquireResourceExclusiveLite, {1, 0}, true, {0, false}},
    {"only_where_not_given_and_it_is", ROUTINE_ExAcquireResourceExclusiveLite,
        {1, 1}, false, {7, true}},
    {"only_where_not_given_behind_its_bits",
        ROUTINE_ExAcquireResourceSharedLite, {1, 0x100}, true, {0, false}},
    {"raises_where_asked", ROUTINE_ExAllocatePool2, {0x20 | 0x40}, true,
        {0, true}},
    {"returns_where_not_asked_to_raise", ROUTINE_ExAllocatePool2, {0x40}, true,
        {0, false}},
    {"raises_by_the_type_of_its_pool", ROUTINE_ExAllocatePoolWithTag, {0x10, 8},
        true, {0, true}},
};

static void way_row(void **state)
{
    const struct way_row *row = *state;
    struct fault_way way = {7, true};

    assert_int_equal(faults_way(row->routine, row->argument, &way), row->want);
    assert_int_equal(way.result, row->want_way.result);
    assert_int_equal(way.raises, row->want_way.raises);
    assert_int_equal(faults_are_possible(row->routine),
        row->routine != ROUTINE_HalFreeHardwareCounters);
}

struct calls {
    NTSTATUS status[2];
    HANDLE *set;
};

static void allocate_twice(void *argument)
{
    struct calls *calls = argument;

    for (unsigned i = 0; i < 2; i++) {
        calls->status[i] =
            HalAllocateHardwareCounters(NULL, 0, NULL, calls->set);
    }
}

/* The first of two allocations of everything fails, so the second succeeds. */
static void failed_call_does_nothing_and_costs_the_same(void **state)
{
    struct booted_kernel booted;
    struct calls calls;
    uint64_t before;

    (void)state;
    booted_init_usual(&booted);
    calls.set = booted_block(&booted, sizeof(HANDLE), 0xA5);
    faults_arm(&booted.kernel.faults, ROUTINE_HalAllocateHardwareCounters, 1,
        (uint32_t)STATUS_INSUFFICIENT_RESOURCES);
    before = booted_cpu(&booted, 0)->time;
    booted_run(&booted, 0, allocate_twice, &calls);
    assert_int_equal(calls.status[0], STATUS_INSUFFICIENT_RESOURCES);
    assert_int_equal(calls.status[1], STATUS_SUCCESS);
    assert_int_equal(booted_cpu(&booted, 0)->time - before, 2400);
    booted_release(&booted);
}

static void allocate_once(void *argument)
{
    struct calls *calls = argument;

    calls->status[0] = HalAllocateHardwareCounters(NULL, 0, NULL, calls->set);
}

static void failed_allocation_gives_null(void **state)
{
    struct booted_kernel booted;
    struct calls calls;
    uint64_t written;

    (void)state;
    booted_init_usual(&booted);
    calls.set = booted_block(&booted, sizeof(HANDLE), 0xA5);
    faults_arm(&booted.kernel.faults, ROUTINE_HalAllocateHardwareCounters, 1,
        (uint32_t)STATUS_NOT_SUPPORTED);
    booted_run(&booted, 0, allocate_once, &calls);
    memcpy(&written, calls.set, sizeof(written));
    assert_int_equal(written, 0); /* HAL-ALLOC-06 [C] */
    assert_null(booted.kernel.arbiter->first);
    booted_release(&booted);
}

static void query_once(void *argument)
{
    struct calls *calls = argument;

    calls->status[0] = KeQueryHardwareCounterConfiguration(
        (PHARDWARE_COUNTER)calls->set, 1, (PULONG)calls->set);
}

/* A routine whose failures leave the outputs alone. */
static void failed_query_writes_no_output(void **state)
{
    struct booted_kernel booted;
    struct calls calls;
    uint64_t written;

    (void)state;
    booted_init_usual(&booted);
    calls.set = booted_block(&booted, sizeof(HANDLE), 0xA5);
    faults_arm(&booted.kernel.faults,
        ROUTINE_KeQueryHardwareCounterConfiguration, 1,
        (uint32_t)STATUS_BUFFER_TOO_SMALL);
    booted_run(&booted, 0, query_once, &calls);
    assert_int_equal(calls.status[0], STATUS_BUFFER_TOO_SMALL);
    memcpy(&written, calls.set, sizeof(written));
    assert_int_equal(written, 0xA5A5A5A5A5A5A5A5);
    booted_release(&booted);
}

static void raise_and_allocate(void *argument)
{
    KIRQL old = KfRaiseIrql(2);

    (void)old;
    allocate_once(argument);
}

/* Its contract holds all the same. */
static void failed_call_at_a_wrong_level_stops(void **state)
{
    struct booted_kernel booted;
    struct calls calls;

    (void)state;
    booted_init_usual(&booted);
    calls.set = booted_block(&booted, sizeof(HANDLE), 0xA5);
    faults_arm(&booted.kernel.faults, ROUTINE_HalAllocateHardwareCounters, 1,
        (uint32_t)STATUS_NOT_SUPPORTED);
    booted_run_to_stop(&booted, 0, raise_and_allocate, &calls);
    assert_int_equal(
        faults_left(&booted.kernel.faults, ROUTINE_HalAllocateHardwareCounters),
        1);
    booted_release(&booted);
}

TEST_FILE(test_faults)
{
    TEST_ADD_ROWS(list, fault_row, fault_rows);
    test_add(list, "failed_call_does_nothing_and_costs_the_same",
        failed_call_does_nothing_and_costs_the_same, NULL);
    test_add(list, "failed_allocation_gives_null", failed_allocation_gives_null,
        NULL);
    test_add(list, "failed_query_writes_no_output",
        failed_query_writes_no_output, NULL);
    test_add(list, "failed_call_at_a_wrong_level_stops",
        failed_call_at_a_wrong_level_stops, NULL);
    TEST_ADD_GROUP(list, "way", way_row, way_rows);
}
