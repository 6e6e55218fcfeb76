/* test_memory_access.c - blocks that are freed, that allow less, or whose pages
 * are closed until they are touched. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/memory/memory.h"
#include "tests/rows.h"
#include "tests/sim/base/host_byte.h"

#define ADDRESS UINT64_C(0x190000000000)

enum { PAGE = 4096, PAGES = 16 };

static void reserve(struct memory *memory)
{
    assert_true(memory_reserve(memory, ADDRESS, (size_t)PAGES * PAGE));
}

static uint8_t *block_of(struct memory *memory, size_t size)
{
    uint8_t *block = memory_alloc(memory, size, 0x5A);

    assert_non_null(block);
    return block;
}

/* A block of 5,000 bytes, freed, between two of 100. */
static struct freed_row {
    const char *name;
    ptrdiff_t offset; /* from the freed block */
    bool want_open, want_found;
    int want_near; /* which block; -1: none */
} freed_rows[] = {
    {"first_byte_of_a_freed_block_is_closed", 0, false, false, 1},
    {"last_byte_of_a_freed_block_is_closed", 4999, false, false, 1},
    {"byte_before_a_freed_block_is_closed", -1, false, false, 1},
    {"guard_of_a_freed_block_is_still_its_own", 5000, false, false, 1},
    {"last_byte_of_that_guard_is_still_its_own", 9095, false, false, 1},
    {"block_after_a_freed_one_is_as_before", 13092, true, true, 2},
    {"guard_before_a_freed_block_is_the_other_s", -3193, false, false, 0},
    {"block_before_a_freed_one_is_as_before", -7388, true, true, 0},
};

static void freed_row(void **state)
{
    const struct freed_row *row = *state;
    struct memory memory;
    uint8_t *freed, *at;

    reserve(&memory);
    block_of(&memory, 100);
    freed = block_of(&memory, 5000);
    block_of(&memory, 100);
    memory_free(&memory, freed);
    at = freed + row->offset;

    assert_int_equal(host_byte_is_open(at), row->want_open);
    assert_int_equal(memory_is_open(&memory, at, 1), row->want_open);
    assert_int_equal(memory_find(&memory, at) != NULL, row->want_found);
    assert_ptr_equal(memory_near(&memory, at), &memory.block[row->want_near]);
    assert_int_equal(memory_near(&memory, at)->freed, row->want_near == 1);
    memory_release(&memory);
}

static struct near_row {
    const char *name;
    ptrdiff_t offset; /* in a region that holds 100, 0 and 4,096 bytes */
    int want;         /* which block; -1: none */
} near_rows[] = {
    {"byte_before_the_region_is_near_nothing", -1, -1},
    {"first_byte_of_the_region_is_near_the_first", 0x0000, 0},
    {"byte_of_a_block_is_near_it", 0x0FFF, 0},
    {"first_byte_of_a_guard_is_near_the_block_before", 0x1000, 0},
    {"last_byte_of_a_guard_is_near_the_block_before", 0x1FFF, 0},
    {"guard_of_an_empty_block_is_near_that", 0x2FFF, 1},
    {"first_byte_of_the_third_is_near_it", 0x3000, 2},
    {"last_guard_is_near_the_third", 0x4FFF, 2},
    {"page_never_handed_out_is_near_nothing", 0x5000, -1},
    {"byte_past_the_region_is_near_nothing", 0x10000, -1},
};

static void near_row(void **state)
{
    const struct near_row *row = *state;
    struct memory memory;
    const struct memory_block *want;

    reserve(&memory);
    block_of(&memory, 100);
    block_of(&memory, 0);
    block_of(&memory, 4096);
    want = row->want < 0 ? NULL : &memory.block[row->want];

    assert_ptr_equal(memory_near(&memory, memory.base + row->offset), want);
    memory_release(&memory);
}

static void freed_memory_is_handed_out_after_a_reset(void **state)
{
    struct memory memory;
    uint8_t *block;

    (void)state;
    reserve(&memory);
    memory_free(&memory, block_of(&memory, 100));
    memory_reset(&memory);
    block = block_of(&memory, 100);

    assert_true(host_byte_is_open(block));
    assert_ptr_equal(memory_find(&memory, block), &memory.block[0]);
    memory_release(&memory);
}

