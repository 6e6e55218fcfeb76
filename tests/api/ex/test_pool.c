/* test_pool.c - blocks of the pools: what a driver gets, where it lies, who is
 * said to have lost it (facts.md 7.4). */
#include "api/boot/exports.h"
#include "api/ex/pool.h"
#include "tests/api/booted_kernel.h"

enum { TAG = 0x31676154 }; /* 'Tag1' as it lies in memory */

/* One allocation. */
struct allocation {
    enum routine routine;
    uint64_t kind; /* Flags or PoolType */
    uint64_t size;
    uint32_t tag;
    uint8_t irql;
    uint8_t *block;
    bool raised;
    struct exception_record record;
};

static void allocate_now(void *argument)
{
    struct allocation *a = argument;

    if (a->routine == ROUTINE_ExAllocatePool2) {
        a->block = ExAllocatePool2(a->kind, a->size, a->tag);
    } else if (a->routine == ROUTINE_ExAllocatePoolWithTag) {
        a->block = ExAllocatePoolWithTag((POOL_TYPE)a->kind, a->size, a->tag);
    } else {
        a->block = ExAllocatePool((POOL_TYPE)a->kind, a->size);
    }
}

static void allocate_main(void *argument)
{
    struct allocation *a = argument;

    if (a->irql > 0) {
        KfRaiseIrql(a->irql);
    }
    a->raised = booted_catch(allocate_now, a, &a->record);
}

/* Bytes are looked at as the host, so pageable memory is opened first. */
static void page_in(struct booted_kernel *booted, uint8_t *block, size_t size)
{
    for (size_t at = 0; at < size; at += 4096) {
        memory_page_in(&booted->machine.memory, block + at);
    }
    memory_page_in(&booted->machine.memory, block + size - 1);
}

static struct given_row {
    const char *name;
    enum routine routine;
    uint64_t kind, size;
    uint8_t irql;
    uint8_t want_fill;
    bool want_paged, want_code;
    unsigned want_alignment, want_slack;
} given_rows[] = {
    {"pool2_non_paged_is_zero", ROUTINE_ExAllocatePool2, 0x40, 100, 0, 0, false,
        false, 16, 12},
    {"pool2_uninitialized_is_not_zero", ROUTINE_ExAllocatePool2, 0x42, 100, 0,
        0xCD, false, false, 16, 12},
    {"pool2_paged_is_zero_and_pageable", ROUTINE_ExAllocatePool2, 0x100, 1, 1,
        0, true, false, 16, 15},
    {"pool2_executable", ROUTINE_ExAllocatePool2, 0x80, 32, 0, 0, false, true,
        16, 0},
    {"pool2_cache_aligned", ROUTINE_ExAllocatePool2, 0x48, 100, 0, 0, false,
        false, 64, 28},
    {"pool2_charged_to_a_quota", ROUTINE_ExAllocatePool2, 0x41, 16, 0, 0, false,
        false, 16, 0},
    {"pool2_may_raise_and_does_not", ROUTINE_ExAllocatePool2, 0x60, 16, 0, 0,
        false, false, 16, 0},
    {"pool2_ignores_optional_flags", ROUTINE_ExAllocatePool2,
        0x8000000100000040, 16, 0, 0, false, false, 16, 0},
    {"pool2_at_dispatch_level", ROUTINE_ExAllocatePool2, 0x40, 16, 2, 0, false,
        false, 16, 0},
    {"pool2_just_below_a_page", ROUTINE_ExAllocatePool2, 0x40, 4095, 0, 0,
        false, false, 16, 1},
    {"pool2_a_page", ROUTINE_ExAllocatePool2, 0x40, 4096, 0, 0, false, false,
        4096, 0},
    {"pool2_a_page_and_a_byte", ROUTINE_ExAllocatePool2, 0x40, 4097, 0, 0,
        false, false, 4096, 4095},
    {"pool2_paged_pages", ROUTINE_ExAllocatePool2, 0x102, 9000, 0, 0xCD, true,
        false, 4096, 3288},
    {"with_tag_is_not_zero", ROUTINE_ExAllocatePoolWithTag, 512, 40, 0, 0xCD,
        false, false, 16, 8},
    {"with_tag_non_paged_is_executable", ROUTINE_ExAllocatePoolWithTag, 0, 40,
        2, 0xCD, false, true, 16, 8},
    {"with_tag_paged", ROUTINE_ExAllocatePoolWithTag, 1, 40, 1, 0xCD, true,
        false, 16, 8},
    {"with_tag_cache_aligned", ROUTINE_ExAllocatePoolWithTag, 516, 40, 0, 0xCD,
        false, false, 64, 24},
    {"with_tag_paged_cache_aligned", ROUTINE_ExAllocatePoolWithTag, 5, 65, 0,
        0xCD, true, false, 64, 63},
    {"with_tag_may_raise_and_does_not", ROUTINE_ExAllocatePoolWithTag, 528, 16,
        0, 0xCD, false, false, 16, 0},
    {"with_tag_cold", ROUTINE_ExAllocatePoolWithTag, 257, 16, 0, 0xCD, true,
        false, 16, 0},
    {"with_tag_zeroed", ROUTINE_ExAllocatePoolWithTag, 1536, 16, 0, 0, false,
        false, 16, 0},
    {"without_tag", ROUTINE_ExAllocatePool, 512, 24, 0, 0xCD, false, false, 16,
        8},
};

