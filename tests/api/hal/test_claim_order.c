/* test_claim_order.c - which check of HalAllocateHardwareCounters speaks when
 * two faults meet, and which rules are reported on the way (facts.md 2.2). */
#include "api/hal/arbiter.h"
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

/* A descriptor with Flags 1. */
#define FLAGGED(number)                                                        \
    {                                                                          \
        .Type = (PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR_TYPE)(number),           \
        .Flags = 1                                                             \
    }

/* A list with a NULL affinity on Windows 11. */
static struct list_row {
    const char *name;
    uint32_t want;
    const char *want_rule; /* the only one that is broken; NULL: none */
    ULONG count;
    PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR descriptor[4];
} list_rows[] = {
    {"flags_are_reported_and_accepted", 0x00000000, "hal.alloc.flags", 1,
        {FLAGGED(0)}},
    {"flags_of_two_descriptors_are_reported_once", 0x00000000,
        "hal.alloc.flags", 2,
        {FLAGGED(0), {.Type = ResourceTypeSingle,
                         .Flags = 0x80000000,
                         .u = {.CounterIndex = 1}}}},
    {"lone_handler_is_reported_and_accepted", 0x00000000,
        "hal.alloc.lone_overflow", 1, {HANDLER(handler)}},
    {"lone_handler_beside_a_tag_is_accepted", 0x00000000,
        "hal.alloc.lone_overflow", 2, {HANDLER(handler), TAG(1)}},
    {"type_2_beats_an_unknown_type", 0xC00000BB, NULL, 2, {TYPE(6), TYPE(2)}},
    {"type_2_beats_a_missing_index", 0xC00000BB, NULL, 2, {SINGLE(8), TYPE(2)}},
    {"type_2_beats_a_null_handler", 0xC00000BB, NULL, 2,
        {HANDLER(NULL), TYPE(2)}},
    {"type_2_beats_a_lone_tag", 0xC00000BB, NULL, 2, {TAG(1), TYPE(2)}},
    {"type_2_is_tested_before_flags", 0xC00000BB, NULL, 2,
        {FLAGGED(0), TYPE(2)}},
    {"unknown_type_is_tested_before_flags", 0xC000000D, NULL, 2,
        {FLAGGED(0), TYPE(6)}},
    {"flags_are_tested_before_indexes", 0xC000000D, "hal.alloc.flags", 2,
        {FLAGGED(0), SINGLE(8)}},
    {"flags_are_tested_before_ranges", 0xC000000D, "hal.alloc.flags", 2,
        {FLAGGED(0), RANGE(3, 2)}},
    {"flags_are_tested_before_duplicates", 0xC000000D, "hal.alloc.flags", 2,
        {FLAGGED(0), SINGLE(0)}},
    {"null_handler_is_tested_before_lone_handler", 0xC000000D, NULL, 1,
        {HANDLER(NULL)}},
    {"second_handler_is_tested_before_lone_handler", 0xC000000D, NULL, 2,
        {HANDLER(handler), HANDLER(handler)}},
    {"missing_index_is_tested_before_the_event_buffer", 0xC000000D, NULL, 2,
        {EVENTS(events, 0, 1), SINGLE(8)}},
    {"duplicate_is_tested_before_the_event_buffer", 0xC000000D, NULL, 3,
        {EVENTS(events, 0, 1), SINGLE(1), SINGLE(1)}},
    {"null_handler_is_tested_before_the_event_buffer", 0xC000000D, NULL, 3,
        {EVENTS(events, 0, 1), SINGLE(1), HANDLER(NULL)}},
    {"lone_handler_is_reported_before_the_event_buffer", 0xC00000BB,
        "hal.alloc.lone_overflow", 2, {EVENTS(events, 0, 1), HANDLER(handler)}},
    {"lone_handler_is_reported_before_two_tags", 0xC000000D,
        "hal.alloc.lone_overflow", 3, {TAG(1), TAG(1), HANDLER(handler)}},
    {"bad_event_buffer_is_tested_before_a_missing_one", 0xC000000D, NULL, 2,
        {SINGLE(0), EVENTS(events, 0, 0)}},
    {"second_event_buffer_is_tested_before_a_missing_one", 0xC000000D, NULL, 3,
        {SINGLE(0), EVENTS(events, 0, 1), EVENTS(events, 0, 1)}},
    {"missing_event_buffer_is_tested_before_two_tags", 0xC00000BB, NULL, 4,
        {SINGLE(0), EVENTS(events, 0, 1), TAG(1), TAG(2)}},
};