static void freed_memory_left_open_is_closed_to_the_guest(void **state)
{
    struct memory memory;
    uint8_t *block;

    (void)state;
    reserve(&memory);
    memory_leave_open(&memory, true);
    block = block_of(&memory, 100);
    memory_free(&memory, block);

    assert_true(host_byte_is_open(block));
    assert_false(host_byte_is_open(block + 100));
    assert_null(memory_find(&memory, block));
    assert_true(memory_near(&memory, block)->freed);
    assert_false(memory_is_open(&memory, block, 1));
    assert_false(memory_allows(&memory, block, 1, MEMORY_READ));
    assert_false(memory_is_resident(&memory, block, 1));
    assert_false(memory_is_usable(&memory, block, 1));
    assert_false(memory_page_in(&memory, block));
    memory_release(&memory);
}

/* What a run has left is not seen by the next one, which may be of the other
 * kind. */
static void memory_left_open_is_filled_and_closed_again(void **state)
{
    struct memory memory;
    uint8_t *block;

    (void)state;
    reserve(&memory);
    memory_leave_open(&memory, true);
    memory_free(&memory, block_of(&memory, 2 * PAGE));
    memory_reset(&memory);
    memory_leave_open(&memory, false);
    block = block_of(&memory, 100);

    assert_int_equal(block[0], 0x5A);
    assert_int_equal(block[-1], 0);
    assert_false(host_byte_is_open(block + 100)); /* a guard that was open */
    memory_free(&memory, block);
    assert_false(host_byte_is_open(block));
    memory_discard(&memory);
    assert_false(host_byte_is_open(memory.base + PAGE));
    memory_release(&memory);
}

static void memory_far_in_the_region_is_not_left_open(void **state)
{
    struct memory memory;
    uint8_t *block;

    (void)state;
    assert_true(memory_reserve(&memory, ADDRESS, (size_t)2048 * PAGE));
    memory_leave_open(&memory, true);
    block_of(&memory, (size_t)1022 * PAGE);
    block = block_of(&memory, 100);
    memory_free(&memory, block);

    assert_false(host_byte_is_open(block));
    memory_release(&memory);
}

static void freed_empty_block_is_not_found(void **state)
{
    struct memory memory;
    uint8_t *block;

    (void)state;
    reserve(&memory);
    block = block_of(&memory, 0);
    memory_free(&memory, block);
    assert_null(memory_find(&memory, block));
    assert_true(memory_near(&memory, block)->freed);
    memory_release(&memory);
}

static void context_stays_with_a_block_when_it_is_freed(void **state)
{
    struct memory memory;
    uint8_t *block, *other;
    int context;

    (void)state;
    reserve(&memory);
    block = block_of(&memory, 10);
    other = block_of(&memory, 10);
    assert_null(memory_find(&memory, block)->context);
    memory_attach(&memory, block, &context, 0);
    assert_ptr_equal(memory_find(&memory, block + 9)->context, &context);
    assert_null(memory_find(&memory, other)->context);
    memory_free(&memory, block);
    assert_ptr_equal(memory_near(&memory, block)->context, &context);
    memory_reset(&memory);
    assert_null(memory_find(&memory, block_of(&memory, 10))->context);
    memory_release(&memory);
}

/* One page of a block of three may be touched in a way of its own. */
static struct set_row {
    const char *name;
    unsigned access; /* of the second page */
    size_t start, size;
    unsigned asked;
    bool want;
} set_rows[] = {
    {"read_only_page_may_be_read", 1, 4096, 4096, 1, true},
    {"read_only_page_may_not_be_written", 1, 4096, 1, 2, false},
    {"range_into_a_read_only_page_may_not_be_written", 1, 4000, 97, 2, false},
    {"range_up_to_a_read_only_page_may_be_written", 1, 4000, 96, 2, true},
    {"range_over_a_read_only_page_may_be_read", 1, 0, 12288, 1, true},
    {"page_without_access_may_not_be_read", 0, 8191, 1, 1, false},
    {"page_after_it_may_be_written", 0, 8192, 4096, 3, true},
    {"code_may_be_executed", 5, 4096, 4096, 4, true},
    {"code_may_not_be_written", 5, 4096, 1, 2, false},
    {"data_may_not_be_executed", 5, 4095, 1, 4, false},
    {"all_three_at_once", 7, 4096, 4096, 7, true},
    {"range_past_the_block_may_not_be_read", 1, 12287, 2, 1, false},
};