static void given_row(void **state)
{
    const struct given_row *row = *state;
    struct booted_kernel booted;
    struct memory *memory = &booted.machine.memory;
    struct allocation a = {.routine = row->routine,
        .kind = row->kind,
        .size = row->size,
        .tag = TAG,
        .irql = row->irql};
    const struct memory_block *block;

    booted_init_usual(&booted);
    booted_run(&booted, 0, allocate_main, &a);

    assert_non_null(a.block);
    assert_false(a.raised);
    assert_int_equal((uintptr_t)a.block % row->want_alignment, 0);
    block = memory_find(memory, a.block);
    assert_ptr_equal(block->start, a.block);
    assert_int_equal(block->size - row->size, row->want_slack);
    assert_false(memory_is_open(memory, a.block + block->size, 1));
    assert_int_equal(
        memory_is_pageable(memory, a.block, row->size), row->want_paged);
    assert_int_equal(
        memory_is_resident(memory, a.block, row->size), !row->want_paged);
    assert_true(memory_allows(memory, a.block, row->size, 3));
    assert_int_equal(memory_allows(memory, a.block, row->size, MEMORY_EXECUTE),
        row->want_code);
    page_in(&booted, a.block, block->size);
    for (size_t i = 0; i < block->size; i++) {
        assert_int_equal(a.block[i], i < row->size ? row->want_fill : 0xBD);
    }
    assert_int_equal(booted.kernel.rules.count, 0);
    booted_release(&booted);
}

static struct refused_row {
    const char *name;
    enum routine routine;
    uint64_t kind, size;
    uint32_t tag;
    bool want_raised;
    uint32_t want_code;
    int want_rule; /* -1: none */
} refused_rows[] = {
    {"pool2_without_a_tag", ROUTINE_ExAllocatePool2, 0x40, 16, 0, false, 0, -1},
    {"pool2_without_a_kind", ROUTINE_ExAllocatePool2, 0x2, 16, TAG, false, 0,
        -1},
    {"pool2_of_two_kinds", ROUTINE_ExAllocatePool2, 0x140, 16, TAG, false, 0,
        -1},
    {"pool2_of_the_session", ROUTINE_ExAllocatePool2, 0x44, 16, TAG, false, 0,
        -1},
    {"pool2_with_a_reserved_flag", ROUTINE_ExAllocatePool2, 0x50, 16, TAG,
        false, 0, -1},
    {"pool2_with_the_second_reserved_flag", ROUTINE_ExAllocatePool2, 0x240, 16,
        TAG, false, 0, -1},
    {"pool2_with_an_unknown_required_flag", ROUTINE_ExAllocatePool2, 0x80000040,
        16, TAG, false, 0, -1},
    {"pool2_larger_than_memory", ROUTINE_ExAllocatePool2, 0x40,
        UINT64_C(1) << 40, TAG, false, 0, -1},
    {"pool2_of_a_size_that_wraps", ROUTINE_ExAllocatePool2, 0x40, UINT64_MAX,
        TAG, false, 0, -1},
    {"pool2_without_a_tag_that_raises", ROUTINE_ExAllocatePool2, 0x60, 16, 0,
        true, 0xC000000D, -1},
    {"pool2_without_a_kind_that_raises", ROUTINE_ExAllocatePool2, 0x20, 16, TAG,
        true, 0xC000000D, -1},
    {"pool2_larger_than_memory_that_raises", ROUTINE_ExAllocatePool2, 0x60,
        UINT64_C(1) << 40, TAG, true, 0xC000009A, -1},
    {"with_tag_larger_than_memory", ROUTINE_ExAllocatePoolWithTag, 1,
        UINT64_C(1) << 40, TAG, false, 0, -1},
    {"with_tag_larger_than_memory_that_raises", ROUTINE_ExAllocatePoolWithTag,
        17, UINT64_C(1) << 40, TAG, true, 0xC000009A, -1},
    {"with_tag_of_no_type", ROUTINE_ExAllocatePoolWithTag, 3, 16, TAG, false, 0,
        RULE_POOL_BAD_TYPE},
    {"with_tag_of_no_type_that_raises", ROUTINE_ExAllocatePoolWithTag, 19, 16,
        TAG, true, 0xC000000D, RULE_POOL_BAD_TYPE},
    {"with_tag_of_the_last_type", ROUTINE_ExAllocatePoolWithTag, 7, 16, TAG,
        false, 0, RULE_POOL_BAD_TYPE},
    {"with_tag_of_the_session", ROUTINE_ExAllocatePoolWithTag, 33, 16, TAG,
        false, 0, RULE_POOL_BAD_TYPE},
    {"without_tag_of_no_type", ROUTINE_ExAllocatePool, 8, 16, 0, false, 0,
        RULE_POOL_BAD_TYPE},
};