static void list_row(void **state)
{
    struct list_row *row = *state;
    struct booted_kernel booted;
    const struct rule_log *log = &booted.kernel.rules;
    uint64_t handle;

    booted_init_usual(&booted);
    assert_int_equal(
        allocate(&booted, row->descriptor, row->count, &handle), row->want);
    assert_int_equal(log->count, row->want_rule == NULL ? 0 : 1);
    if (row->want_rule != NULL) {
        assert_string_equal(rule_rows[log->event[0].rule].id, row->want_rule);
        assert_int_equal(
            log->event[0].routine, ROUTINE_HalAllocateHardwareCounters);
    }
    booted_release(&booted);
}

/* All four arguments, on group 0 with four processors. */
static struct call_row {
    const char *name;
    enum os os;
    uint32_t want;
    const char *want_rule;
    bool no_handle, no_affinity, no_list; /* NULL */
    ULONG groups;
    GROUP_AFFINITY affinity[2];
    ULONG count;
    PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR descriptor[2];
} call_rows[] = {
    {"null_handle_is_tested_first", OS_WIN11, 0xC000000D, NULL, true, false,
        false, 1, {{.Mask = 1, .Reserved = {1}}}, 1, {TYPE(2)}},
    {"null_handle_is_invalid", OS_WIN11, 0xC000000D, NULL, true, true, true, 0,
        {{0}}, 0, {TYPE(0)}},
    {"missing_affinity_is_tested_before_type_2", OS_WIN11, 0xC000000D, NULL,
        false, true, false, 1, {{0}}, 1, {TYPE(2)}},
    {"surplus_affinity_is_tested_before_type_2", OS_WIN11, 0xC000000D, NULL,
        false, false, false, 0, {{.Mask = 1}}, 1, {TYPE(2)}},
    {"version_is_tested_before_type_2", OS_WIN7, 0xC000000D, NULL, false, true,
        false, 0, {{0}}, 1, {TYPE(2)}},
    {"version_is_tested_before_reserved", OS_WIN7, 0xC000000D, NULL, false,
        false, true, 1, {{.Mask = 1, .Reserved = {1}}}, 0, {TYPE(0)}},
    {"mask_is_tested_before_type_2", OS_WIN11, 0xC000000D, NULL, false, false,
        false, 1, {{.Mask = 0}}, 1, {TYPE(2)}},
    {"mask_is_tested_before_reserved", OS_WIN11, 0xC000000D, NULL, false, false,
        true, 1, {{.Mask = 0, .Reserved = {1}}}, 0, {TYPE(0)}},
    {"every_mask_is_tested_before_reserved", OS_WIN11, 0xC000000D, NULL, false,
        false, true, 2, {{.Mask = 1, .Reserved = {1}}, {.Mask = 0x10}}, 0,
        {TYPE(0)}},
    {"reserved_0_is_reported_and_accepted", OS_WIN11, 0x00000000,
        "hal.alloc.reserved", false, false, true, 1,
        {{.Mask = 1, .Reserved = {1, 0, 0}}}, 0, {TYPE(0)}},
    {"reserved_1_is_reported_and_accepted", OS_WIN11, 0x00000000,
        "hal.alloc.reserved", false, false, true, 1,
        {{.Mask = 1, .Reserved = {0, 1, 0}}}, 0, {TYPE(0)}},
    {"reserved_2_is_reported_and_accepted", OS_WIN11, 0x00000000,
        "hal.alloc.reserved", false, false, true, 1,
        {{.Mask = 1, .Reserved = {0, 0, 0x8000}}}, 0, {TYPE(0)}},
    {"reserved_of_two_elements_is_reported_once", OS_WIN11, 0x00000000,
        "hal.alloc.reserved", false, false, true, 2,
        {{.Mask = 1, .Reserved = {1}}, {.Mask = 2, .Reserved = {1}}}, 0,
        {TYPE(0)}},
    {"reserved_is_reported_before_an_empty_list", OS_WIN11, 0xC000000D,
        "hal.alloc.reserved", false, false, false, 1,
        {{.Mask = 1, .Reserved = {1}}}, 0, {TYPE(0)}},
    {"reserved_is_reported_before_type_2", OS_WIN11, 0xC00000BB,
        "hal.alloc.reserved", false, false, false, 1,
        {{.Mask = 1, .Reserved = {1}}}, 1, {TYPE(2)}},
};

