/* test_claim.c - each check of HalAllocateHardwareCounters, the request that
 * comes out of it, and the difference between versions (facts.md 2.2). */
#include "api/hal/arbiter.h"
#include "api/hal/claim.h"
#include "tests/api/core/allocation.h"

static void NTAPI handler(ULONGLONG OverflowBits, HANDLE OwningHandle)
{
    (void)OverflowBits;
    (void)OwningHandle;
}

static void NTAPI events(
    PVOID EventBuffer, SIZE_T EntrySize, SIZE_T NumberOfEntries, HANDLE Owner)
{
    (void)EventBuffer;
    (void)EntrySize;
    (void)NumberOfEntries;
    (void)Owner;
}

/* A list with a NULL affinity on a PMU with counters 0..7 and 32..34. */
static struct list_row {
    const char *name;
    enum os os;
    uint32_t want;
    ULONG count;
    PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR descriptor[4];
} list_rows[] = {
    {"first_gp_counter_exists", OS_WIN11, 0x00000000, 1, {SINGLE(0)}},
    {"last_gp_counter_exists", OS_WIN11, 0x00000000, 1, {SINGLE(7)}},
    {"gp_counter_8_does_not_exist", OS_WIN11, 0xC000000D, 1, {SINGLE(8)}},
    {"index_31_does_not_exist", OS_WIN11, 0xC000000D, 1, {SINGLE(31)}},
    {"first_fixed_counter_is_index_32", OS_WIN11, 0x00000000, 1, {SINGLE(32)}},
    {"last_fixed_counter_is_index_34", OS_WIN11, 0x00000000, 1, {SINGLE(34)}},
    {"fixed_counter_3_does_not_exist", OS_WIN11, 0xC000000D, 1, {SINGLE(35)}},
    {"index_64_does_not_exist", OS_WIN11, 0xC000000D, 1, {SINGLE(64)}},
    {"highest_index_does_not_exist", OS_WIN11, 0xC000000D, 1,
        {SINGLE(0xFFFFFFFF)}},
    {"selector_of_a_fixed_counter_is_no_index", OS_WIN11, 0xC000000D, 1,
        {SINGLE(0x40000000)}},
    {"range_of_all_gp_counters", OS_WIN11, 0x00000000, 1, {RANGE(0, 7)}},
    {"range_of_all_fixed_counters", OS_WIN11, 0x00000000, 1, {RANGE(32, 34)}},
    {"range_of_one_counter", OS_WIN11, 0x00000000, 1, {RANGE(5, 5)}},
    {"range_backwards_is_invalid", OS_WIN11, 0xC000000D, 1, {RANGE(1, 0)}},
    {"range_whose_end_does_not_exist_is_invalid", OS_WIN11, 0xC000000D, 1,
        {RANGE(0, 8)}},
    {"range_across_the_hole_is_invalid", OS_WIN11, 0xC000000D, 1,
        {RANGE(7, 32)}},
    {"range_inside_of_the_hole_is_invalid", OS_WIN11, 0xC000000D, 1,
        {RANGE(8, 31)}},
    {"range_past_the_fixed_counters_is_invalid", OS_WIN11, 0xC000000D, 1,
        {RANGE(34, 35)}},
    {"range_of_64_counters_is_invalid", OS_WIN11, 0xC000000D, 1,
        {RANGE(0, 63)}},
    {"range_to_the_highest_index_is_invalid", OS_WIN11, 0xC000000D, 1,
        {RANGE(0, 0xFFFFFFFF)}},
    {"range_from_the_highest_index_is_invalid", OS_WIN11, 0xC000000D, 1,
        {RANGE(0xFFFFFFFF, 0xFFFFFFFF)}},
    {"same_index_twice_is_invalid", OS_WIN11, 0xC000000D, 2,
        {SINGLE(3), SINGLE(3)}},
    {"single_inside_of_a_range_is_invalid", OS_WIN11, 0xC000000D, 2,
        {SINGLE(0), RANGE(0, 1)}},
    {"range_around_a_single_is_invalid", OS_WIN11, 0xC000000D, 2,
        {RANGE(0, 3), SINGLE(2)}},
    {"overlapping_ranges_are_invalid", OS_WIN11, 0xC000000D, 2,
        {RANGE(0, 3), RANGE(3, 5)}},
    {"adjacent_ranges_do_not_overlap", OS_WIN11, 0x00000000, 2,
        {RANGE(0, 3), RANGE(4, 7)}},
    {"list_without_descriptors_is_invalid", OS_WIN11, 0xC000000D, 0, {TYPE(0)}},
    {"type_2_is_not_supported", OS_WIN11, 0xC00000BB, 1, {TYPE(2)}},
    {"type_2_behind_others_is_not_supported", OS_WIN11, 0xC00000BB, 3,
        {SINGLE(0), HANDLER(handler), TYPE(2)}},
    {"type_6_is_unknown", OS_WIN11, 0xC000000D, 2, {SINGLE(0), TYPE(6)}},
    {"type_7_is_unknown", OS_WIN11, 0xC000000D, 2, {SINGLE(0), TYPE(7)}},
    {"highest_type_is_unknown", OS_WIN11, 0xC000000D, 2,
        {SINGLE(0), TYPE(0xFFFFFFFF)}},
    {"counter_with_handler", OS_WIN11, 0x00000000, 2,
        {SINGLE(0), HANDLER(handler)}},
    {"handler_null_is_invalid", OS_WIN11, 0xC000000D, 2,
        {SINGLE(0), HANDLER(NULL)}},
    {"two_handlers_are_invalid", OS_WIN11, 0xC000000D, 3,
        {SINGLE(0), HANDLER(handler), HANDLER(handler)}},
    {"event_buffer_without_a_handler_is_invalid", OS_WIN11, 0xC000000D, 1,
        {EVENTS(NULL, 0, 1)}},
    {"event_buffer_with_own_entry_size_is_invalid", OS_WIN11, 0xC000000D, 1,
        {EVENTS(events, 64, 1)}},
    {"event_buffer_with_threshold_0_is_invalid", OS_WIN11, 0xC000000D, 1,
        {EVENTS(events, 0, 0)}},
    {"two_event_buffers_are_invalid", OS_WIN11, 0xC000000D, 2,
        {EVENTS(events, 0, 1), EVENTS(events, 0, 1)}},
    {"pmu_has_no_event_buffer", OS_WIN11, 0xC00000BB, 1,
        {EVENTS(events, 0, 1)}},
    {"pmu_has_no_event_buffer_beside_counters", OS_WIN11, 0xC00000BB, 2,
        {SINGLE(0), EVENTS(events, 0, 1)}},
    {"tag_beside_a_counter", OS_WIN11, 0x00000000, 2,
        {SINGLE(0), TAG(0xFFFFFFFF)}},
    {"tag_of_0_is_a_tag", OS_WIN11, 0x00000000, 2, {SINGLE(0), TAG(0)}},
    {"tag_alone_is_invalid", OS_WIN11, 0xC000000D, 1, {TAG(1)}},
    {"two_tags_are_invalid", OS_WIN11, 0xC000000D, 3,
        {SINGLE(0), TAG(1), TAG(1)}},
    {"any_mix_of_resources_is_a_set", OS_WIN11, 0x00000000, 4,
        {SINGLE(0), RANGE(2, 3), HANDLER(handler), TAG(7)}},
    {"list_on_windows_7_is_invalid", OS_WIN7, 0xC000000D, 1, {SINGLE(0)}},
    {"list_on_windows_8_is_invalid", OS_WIN8, 0xC000000D, 1, {SINGLE(0)}},
    {"list_before_1903_is_invalid", OS_WIN10_PRE1903, 0xC000000D, 1,
        {SINGLE(0)}},
    {"list_on_1903", OS_WIN10_1903, 0x00000000, 1, {SINGLE(0)}},
    {"list_on_fe", OS_WIN_FE, 0x00000000, 1, {SINGLE(0)}},
    {"event_buffer_is_known_on_1903", OS_WIN10_1903, 0xC00000BB, 1,
        {EVENTS(events, 0, 1)}},
    {"tag_is_unknown_on_1903", OS_WIN10_1903, 0xC000000D, 2,
        {SINGLE(0), TAG(1)}},
    {"tag_is_known_on_fe", OS_WIN_FE, 0x00000000, 2, {SINGLE(0), TAG(1)}},
};

