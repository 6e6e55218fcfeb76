/* test_memory.c - blocks, the guard behind each, and who owns an address. */
#define _POSIX_C_SOURCE 200809L
#include "sim/memory/memory.h"
#include "tests/rows.h"
#include "tests/sim/base/host_byte.h"

#define ADDRESS UINT64_C(0x190000000000)

enum { PAGE = 4096, PAGES = 8 };

static void reserve(struct memory *memory)
{
    assert_true(memory_reserve(memory, ADDRESS, (size_t)PAGES * PAGE));
}

static struct block_row {
    const char *name;
    size_t size, want_pages; /* with its guard */
} block_rows[] = {
    {"block_of_one_byte_ends_at_its_guard", 1, 2},
    {"block_of_4095_bytes_ends_at_its_guard", 4095, 2},
    {"block_of_a_page_ends_at_its_guard", 4096, 2},
    {"block_of_a_page_and_a_byte_ends_at_its_guard", 4097, 3},
    {"block_of_two_pages_ends_at_its_guard", 8192, 3},
    {"largest_block_ends_at_its_guard", 28672, 8},
};

static void block_row(void **state)
{
    const struct block_row *row = *state;
    struct memory memory;
    uint8_t *block;

    reserve(&memory);
    block = memory_alloc(&memory, row->size, 0xA5);

    assert_non_null(block);
    assert_int_equal(memory.used, row->want_pages);
    for (size_t i = 0; i < row->size; i++) {
        assert_int_equal(block[i], 0xA5);
    }
    assert_true(host_byte_is_open(block + row->size - 1));
    assert_false(host_byte_is_open(block + row->size));
    memory_release(&memory);
}

static struct refused_row {
    const char *name;
    size_t first, second;
} refused_rows[] = {
    {"block_that_leaves_no_room_for_its_guard_is_refused", 0, 28672},
    {"block_larger_than_the_region_is_refused", 0, 32769},
    {"block_after_the_last_page_is_refused", 28672, 1},
    {"empty_block_after_the_last_page_is_refused", 28672, 0},
    {"size_that_rounds_past_zero_is_refused", 0, SIZE_MAX},
};

static void refused_row(void **state)
{
    const struct refused_row *row = *state;
    struct memory memory;
    size_t used;

    reserve(&memory);
    assert_non_null(memory_alloc(&memory, row->first, 0));
    used = memory.used;

    assert_null(memory_alloc(&memory, row->second, 0));
    assert_int_equal(memory.used, used);
    assert_int_equal(memory.block_count, 1);
    memory_release(&memory);
}

static struct open_row {
    const char *name;
    ptrdiff_t offset; /* from the first of two blocks of 5,000 bytes */
    size_t size;
    bool want;
} open_rows[] = {
    {"whole_block_is_open", 0, 5000, true},
    {"last_byte_is_open", 4999, 1, true},
    {"first_byte_past_the_block_is_closed", 5000, 1, false},
    {"range_that_ends_one_byte_too_far_is_closed", 0, 5001, false},
    {"last_byte_of_the_guard_is_closed", 9095, 1, false},
    {"next_block_is_open", 12288, 5000, true},
    {"range_from_block_to_block_is_closed", 4999, 7290, false},
    {"first_byte_of_the_region_is_open", -3192, 1, true},
    {"byte_before_the_region_is_closed", -3193, 1, false},
    {"page_never_handed_out_is_closed", 21384, 1, false},
    {"byte_past_the_region_is_closed", 29576, 1, false},
    {"range_that_wraps_the_address_space_is_closed", 0, SIZE_MAX, false},
    {"no_bytes_are_open_anywhere", 5000, 0, true},
};

static void open_row(void **state)
{
    const struct open_row *row = *state;
    struct memory memory;
    uint8_t *block;

    reserve(&memory);
    block = memory_alloc(&memory, 5000, 0);
    assert_non_null(memory_alloc(&memory, 5000, 0));

    assert_int_equal(
        memory_is_open(&memory, block + row->offset, row->size), row->want);
    memory_release(&memory);
}

