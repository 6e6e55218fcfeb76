/* test_refusals.c - whatever HalAllocateHardwareCounters and
 * HalFreeHardwareCounters refuse, nothing is reserved and nothing has changed:
 * one digest of the machine's tables before and after (HAL-ALLOC-06,
 * HAL-FREE-02a). */
#include "api/hal/arbiter.h"
#include "api/ps/counter_config.h"
#include "sim/machine/msr.h"
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

/* FNV-1a, a word at a time. */
static void digest_add(uint64_t *digest, uint64_t word)
{
    *digest = (*digest ^ word) * UINT64_C(0x100000001B3);
}

static void digest_set(uint64_t *digest, const struct counter_set *set)
{
    const struct counter_claim *claim = &set->claim;

    digest_add(digest, set->number);
    digest_add(digest, set->handle);
    digest_add(digest, (uint64_t)set->freed << 32 | set->handlers);
    digest_add(digest, (uint64_t)(uintptr_t)set->owner);
    digest_add(digest, (uint64_t)claim->exclusive << 32 | claim->tag);
    digest_add(digest, claim->counters);
    digest_add(digest, (uint64_t)(uintptr_t)claim->handler);
    for (unsigned group = 0; group < LIMIT_GROUPS; group++) {
        digest_add(digest, claim->affinity[group]);
    }
}

/* Who holds what, as the tables say it, on every processor that could be. */
static void digest_holders(uint64_t *digest, const struct holders *holders)
{
    for (uint32_t group = 0; group < LIMIT_GROUPS; group++) {
        const struct group_holders *own = holders->group[group];

        for (unsigned thing = 0; own != NULL && thing < HOLDERS_THINGS;
             thing++) {
            digest_add(digest, own->taken[thing]);
            for (uint32_t n = 0; n < LIMIT_GROUP_PROCESSORS; n++) {
                const struct counter_set *set =
                    holders_find(holders, group, n, thing);

                digest_add(digest, set == NULL ? 0 : set->number);
            }
        }
        for (uint32_t n = 0; own != NULL && n < LIMIT_GROUP_PROCESSORS; n++) {
            digest_add(digest, own->sets.count[n]);
            digest_add(digest, own->handlers.count[n]);
        }
    }
}

/* The PMU's registers, and those of its interrupt. */
static void digest_registers(uint64_t *digest, const struct cpu *cpu)
{
    static const struct {
        uint32_t from, to;
    } ranges[] = {{0xC1, 0xC8}, {0x186, 0x18D}, {0x1D9, 0x1D9}, {0x309, 0x30B},
        {0x38D, 0x390}, {0x3F1, 0x3F2}, {0x600, 0x600}, {0x808, 0x808},
        {0x834, 0x834}};

    for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++) {
        for (uint32_t at = ranges[i].from; at <= ranges[i].to; at++) {
            uint64_t value = 0;

            digest_add(digest, msr_peek(cpu, at, &value));
            digest_add(digest, value);
        }
    }
}

static uint64_t digest_of(const struct booted_kernel *booted)
{
    const struct kernel *kernel = &booted->kernel;
    uint64_t digest = UINT64_C(0xCBF29CE484222325);

    digest_add(&digest, kernel->arbiter->granted);
    digest_add(&digest, kernel->arbiter->live);
    digest_add(&digest, kernel->config->count);
    for (const struct counter_set *set = kernel->arbiter->first; set != NULL;
         set = set->next) {
        digest_set(&digest, set);
        assert_ptr_equal(arbiter_find(kernel->arbiter, set->handle), set);
    }
    digest_holders(&digest, &kernel->arbiter->holders);
    for (uint32_t i = 0; i < booted->machine.config.processors; i++) {
        digest_registers(&digest, &booted->machine.cpu[i]);
    }
    assert_true(arbiter_check(kernel->arbiter));
    return digest;
}

enum argument {
    USUAL,
    NULL_LIST,
    NULL_LIST_ALL, /* and a NULL affinity */
    NULL_ALL,      /* a NULL affinity of count 0, and the list */
    NULL_AFFINITY, /* with its count */
    NO_HANDLE,     /* NULL */
    WILD_LIST,     /* ends before its last descriptor */
    WILD_AFFINITY, /* likewise its elements */
    WILD_HANDLE,   /* nobody's memory */
    NO_MEMORY,     /* for a set */
};

/* On groups of 4 and 3 processors with counters 0..7 and 32..34. Another driver
 * holds counter 0 of processors 0 and 1 of group 0, with a handler, and counter
 * 33 of group 1. */