static void call_row(void **state)
{
    struct call_row *row = *state;
    struct booted_kernel booted;
    const struct rule_log *log = &booted.kernel.rules;
    struct allocation call = {.groups = row->groups};

    booted_init(&booted, row->os, ARCH_X64, 4, 1);
    if (!row->no_handle) {
        call.handle = allocation_handle(&booted);
    }
    if (!row->no_affinity) {
        call.affinity =
            booted_copy(&booted, row->affinity, sizeof(row->affinity));
    }
    if (!row->no_list) {
        call.list = allocation_list(&booted, row->descriptor, row->count);
    }
    booted_run(&booted, 0, allocation_try, &call);

    assert_false(call.raised);
    assert_int_equal(call.status, row->want);
    assert_int_equal(booted.kernel.arbiter->first != NULL, row->want == 0);
    assert_int_equal(log->count, row->want_rule == NULL ? 0 : 1);
    if (row->want_rule != NULL) {
        assert_string_equal(rule_rows[log->event[0].rule].id, row->want_rule);
    }
    booted_release(&booted);
}

/* Pointers to too little memory: a block of so many bytes, or none at all. */
enum { WILD = -1 };

static struct fault_row {
    const char *name;
    int affinity_bytes, list_bytes, handle_bytes;
    ULONG groups, count;
    bool want_write;
} fault_rows[] = {
    {"affinity_of_no_memory_raises", WILD, 32, 8, 1, 1, false},
    {"affinity_one_byte_too_short_raises", 15, 32, 8, 1, 1, false},
    {"second_affinity_past_the_end_raises", 16, 32, 8, 2, 1, false},
    {"list_of_no_memory_raises", 16, WILD, 8, 1, 1, false},
    {"list_without_its_count_raises", 16, 3, 8, 1, 1, false},
    {"descriptor_one_byte_too_short_raises", 16, 31, 8, 1, 1, false},
    {"count_that_lies_raises_at_the_end", 16, 32, 8, 1, 2, false},
    {"handle_of_no_memory_raises", 16, 32, WILD, 1, 1, true},
    {"handle_one_byte_too_short_raises", 16, 32, 7, 1, 1, true},
};

static void *bytes_of(struct booted_kernel *booted, const void *from, int bytes)
{
    return bytes == WILD ? (void *)(uintptr_t)0x10
                         : booted_copy(booted, from, (size_t)bytes);
}

static void fault_row(void **state)
{
    static const GROUP_AFFINITY affinity[] = {{.Mask = 1}, {.Mask = 2}};
    const struct fault_row *row = *state;
    struct booted_kernel booted;
    struct allocation call = {.groups = row->groups};
    PHYSICAL_COUNTER_RESOURCE_LIST list = {.Descriptors = {SINGLE(0)}};
    uint64_t handle = 0;

    list.Count = row->count;
    booted_init_usual(&booted);
    call.affinity = bytes_of(&booted, affinity, row->affinity_bytes);
    call.list = bytes_of(&booted, &list, row->list_bytes);
    call.handle = bytes_of(&booted, &handle, row->handle_bytes);
    booted_run(&booted, 0, allocation_try, &call);

    assert_true(call.raised);
    assert_int_equal((uint32_t)call.record.code, 0xC0000005);
    assert_int_equal(call.record.write, row->want_write);
    assert_int_equal(call.record.routine, ROUTINE_HalAllocateHardwareCounters);
    assert_null(booted.kernel.arbiter->first); /* HAL-ALLOC-24b */
    booted_release(&booted);
}

TEST_FILE(test_claim_order)
{
    TEST_ADD_ROWS(list, list_row, list_rows);
    TEST_ADD_ROWS(list, call_row, call_rows);
    TEST_ADD_ROWS(list, fault_row, fault_rows);
}