static struct find_row {
    const char *name;
    ptrdiff_t offset; /* in a region that holds 100, 0 and 4,096 bytes */
    int want;         /* which block; -1: none */
} find_rows[] = {
    {"first_byte_is_the_first_block_s", 0x0F9C, 0},
    {"last_byte_is_the_first_block_s", 0x0FFF, 0},
    {"byte_before_a_block_is_nobody_s", 0x0F9B, -1},
    {"byte_past_a_block_is_nobody_s", 0x1000, -1},
    {"start_of_an_empty_block_is_its_own", 0x2000, 1},
    {"byte_past_an_empty_block_is_nobody_s", 0x2001, -1},
    {"byte_in_the_middle_is_the_last_block_s", 0x3800, 2},
    {"guard_of_the_last_block_is_nobody_s", 0x4000, -1},
    {"address_outside_is_nobody_s", -1, -1},
};

static void find_row(void **state)
{
    const struct find_row *row = *state;
    struct memory memory;
    const struct memory_block *want;

    reserve(&memory);
    assert_non_null(memory_alloc(&memory, 100, 0));
    assert_non_null(memory_alloc(&memory, 0, 0));
    assert_non_null(memory_alloc(&memory, 4096, 0));
    want = row->want < 0 ? NULL : &memory.block[row->want];

    assert_ptr_equal(memory_find(&memory, memory.base + row->offset), want);
    memory_release(&memory);
}

static void found_block_tells_where_it_starts_and_its_size(void **state)
{
    struct memory memory;
    uint8_t *start;
    const struct memory_block *block;

    (void)state;
    reserve(&memory);
    start = memory_alloc(&memory, 100, 0);
    block = memory_find(&memory, start + 50);

    assert_ptr_equal(block->start, start);
    assert_int_equal(block->size, 100);
    memory_release(&memory);
}

static void empty_block_cannot_be_touched(void **state)
{
    struct memory memory;

    (void)state;
    reserve(&memory);
    assert_false(host_byte_is_open(memory_alloc(&memory, 0, 0)));
    memory_release(&memory);
}

static void reset_forgets_every_block(void **state)
{
    struct memory memory;
    uint8_t *block;

    (void)state;
    reserve(&memory);
    block = memory_alloc(&memory, 10, 0);
    memory_reset(&memory);

    assert_null(memory_find(&memory, block));
    assert_false(memory_is_open(&memory, block, 10));
    memory_release(&memory);
}

static void page_that_becomes_a_guard_is_closed(void **state)
{
    struct memory memory;
    uint8_t *block;

    (void)state;
    reserve(&memory);
    assert_non_null(memory_alloc(&memory, 8192, 0));
    memory_reset(&memory);
    block = memory_alloc(&memory, 4096, 0);

    assert_false(host_byte_is_open(block + 4096));
    assert_false(memory_is_open(&memory, block + 4096, 1));
    memory_release(&memory);
}

static void guard_that_becomes_a_page_is_opened_and_filled(void **state)
{
    struct memory memory;
    uint8_t *block;

    (void)state;
    reserve(&memory);
    assert_non_null(memory_alloc(&memory, 4096, 0x11));
    memory_reset(&memory);
    block = memory_alloc(&memory, 8192, 0x22);

    assert_int_equal(block[0], 0x22);
    assert_int_equal(block[8191], 0x22);
    assert_true(memory_is_open(&memory, block, 8192));
    memory_release(&memory);
}

static void taken_address_moves_the_region_elsewhere(void **state)
{
    struct memory memory, second;

    (void)state;
    reserve(&memory);
    reserve(&second);
    assert_int_equal((uintptr_t)memory.base, 0x190000000000);
    assert_ptr_not_equal(second.base, memory.base);
    assert_non_null(memory_alloc(&second, 1, 0));
    memory_release(&second);
    memory_release(&memory);
}

static void released_address_is_free_again(void **state)
{
    struct memory memory;

    (void)state;
    reserve(&memory);
    memory_release(&memory);
    assert_null(memory.base);
    reserve(&memory);
    assert_int_equal((uintptr_t)memory.base, 0x190000000000);
    memory_release(&memory);
}

static void size_that_the_host_lacks_is_refused(void **state)
{
    struct memory memory;

    (void)state;
    assert_false(memory_reserve(&memory, ADDRESS, (size_t)1 << 62));
    assert_null(memory.base);
    assert_null(memory.page);
    assert_null(memory.block);
    assert_null(memory.opened);
}