static struct refusal_row {
    const char *name;
    uint32_t want; /* 0: an exception instead */
    enum ruled flip;
    enum os os;
    enum argument argument;
    ULONG groups;
    GROUP_AFFINITY affinity[2];
    ULONG count;
    PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR descriptor[3];
} refusal_rows[] = {
#define ON_2                                                                   \
    1,                                                                         \
    {                                                                          \
        {                                                                      \
            .Mask = 0x4                                                        \
        }                                                                      \
    } /* a processor of which nothing is held */
#define PLAIN RULED_COUNT, OS_WIN11, USUAL
    {"no_place_for_the_handle", 0xC000000D, RULED_COUNT, OS_WIN11, NO_HANDLE,
        ON_2, 1, {SINGLE(1)}},
    {"no_place_for_the_handle_ruled_fault", 0, RULED_HAL_ALLOC_30_fault,
        OS_WIN11, NO_HANDLE, ON_2, 1, {SINGLE(1)}},
    {"count_without_affinity", 0xC000000D, RULED_COUNT, OS_WIN11, NULL_AFFINITY,
        1, {{0}}, 1, {SINGLE(1)}},
    {"affinity_without_count", 0xC000000D, PLAIN, 0, {{.Mask = 0x4}}, 1,
        {SINGLE(1)}},
    {"list_of_old_windows", 0xC000000D, RULED_COUNT, OS_WIN8, USUAL, ON_2, 1,
        {SINGLE(1)}},
    {"list_of_old_windows_ruled_not_supported", 0xC00000BB,
        RULED_HAL_ALLOC_11_not_supported, OS_WIN8, USUAL, ON_2, 1, {SINGLE(1)}},
    {"list_of_old_windows_ruled_ignore_is_the_whole_pmu", 0xC000009A,
        RULED_HAL_ALLOC_11_ignore, OS_WIN8, USUAL, ON_2, 1, {SINGLE(1)}},
    {"mask_0_behind_a_good_one", 0xC000000D, PLAIN, 2,
        {{.Mask = 0x4}, {.Mask = 0, .Group = 1}}, 1, {SINGLE(1)}},
    {"group_that_is_not_there", 0xC000000D, PLAIN, 1,
        {{.Mask = 0x1, .Group = 2}}, 1, {SINGLE(1)}},
    {"inactive_processor_ruled_invalid", 0xC000000D,
        RULED_HAL_ALLOC_33a_invalid, OS_WIN11, USUAL, 1, {{.Mask = 0x14}}, 1,
        {SINGLE(1)}},
    {"same_group_twice_ruled_invalid", 0xC000000D, RULED_HAL_ALLOC_33b_invalid,
        OS_WIN11, USUAL, 2, {{.Mask = 0x4}, {.Mask = 0x8}}, 1, {SINGLE(1)}},
    {"reserved_word_ruled_reject", 0xC000000D, RULED_HAL_ALLOC_36b_reject,
        OS_WIN11, USUAL, 1, {{.Mask = 0x4, .Reserved = {1}}}, 1, {SINGLE(1)}},
    {"empty_list", 0xC000000D, PLAIN, ON_2, 0, {SINGLE(1)}},
    {"type_2", 0xC00000BB, PLAIN, ON_2, 2, {SINGLE(1), TYPE(2)}},
    {"unknown_type", 0xC000000D, PLAIN, ON_2, 2, {SINGLE(1), TYPE(6)}},
    {"unknown_type_ruled_not_supported", 0xC00000BB,
        RULED_HAL_ALLOC_35b_not_supported, OS_WIN11, USUAL, ON_2, 2,
        {SINGLE(1), TYPE(6)}},
    {"flags_ruled_reject", 0xC000000D, RULED_HAL_ALLOC_36a_reject, OS_WIN11,
        USUAL, ON_2, 2, {SINGLE(1), {.Flags = 1, .u = {.CounterIndex = 2}}}},
    {"missing_counter_behind_good_ones", 0xC000000D, PLAIN, ON_2, 3,
        {SINGLE(1), RANGE(32, 33), SINGLE(8)}},
    {"missing_counter_ruled_insufficient", 0xC000009A,
        RULED_HAL_ALLOC_37a_insufficient, OS_WIN11, USUAL, ON_2, 2,
        {SINGLE(1), SINGLE(8)}},
    {"range_with_a_hole", 0xC000000D, PLAIN, ON_2, 2,
        {SINGLE(1), RANGE(7, 32)}},
    {"range_ruled_not_supported", 0xC00000BB, RULED_HAL_ALLOC_37b_not_supported,
        OS_WIN11, USUAL, ON_2, 1, {RANGE(3, 2)}},
    {"counter_twice", 0xC000000D, PLAIN, ON_2, 2, {SINGLE(1), RANGE(0, 3)}},
    {"counter_twice_ruled_insufficient", 0xC000009A,
        RULED_HAL_ALLOC_37c_insufficient, OS_WIN11, USUAL, ON_2, 2,
        {SINGLE(1), SINGLE(1)}},
    {"null_handler", 0xC000000D, PLAIN, ON_2, 2, {SINGLE(1), HANDLER(NULL)}},
    {"two_handlers", 0xC000000D, PLAIN, ON_2, 3,
        {SINGLE(1), HANDLER(handler), HANDLER(handler)}},
    {"handler_alone_ruled_invalid", 0xC000000D, RULED_HAL_ALLOC_38c_invalid,
        OS_WIN11, USUAL, ON_2, 1, {HANDLER(handler)}},
    {"event_buffer_alone_ruled_invalid", 0xC000000D,
        RULED_HAL_ALLOC_38d_invalid, OS_WIN11, USUAL, ON_2, 1,
        {EVENTS(events, 0, 1)}},
    {"tag_alone", 0xC000000D, PLAIN, ON_2, 1, {TAG(1)}},
    {"event_buffer_without_handler", 0xC000000D, PLAIN, ON_2, 2,
        {SINGLE(1), EVENTS(NULL, 0, 1)}},
    {"event_buffer_with_an_entry_size", 0xC000000D, PLAIN, ON_2, 2,
        {SINGLE(1), EVENTS(events, 64, 1)}},
    {"event_buffer_with_threshold_0", 0xC000000D, PLAIN, ON_2, 2,
        {SINGLE(1), EVENTS(events, 0, 0)}},
    {"two_event_buffers", 0xC000000D, PLAIN, ON_2, 3,
        {SINGLE(1), EVENTS(events, 0, 1), EVENTS(events, 0, 1)}},
    {"event_buffer_that_no_pmu_has", 0xC00000BB, PLAIN, ON_2, 2,
        {SINGLE(1), EVENTS(events, 0, 1)}},
    {"event_buffer_ruled_insufficient", 0xC000009A,
        RULED_HAL_ALLOC_39e_insufficient, OS_WIN11, USUAL, ON_2, 2,
        {SINGLE(1), EVENTS(events, 0, 1)}},
    {"two_tags", 0xC000000D, PLAIN, ON_2, 3, {SINGLE(1), TAG(1), TAG(2)}},
    {"tag_of_an_old_list", 0xC000000D, RULED_COUNT, OS_WIN10_1903, USUAL, ON_2,
        2, {SINGLE(1), TAG(1)}},
    {"whole_pmus_of_some_ruled_invalid", 0xC000000D,
        RULED_HAL_ALLOC_03b_invalid, OS_WIN11, NULL_LIST, ON_2, 0, {TYPE(0)}},
    {"whole_pmus_ruled_all", 0xC000009A, RULED_HAL_ALLOC_03b_all, OS_WIN11,
        NULL_LIST, ON_2, 0, {TYPE(0)}},
    {"whole_pmus_of_all", 0xC000009A, RULED_COUNT, OS_WIN11, NULL_LIST_ALL, 0,
        {{0}}, 0, {TYPE(0)}},
    {"whole_pmu_of_one_that_is_taken", 0xC000009A, RULED_COUNT, OS_WIN11,
        NULL_LIST, 2, {{.Mask = 0xC}, {.Mask = 0x4, .Group = 1}}, 0, {TYPE(0)}},
    {"last_counter_is_taken", 0xC000009A, PLAIN, 1, {{.Mask = 0x1}}, 2,
        {RANGE(1, 7), SINGLE(0)}},
    {"last_group_is_taken", 0xC000009A, RULED_COUNT, OS_WIN11, NULL_ALL, 0,
        {{0}}, 1, {SINGLE(33)}},
    {"index_is_taken_ruled_index", 0xC000009A, RULED_HAL_ALLOC_51_index,
        OS_WIN11, USUAL, ON_2, 1, {SINGLE(0)}},
    {"handler_is_there_ruled_exclusive", 0xC000009A,
        RULED_HAL_ALLOC_52_exclusive, OS_WIN11, USUAL, 1, {{.Mask = 0x3}}, 2,
        {SINGLE(1), HANDLER(handler)}},
    {"refusal_ruled_to_write_no_handle", 0xC000000D,
        RULED_HAL_ALLOC_06_insufficient_only, OS_WIN11, USUAL, ON_2, 1,
        {SINGLE(8)}},
    {"list_that_ends_too_soon", 0, RULED_COUNT, OS_WIN11, WILD_LIST, ON_2, 2,
        {SINGLE(1), SINGLE(2)}},
    {"affinity_that_ends_too_soon", 0, RULED_COUNT, OS_WIN11, WILD_AFFINITY, 2,
        {{.Mask = 0x4}, {.Mask = 0x1}}, 1, {SINGLE(1)}},
    {"handle_that_cannot_be_written", 0, RULED_COUNT, OS_WIN11, WILD_HANDLE,
        ON_2, 1, {SINGLE(1)}},
    {"kernel_without_memory", 0xC000009A, RULED_COUNT, OS_WIN11, NO_MEMORY,
        ON_2, 1, {SINGLE(0)}},
};