static void refused_row(void **state)
{
    const struct refused_row *row = *state;
    struct booted_kernel booted;
    struct allocation a = {.routine = row->routine,
        .kind = row->kind,
        .size = row->size,
        .tag = row->tag};

    booted_init_usual(&booted);
    booted_run(&booted, 0, allocate_main, &a);

    assert_null(a.block);
    assert_int_equal(a.raised, row->want_raised);
    if (row->want_raised) {
        assert_int_equal((uint32_t)a.record.code, row->want_code);
        assert_int_equal(a.record.routine, row->routine);
    }
    assert_int_equal(booted.kernel.rules.count, row->want_rule >= 0);
    if (row->want_rule >= 0) {
        assert_int_equal(booted.kernel.rules.event[0].rule, row->want_rule);
    }
    assert_null(pool_first(&booted.kernel));
    booted_release(&booted);
}

static struct warned_row {
    const char *name;
    uint64_t size;
    uint32_t tag;
    int want_rule; /* -1: none */
} warned_rows[] = {
    {"tag_of_one_character", 16, 0x61, -1},
    {"tag_of_the_lowest_characters", 16, 0x20202020, -1},
    {"tag_of_the_highest_characters", 16, 0x7E7E7E7E, -1},
    {"tag_with_a_control_character", 16, 0x611F6161, RULE_POOL_BAD_TAG},
    {"tag_with_a_character_too_high", 16, 0x7F616161, RULE_POOL_BAD_TAG},
    {"tag_with_nothing_in_the_middle", 16, 0x61006161, RULE_POOL_BAD_TAG},
    {"tag_that_begins_with_nothing", 16, 0x61616100, RULE_POOL_BAD_TAG},
    {"no_bytes", 0, 0x61616161, RULE_POOL_ZERO_BYTES},
};

/* Both routines give a block all the same. */
static void warned_row(void **state)
{
    const struct warned_row *row = *state;

    for (int i = 0; i < 2; i++) {
        struct booted_kernel booted;
        struct allocation a = {.routine = i == 0
                                              ? ROUTINE_ExAllocatePool2
                                              : ROUTINE_ExAllocatePoolWithTag,
            .kind = i == 0 ? 0x40 : 512,
            .size = row->size,
            .tag = row->tag};

        booted_init_usual(&booted);
        booted_run(&booted, 0, allocate_main, &a);
        assert_non_null(a.block);
        assert_int_equal(booted.kernel.rules.count, row->want_rule >= 0);
        if (row->want_rule >= 0) {
            assert_int_equal(booted.kernel.rules.event[0].rule, row->want_rule);
            assert_int_equal(booted.kernel.rules.event[0].routine, a.routine);
        }
        booted_release(&booted);
    }
}

/* Three blocks, the second of them freed, and what is listed then. */
static void free_the_second(void *argument)
{
    uint8_t **block = argument;

    block[0] = ExAllocatePool2(POOL_FLAG_NON_PAGED, 10, 0x61616161);
    block[1] = ExAllocatePoolWithTag(PagedPool, 20, 0x62626262);
    block[2] = ExAllocatePool(NonPagedPoolNx, 30);
    ExFreePool(block[1]);
}

static void live_blocks_are_listed_in_order(void **state)
{
    struct booted_kernel booted;
    uint8_t *block[3];
    const struct pool_block *first, *second;

    (void)state;
    booted_init_usual(&booted);
    booted_run(&booted, 1, free_the_second, block);
    first = pool_first(&booted.kernel);
    assert_non_null(first);
    assert_ptr_equal(first->start, block[0]);
    assert_int_equal(first->size, 10);
    assert_int_equal(first->tag, 0x61616161);
    assert_int_equal(first->routine, ROUTINE_ExAllocatePool2);
    assert_ptr_equal(first->owner, &booted.driver);
    second = pool_next(first);
    assert_non_null(second);
    assert_ptr_equal(second->start, block[2]);
    assert_int_equal(second->size, 30);
    assert_int_equal(second->tag, 0);
    assert_null(pool_next(second));
    assert_int_equal(booted.kernel.pool->live, 2);
    booted_release(&booted);
}