/* A block of another machine, and a smaller one where it lay. */
static struct slack_row {
    const char *name;
    size_t old_size, size, slack;
} slack_rows[] = {
    {"bytes_before_a_small_block_are_zero", 4096, 10, 4086},
    {"empty_block_has_nothing_before_it", 4096, 0, 0},
    {"bytes_before_a_block_of_two_pages_are_zero", 8192, 5000, 3192},
    {"byte_before_a_block_is_zero", 4096, 4095, 1},
    {"block_of_a_page_has_nothing_before_it", 4096, 4096, 0},
};

static void slack_row(void **state)
{
    const struct slack_row *row = *state;
    struct memory memory;
    const uint8_t *block;

    reserve(&memory);
    assert_non_null(memory_alloc(&memory, row->old_size, 0xA5));
    memory_reset(&memory);
    block = memory_alloc(&memory, row->size, 0x11);
    assert_non_null(block);
    assert_int_equal(block - row->slack - memory.base, 0);
    for (size_t i = 1; i <= row->slack; i++) {
        assert_int_equal(*(block - i), 0);
    }
    for (size_t i = 0; i < row->size; i++) {
        assert_int_equal(block[i], 0x11);
    }
    memory_release(&memory);
}

static struct bound_row {
    const char *name;
    size_t bytes, blocks; /* that may be held */
    size_t size;          /* of each block */
    size_t want;          /* that there are */
} bound_rows[] = {
    {"two_pages_may_be_held", 8192, 100, 4096, 2},
    {"part_of_a_page_counts_as_one", 8192, 100, 1, 2},
    {"block_larger_than_all_that_may_be_held", 8192, 100, 8193, 0},
    {"empty_blocks_hold_nothing", 0, 100, 0, 8},
    {"three_blocks_may_be_held", 32768, 3, 1, 3},
    {"no_block_may_be_held", 32768, 0, 0, 0},
};

/* Also when as many are freed and taken again, with room for one more. */
static void bound_row(void **state)
{
    const struct bound_row *row = *state;
    struct memory memory;
    uint8_t *block = NULL, *last = NULL;
    size_t count = 0;

    reserve(&memory);
    memory_bound(&memory, row->bytes, row->blocks);
    while ((block = memory_alloc(&memory, row->size, 0)) != NULL) {
        last = block;
        count++;
    }
    assert_int_equal(count, row->want);
    if (last != NULL && memory.used + 2 <= PAGES) {
        memory_free(&memory, last);
        assert_non_null(memory_alloc(&memory, row->size, 0));
        assert_null(memory_alloc(&memory, row->size, 0));
    }
    memory_reset(&memory);
    assert_int_equal(
        memory_alloc(&memory, row->size, 0) != NULL, row->want > 0);
    memory_release(&memory);
}

TEST_FILE(test_memory)
{
    TEST_ADD_ROWS(list, bound_row, bound_rows);
    TEST_ADD_ROWS(list, block_row, block_rows);
    TEST_ADD_ROWS(list, refused_row, refused_rows);
    TEST_ADD_ROWS(list, open_row, open_rows);
    TEST_ADD_ROWS(list, find_row, find_rows);
    test_add(list, "found_block_tells_where_it_starts_and_its_size",
        found_block_tells_where_it_starts_and_its_size, NULL);
    test_add(list, "empty_block_cannot_be_touched",
        empty_block_cannot_be_touched, NULL);
    test_add(
        list, "reset_forgets_every_block", reset_forgets_every_block, NULL);
    test_add(list, "page_that_becomes_a_guard_is_closed",
        page_that_becomes_a_guard_is_closed, NULL);
    test_add(list, "guard_that_becomes_a_page_is_opened_and_filled",
        guard_that_becomes_a_page_is_opened_and_filled, NULL);
    test_add(list, "taken_address_moves_the_region_elsewhere",
        taken_address_moves_the_region_elsewhere, NULL);
    test_add(list, "size_that_the_host_lacks_is_refused",
        size_that_the_host_lacks_is_refused, NULL);
    test_add(list, "released_address_is_free_again",
        released_address_is_free_again, NULL);
    TEST_ADD_ROWS(list, slack_row, slack_rows);
}