static struct driver other = {.name = "other"};

static void hold(struct booted_kernel *booted)
{
    const struct counter_claim claims[] = {
        {.counters = 0x1, .affinity = {0x3}, .handler = handler},
        {.counters = 0x200000000, .affinity = {0, 0x7}},
    };

    for (size_t i = 0; i < 2; i++) {
        assert_non_null(arbiter_grant(booted->kernel.arbiter,
            &booted->machine.arena, &claims[i], &other));
    }
}

static void prepare(struct booted_kernel *booted, struct refusal_row *row,
    struct allocation *call)
{
    bool no_affinity = row->argument == NULL_AFFINITY ||
                       row->argument == NULL_ALL ||
                       row->argument == NULL_LIST_ALL;
    bool no_list = row->argument == NULL_LIST || row->argument == NULL_LIST_ALL;

    *call = (struct allocation){.groups = row->groups};
    if (row->argument != NO_HANDLE) {
        call->handle = allocation_handle(booted);
    }
    if (row->argument == WILD_HANDLE) {
        call->handle = (PHANDLE)(uintptr_t)0x10;
    }
    if (!no_affinity) {
        call->affinity = booted_copy(booted, row->affinity,
            (row->argument == WILD_AFFINITY ? 1 : 2) * sizeof(GROUP_AFFINITY));
    }
    if (!no_list) {
        call->list = allocation_list(booted, row->descriptor, row->count);
    }
    if (row->argument == WILD_LIST) {
        call->list->Count++;
    }
    if (row->argument == NO_MEMORY) {
        booted->machine.arena.reserve =
            booted->machine.arena.limit - booted->machine.arena.used;
    }
}