static void each_block_that_is_left_is_a_leak_of_its_owner(void **state)
{
    struct booted_kernel booted;
    struct driver other = {.name = "other"};
    uint8_t *block[3];

    (void)state;
    booted_init_usual(&booted);
    booted_run(&booted, 0, free_the_second, block);
    pool_leaks.report(&booted.kernel, booted_cpu(&booted, 0), &other);
    assert_int_equal(booted.kernel.rules.count, 0);
    pool_leaks.report(&booted.kernel, booted_cpu(&booted, 0), &booted.driver);
    assert_int_equal(booted.kernel.rules.count, 2);
    assert_int_equal(booted_broken(&booted, RULE_POOL_LEAK), 2);
    assert_int_equal(
        booted.kernel.rules.event[0].routine, ROUTINE_ExAllocatePool2);
    assert_int_equal(
        booted.kernel.rules.event[1].routine, ROUTINE_ExAllocatePool);
    booted_release(&booted);
}

/* What is said of a block that is left. */
static struct listed_row {
    const char *name;
    uint64_t size;
    uint32_t tag; /* 0: without one */
    const char *want;
} listed_rows[] = {
    {"block_with_a_tag", 64, TAG, "64 bytes with tag 'Tag1'"},
    {"block_of_one_byte", 1, 0x62610000, "1 byte with tag '??ab'"},
    {"block_without_a_tag", 17, 0, "17 bytes"},
    {"tag_of_the_first_characters_there_are", 2, 0x21202120,
        "2 bytes with tag ' ! !'"},
    {"tag_of_the_last_characters_there_are", 2, 0x7E7D7E7D,
        "2 bytes with tag '}~}~'"},
    {"tag_of_others", 2, 0x61807F1F, "2 bytes with tag '???a'"},
};

static void note_text(void *context, const struct leak_found *found)
{
    assert_int_equal(found->leak, LEAK_POOL_BLOCK);
    strcpy(context, found->text);
}

static void listed_row(void **state)
{
    const struct listed_row *row = *state;
    struct booted_kernel booted;
    struct allocation a = {.routine = row->tag == 0
                                          ? ROUTINE_ExAllocatePool
                                          : ROUTINE_ExAllocatePoolWithTag,
        .kind = 512,
        .size = row->size,
        .tag = row->tag};
    char text[80] = "";

    booted_init_usual(&booted);
    booted_run(&booted, 0, allocate_main, &a);
    pool_leaks.list(&booted.kernel,
        &(struct leak_listing){&booted.driver, note_text, text});
    assert_string_equal(text, row->want);
    booted_release(&booted);
}

/* Allocates until nothing is left, frees all, and once more. */
struct storm {
    unsigned count[2];
    uint8_t *block[20001];
};

static void storm_main(void *argument)
{
    struct storm *storm = argument;

    for (int round = 0; round < 2; round++) {
        unsigned count = 0;

        do {
            storm->block[count] = ExAllocatePool2(POOL_FLAG_NON_PAGED, 16, TAG);
        } while (storm->block[count] != NULL && ++count < 20001);
        storm->count[round] = count;
        while (count > 0) {
            ExFreePoolWithTag(storm->block[--count], TAG);
        }
    }
}

static void more_than_20000_live_blocks_are_refused(void **state)
{
    static struct storm storm;
    struct booted_kernel booted;
    size_t used;

    (void)state;
    booted_init_usual(&booted);
    booted.machine.trace.off = true;
    used = booted.machine.arena.used;
    booted_run(&booted, 0, storm_main, &storm);
    assert_int_equal(storm.count[0], 20000);
    assert_int_equal(storm.count[1], 20000);
    assert_null(pool_first(&booted.kernel));
    assert_int_equal(booted.kernel.pool->live, 0);
    assert_true(booted.machine.arena.used - used < 2 << 20);
    booted_release(&booted);
}

TEST_FILE(test_pool)
{
    TEST_ADD_ROWS(list, given_row, given_rows);
    TEST_ADD_ROWS(list, refused_row, refused_rows);
    TEST_ADD_ROWS(list, warned_row, warned_rows);
    TEST_ADD_ROWS(list, listed_row, listed_rows);
    test_add(list, "live_blocks_are_listed_in_order",
        live_blocks_are_listed_in_order, NULL);
    test_add(list, "each_block_that_is_left_is_a_leak_of_its_owner",
        each_block_that_is_left_is_a_leak_of_its_owner, NULL);
    test_add(list, "more_than_20000_live_blocks_are_refused",
        more_than_20000_live_blocks_are_refused, NULL);
}