static void list_row(void **state)
{
    struct list_row *row = *state;
    struct booted_kernel booted;
    uint64_t handle;

    booted_init(&booted, row->os, ARCH_X64, 2, 1);
    assert_int_equal(
        allocate(&booted, row->descriptor, row->count, &handle), row->want);
    if (row->want == 0) {
        assert_int_not_equal(handle, 0);
        assert_int_equal(handle, booted.kernel.arbiter->first->handle);
    } else {
        assert_int_equal(handle, 0);
        assert_null(booted.kernel.arbiter->first);
    }
    assert_int_equal(booted.kernel.rules.count, 0);
    booted_release(&booted);
}

/* Affinities with a NULL list, on group 0 with four processors and group 1
 * with three. */
static struct affinity_row {
    const char *name;
    enum os os;
    uint32_t want;
    ULONG groups;
    bool null; /* GroupAffinty is NULL */
    GROUP_AFFINITY affinity[2];
    uint64_t want_mask[2];
} affinity_rows[] = {
    {"null_affinity_is_every_processor", OS_WIN11, 0x00000000, 0, true, {{0}},
        {0xF, 0x7}},
    {"null_affinity_with_a_count_is_invalid", OS_WIN11, 0xC000000D, 1, true,
        {{0}}, {0}},
    {"affinity_with_count_0_is_invalid", OS_WIN11, 0xC000000D, 0, false,
        {{.Mask = 1}}, {0}},
    {"one_processor", OS_WIN11, 0x00000000, 1, false, {{.Mask = 0x2}},
        {0x2, 0}},
    {"all_processors_of_the_last_group", OS_WIN11, 0x00000000, 1, false,
        {{.Mask = 0x7, .Group = 1}}, {0, 0x7}},
    {"processors_of_two_groups", OS_WIN11, 0x00000000, 2, false,
        {{.Mask = 0x8}, {.Mask = 0x1, .Group = 1}}, {0x8, 0x1}},
    {"same_group_twice_is_both_masks", OS_WIN11, 0x00000000, 2, false,
        {{.Mask = 0x1}, {.Mask = 0xA}}, {0xB, 0}},
    {"same_mask_twice_is_no_fault", OS_WIN11, 0x00000000, 2, false,
        {{.Mask = 0x3}, {.Mask = 0x3}}, {0x3, 0}},
    {"mask_0_is_invalid", OS_WIN11, 0xC000000D, 1, false, {{.Mask = 0}}, {0}},
    {"mask_0_in_the_second_element_is_invalid", OS_WIN11, 0xC000000D, 2, false,
        {{.Mask = 0x1}, {.Mask = 0}}, {0}},
    {"processor_that_is_not_active_is_invalid", OS_WIN11, 0xC000000D, 1, false,
        {{.Mask = 0x10}}, {0}},
    {"inactive_processor_beside_active_ones_is_dropped", OS_WIN11, 0x00000000,
        1, false, {{.Mask = 0x1F}}, {0xF, 0}},
    {"inactive_processors_of_the_last_group_are_dropped", OS_WIN11, 0x00000000,
        1, false, {{.Mask = UINT64_MAX, .Group = 1}}, {0, 0x7}},
    {"processor_of_another_group_is_invalid", OS_WIN11, 0xC000000D, 1, false,
        {{.Mask = 0x8, .Group = 1}}, {0}},
    {"first_group_that_is_not_active_is_invalid", OS_WIN11, 0xC000000D, 1,
        false, {{.Mask = 0x1, .Group = 2}}, {0}},
    {"group_of_no_machine_is_invalid", OS_WIN11, 0xC000000D, 1, false,
        {{.Mask = 0x1, .Group = 32}}, {0}},
    {"highest_group_is_invalid", OS_WIN11, 0xC000000D, 1, false,
        {{.Mask = 0x1, .Group = 0xFFFF}}, {0}},
    {"affinity_on_windows_7_is_invalid", OS_WIN7, 0xC000000D, 1, false,
        {{.Mask = 0x1}}, {0}},
    {"affinity_on_windows_8_is_invalid", OS_WIN8, 0xC000000D, 1, false,
        {{.Mask = 0x1}}, {0}},
    {"affinity_before_1903_is_invalid", OS_WIN10_PRE1903, 0xC000000D, 1, false,
        {{.Mask = 0x1}}, {0}},
    {"affinity_on_1903", OS_WIN10_1903, 0x00000000, 1, false, {{.Mask = 0x1}},
        {0x1, 0}},
    {"windows_7_gives_every_processor", OS_WIN7, 0x00000000, 0, true, {{0}},
        {0xF, 0x7}},
    {"windows_8_gives_every_processor", OS_WIN8, 0x00000000, 0, true, {{0}},
        {0xF, 0x7}},
    {"before_1903_every_processor_is_given", OS_WIN10_PRE1903, 0x00000000, 0,
        true, {{0}}, {0xF, 0x7}},
};