static void refusal_row(void **state)
{
    struct refusal_row *row = *state;
    struct booted_kernel booted;
    struct allocation call;
    uint64_t before;

    booted_init(&booted, row->os, ARCH_X64, 7, 2);
    if (row->flip != RULED_COUNT) {
        booted.kernel.rulings.value[ruled_rows[row->flip].ruling] =
            (uint16_t)row->flip;
    }
    hold(&booted);
    prepare(&booted, row, &call);
    before = digest_of(&booted);
    booted_run(&booted, 0, allocation_try, &call);

    assert_int_equal(call.raised, row->want == 0);
    if (row->want != 0) {
        assert_int_equal(call.status, row->want);
    }
    assert_true(digest_of(&booted) == before);
    booted_release(&booted);
}

/* A digest that saw nothing would always be the same. */
static void grant_changes_the_digest(void **state)
{
    const PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR descriptor[] = {SINGLE(1)};
    struct booted_kernel booted;
    struct release release;
    uint64_t before, held, handle;

    (void)state;
    booted_init(&booted, OS_WIN11, ARCH_X64, 7, 2);
    hold(&booted);
    before = digest_of(&booted);
    assert_int_equal(allocate(&booted, descriptor, 1, &handle), 0);
    held = digest_of(&booted);
    assert_true(held != before);
    release.handle = handle;
    booted_run(&booted, 0, release_call, &release);
    assert_int_equal(release.status, 0);
    assert_true(digest_of(&booted) != held);
    assert_true(digest_of(&booted) != before); /* a number is gone */
    booted_release(&booted);
}

/* The handles of the two sets are 1000H and 1004H. */
static struct free_row {
    const char *name;
    uint64_t handle;
} free_rows[] = {
    {"of_null", 0},
    {"of_a_handle_never_issued", 0x1008},
    {"of_a_handle_s_second_byte", 0x1001},
    {"of_a_set_that_is_gone", 0x1004},
    {"of_the_highest_value", 0xFFFFFFFFFFFFFFFF},
};

static void free_row(void **state)
{
    const struct free_row *row = *state;
    struct booted_kernel booted;
    struct release release = {.handle = row->handle};
    struct counter_set *second;
    uint64_t before;

    booted_init(&booted, OS_WIN11, ARCH_X64, 7, 2);
    hold(&booted);
    second = booted.kernel.arbiter->last;
    arbiter_end(second);
    arbiter_reclaim(booted.kernel.arbiter, second);
    before = digest_of(&booted);
    booted_run(&booted, 0, release_call, &release);
    assert_int_equal(release.status, 0xC000000D);
    assert_true(digest_of(&booted) == before);
    booted_release(&booted);
}

TEST_FILE(test_refusals)
{
    TEST_ADD_GROUP(list, "changes_nothing", refusal_row, refusal_rows);
    TEST_ADD_GROUP(list, "free_changes_nothing", free_row, free_rows);
    test_add(list, "grant_changes_the_digest", grant_changes_the_digest, NULL);
}