static void set_row(void **state)
{
    const struct set_row *row = *state;
    struct memory memory;
    uint8_t *block;

    reserve(&memory);
    block = block_of(&memory, 12288);
    assert_true(memory_set(&memory, block + 4096, 1, row->access, false));

    assert_int_equal(
        memory_allows(&memory, block + row->start, row->size, row->asked),
        row->want);
    assert_int_equal(host_byte_is_open(block + 4096), (row->access & 2) != 0);
    assert_true(host_byte_is_open(block + 4095));
    assert_true(host_byte_is_open(block + 8192));
    memory_release(&memory);
}

static void access_can_be_given_back(void **state)
{
    struct memory memory;
    uint8_t *block;

    (void)state;
    reserve(&memory);
    block = block_of(&memory, 4096);
    assert_true(memory_set(&memory, block, 1, MEMORY_NONE, false));
    assert_false(host_byte_is_open(block));
    assert_true(
        memory_set(&memory, block, 1, MEMORY_READ | MEMORY_WRITE, false));
    assert_int_equal(block[0], 0x5A);
    block[0] = 1;
    memory_release(&memory);
}

/* Ranges of pages that differ, which the host allows a process. */
static size_t most_ranges(void)
{
    FILE *file = fopen("/proc/sys/vm/max_map_count", "r");
    size_t most = 0;

    if (file != NULL) {
        if (fscanf(file, "%zu", &most) != 1) {
            most = 0;
        }
        fclose(file);
    }
    return most;
}

/* A block and its guard are two. */
static void host_without_ranges_leaves_the_page_closed(void **state)
{
    enum { MOST = 70000 };
    struct memory memory;
    uint8_t *last = NULL, *block;
    size_t count = 0;

    (void)state;
    if (most_ranges() == 0 || most_ranges() > MOST) {
        skip();
    }
    assert_true(memory_reserve(&memory, ADDRESS, (size_t)MOST * 2 * PAGE));
    while ((block = memory_alloc(&memory, PAGE, 1)) != NULL) {
        last = block;
        count++;
    }
    assert_true(count > 0 && count < most_ranges());
    assert_false(host_byte_is_open(last + 2 * (ptrdiff_t)PAGE));
    memory_free(&memory, last);
    assert_non_null(memory_alloc(&memory, PAGE, 1));
    memory_release(&memory);
}

TEST_FILE(test_memory_access)
{
    TEST_ADD_ROWS(list, freed_row, freed_rows);
    TEST_ADD_ROWS(list, near_row, near_rows);
    TEST_ADD_ROWS(list, set_row, set_rows);
    test_add(list, "freed_memory_is_handed_out_after_a_reset",
        freed_memory_is_handed_out_after_a_reset, NULL);
    test_add(list, "freed_memory_left_open_is_closed_to_the_guest",
        freed_memory_left_open_is_closed_to_the_guest, NULL);
    test_add(list, "memory_left_open_is_filled_and_closed_again",
        memory_left_open_is_filled_and_closed_again, NULL);
    test_add(list, "memory_far_in_the_region_is_not_left_open",
        memory_far_in_the_region_is_not_left_open, NULL);
    test_add(list, "freed_empty_block_is_not_found",
        freed_empty_block_is_not_found, NULL);
    test_add(list, "context_stays_with_a_block_when_it_is_freed",
        context_stays_with_a_block_when_it_is_freed, NULL);
    test_add(list, "access_can_be_given_back", access_can_be_given_back, NULL);
    test_add(list, "host_without_ranges_leaves_the_page_closed",
        host_without_ranges_leaves_the_page_closed, NULL);
}