static void affinity_row(void **state)
{
    struct affinity_row *row = *state;
    struct booted_kernel booted;
    struct allocation call = {.groups = row->groups};

    booted_init(&booted, row->os, ARCH_X64, 7, 2);
    call.handle = allocation_handle(&booted);
    if (!row->null) {
        call.affinity =
            booted_copy(&booted, row->affinity, 2 * sizeof(GROUP_AFFINITY));
    }
    booted_run(&booted, 0, allocation_try, &call);

    assert_false(call.raised);
    assert_int_equal(call.status, row->want);
    assert_int_equal(booted.kernel.arbiter->first != NULL, row->want == 0);
    assert_int_equal(*call.handle != NULL, row->want == 0);
    if (row->want == 0) {
        const struct counter_claim *claim =
            &booted.kernel.arbiter->first->claim;

        assert_true(claim->exclusive);
        assert_int_equal(claim->affinity[0], row->want_mask[0]);
        assert_int_equal(claim->affinity[1], row->want_mask[1]);
    }
    booted_release(&booted);
}

/* What the kernel notes of a valid list. */
static struct claim_row {
    const char *name;
    ULONG count;
    PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR descriptor[3];
    uint64_t want_counters;
    PPHYSICAL_COUNTER_OVERFLOW_HANDLER want_handler;
    ULONG want_tag;
} claim_rows[] = {
    {"counter_index_is_its_bit", 1, {SINGLE(34)}, 0x400000000, NULL, 0},
    {"range_end_is_inclusive", 1, {RANGE(1, 3)}, 0xE, NULL, 0},
    {"counters_of_all_descriptors_add_up", 3,
        {SINGLE(0), RANGE(6, 7), SINGLE(32)}, 0x1000000C1, NULL, 0},
    {"handler_is_kept", 2, {HANDLER(handler), SINGLE(1)}, 0x2, handler, 0},
    {"tag_is_kept", 2, {TAG(0x12345678), SINGLE(1)}, 0x2, NULL, 0x12345678},
};

static void claim_row(void **state)
{
    struct claim_row *row = *state;
    struct booted_kernel booted;
    const struct counter_claim *claim;
    uint64_t handle;

    booted_init_usual(&booted);
    assert_int_equal(
        allocate(&booted, row->descriptor, row->count, &handle), 0);
    claim = &booted.kernel.arbiter->first->claim;
    assert_false(claim->exclusive);
    assert_int_equal(claim->counters, row->want_counters);
    assert_ptr_equal(claim->handler, row->want_handler);
    assert_int_equal(claim->tag, row->want_tag);
    assert_int_equal(claim->affinity[0], 0x3);
    booted_release(&booted);
}

TEST_FILE(test_claim)
{
    TEST_ADD_ROWS(list, list_row, list_rows);
    TEST_ADD_ROWS(list, affinity_row, affinity_rows);
    TEST_ADD_ROWS(list, claim_row, claim_rows);
}
