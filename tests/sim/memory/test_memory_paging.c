/* test_memory_paging.c - pageable pages: closed until they are opened, closed
 * again all at once; and many blocks. */
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>

#include "sim/memory/memory.h"
#include "tests/rows.h"
#include "tests/sim/base/host_byte.h"

#define ADDRESS UINT64_C(0x190000000000)

enum { PAGE = 4096, PAGES = 16, BOTH = MEMORY_READ | MEMORY_WRITE };

static void reserve(struct memory *memory)
{
    assert_true(memory_reserve(memory, ADDRESS, (size_t)PAGES * PAGE));
}

/* Four pages, of which the second and third are pageable. */
static uint8_t *pageable_block(struct memory *memory)
{
    uint8_t *block = memory_alloc(memory, 16384, 0x5A);

    assert_non_null(block);
    assert_true(memory_set(memory, block + 4096, 2, BOTH, true));
    return block;
}

static struct pageable_row {
    const char *name;
    size_t start, size;
    bool want;
} pageable_rows[] = {
    {"page_before_is_not_pageable", 0, 4096, false},
    {"range_into_the_page_is_pageable", 4000, 97, true},
    {"range_up_to_the_page_is_not", 4000, 96, false},
    {"last_byte_is_pageable", 12287, 1, true},
    {"page_behind_is_not_pageable", 12288, 4096, false},
    {"whole_block_is_pageable", 0, 16384, true},
    {"no_bytes_are_not_pageable", 8192, 0, false},
    {"guard_is_not_pageable", 16384, 1, false},
};

static void pageable_row(void **state)
{
    const struct pageable_row *row = *state;
    struct memory memory;
    uint8_t *block;

    reserve(&memory);
    block = pageable_block(&memory);
    assert_int_equal(
        memory_is_pageable(&memory, block + row->start, row->size), row->want);
    memory_release(&memory);
}

/* Pages are opened; which bytes the host can read then. */
static struct resident_row {
    const char *name;
    int opened[2]; /* pages; 0: none */
    size_t start, size;
    bool want;
} resident_rows[] = {
    {"closed_page_is_not_resident", {0, 0}, 4096, 1, false},
    {"range_into_a_closed_page_is_not_resident", {0, 0}, 0, 4097, false},
    {"page_beside_a_closed_one_is_resident", {0, 0}, 0, 4096, true},
    {"opened_page_is_resident", {1, 0}, 4096, 4096, true},
    {"range_over_an_opened_page_is_resident", {1, 0}, 0, 8192, true},
    {"page_behind_an_opened_one_is_not", {1, 0}, 8192, 1, false},
    {"both_opened_are_resident", {2, 1}, 0, 16384, true},
    {"guard_is_not_resident", {2, 1}, 16384, 1, false},
};

static void resident_row(void **state)
{
    const struct resident_row *row = *state;
    struct memory memory;
    uint8_t *block;

    reserve(&memory);
    block = pageable_block(&memory);
    for (int i = 0; i < 2 && row->opened[i] != 0; i++) {
        assert_true(memory_page_in(&memory, block + row->opened[i] * PAGE + 7));
    }
    assert_int_equal(
        memory_is_resident(&memory, block + row->start, row->size), row->want);
    assert_int_equal(
        memory_is_usable(&memory, block + row->start, row->size), row->want);
    /* Closed or not, a guest may use them. */
    assert_true(memory_is_open(&memory, block, 16384));
    memory_release(&memory);
}

/* The second of four pages is open. */
static struct bytes_row {
    const char *name;
    size_t start, most, want;
} bytes_rows[] = {
    {"none_in_a_closed_page", 8192, 15, 0},
    {"none_where_nobody_asks_for_any", 8192, 0, 0},
    {"as_many_as_are_asked_for", 4096, 15, 15},
    {"up_to_the_next_page", 8189, 15, 3},
    {"up_to_the_next_page_exactly", 8177, 15, 15},
    {"none_in_a_guard", 16384, 15, 0},
};

static void bytes_row(void **state)
{
    const struct bytes_row *row = *state;
    struct memory memory;
    uint8_t *block;

    reserve(&memory);
    block = pageable_block(&memory);
    assert_true(memory_page_in(&memory, block + PAGE));
    assert_int_equal(
        memory_resident_bytes(&memory, block + row->start, row->most),
        row->want);
    memory_release(&memory);
}

static struct page_in_row {
    const char *name;
    ptrdiff_t offset;
    bool want;
} page_in_rows[] = {
    {"first_byte_opens_a_page", 4096, true},
    {"last_byte_opens_a_page", 12287, true},
    {"page_that_is_not_pageable_is_not_opened", 4095, false},
    {"guard_is_not_opened", 16384, false},
    {"page_never_handed_out_is_not_opened", 40960, false},
    {"byte_before_the_region_is_not_opened", -1, false},
    {"byte_behind_the_region_is_not_opened", (ptrdiff_t)PAGE *PAGES, false},
};

static void page_in_row(void **state)
{
    const struct page_in_row *row = *state;
    struct memory memory;
    uint8_t *block;

    reserve(&memory);
    block = pageable_block(&memory);
    assert_int_equal(memory_page_in(&memory, block + row->offset), row->want);
    assert_false(memory_page_in(&memory, block + row->offset));
    memory_release(&memory);
}

static void page_out_closes_every_open_page_and_keeps_its_bytes(void **state)
{
    struct memory memory;
    uint8_t *block;

    (void)state;
    reserve(&memory);
    block = pageable_block(&memory);
    for (int round = 0; round < 3; round++) {
        assert_true(memory_page_in(&memory, block + 8192));
        assert_true(memory_page_in(&memory, block + 4096));
        assert_int_equal(block[4096], round == 0 ? 0x5A : round);
        block[4096] = (uint8_t)(round + 1);
        memory_page_out(&memory);
        assert_false(host_byte_is_open(block + 4096));
        assert_false(host_byte_is_open(block + 8192));
        assert_true(host_byte_is_open(block));
        assert_true(host_byte_is_open(block + 12288));
        assert_int_equal(memory.opened_count, 0);
    }
    memory_release(&memory);
}

static void opened_page_allows_what_was_set_and_no_more(void **state)
{
    struct memory memory;
    uint8_t *block;

    (void)state;
    reserve(&memory);
    block = pageable_block(&memory);
    assert_true(memory_set(&memory, block + 4096, 1, MEMORY_READ, true));
    assert_true(memory_page_in(&memory, block + 4096));
    assert_int_equal(block[4096], 0x5A);
    assert_false(memory_allows(&memory, block + 4096, 1, MEMORY_WRITE));
    memory_release(&memory);
}

static void page_without_access_is_not_opened(void **state)
{
    struct memory memory;
    uint8_t *block;

    (void)state;
    reserve(&memory);
    block = pageable_block(&memory);
    assert_true(memory_set(&memory, block + 4096, 1, MEMORY_NONE, true));
    assert_false(memory_page_in(&memory, block + 4096));
    memory_release(&memory);
}

static void page_that_is_set_anew_is_closed_and_listed_once(void **state)
{
    struct memory memory;
    uint8_t *block;

    (void)state;
    reserve(&memory);
    block = pageable_block(&memory);
    for (int round = 0; round < 100; round++) {
        assert_true(memory_page_in(&memory, block + 4096));
        assert_true(memory_set(&memory, block + 4096, 1, BOTH, true));
        assert_false(host_byte_is_open(block + 4096));
    }
    assert_true(memory.opened_count <= 1);
    memory_release(&memory);
}

static void page_that_is_no_longer_pageable_stays_open(void **state)
{
    struct memory memory;
    uint8_t *block;

    (void)state;
    reserve(&memory);
    block = pageable_block(&memory);
    assert_true(memory_page_in(&memory, block + 4096));
    assert_true(memory_set(&memory, block + 4096, 1, BOTH, false));
    memory_page_out(&memory);
    assert_true(host_byte_is_open(block + 4096));
    memory_release(&memory);
}

static void block_freed_while_a_page_is_open_stays_closed(void **state)
{
    struct memory memory;
    uint8_t *block;

    (void)state;
    reserve(&memory);
    block = pageable_block(&memory);
    assert_true(memory_page_in(&memory, block + 4096));
    memory_free(&memory, block);
    for (size_t page = 0; page < 4; page++) {
        assert_false(host_byte_is_open(block + page * PAGE));
        assert_false(memory_page_in(&memory, block + page * PAGE));
    }
    assert_false(memory_is_pageable(&memory, block, 16384));
    memory_page_out(&memory);
    assert_false(host_byte_is_open(block + 4096));
    memory_release(&memory);
}

/* What a machine left open is nobody's in the next. */
static void page_left_open_is_an_ordinary_one_after_a_reset(void **state)
{
    struct memory memory;
    uint8_t *block;

    (void)state;
    reserve(&memory);
    block = pageable_block(&memory);
    assert_true(memory_page_in(&memory, block + 4096));
    memory_reset(&memory);
    assert_false(memory_page_in(&memory, block + 4096));
    block = memory_alloc(&memory, 16384, 0x33);
    assert_non_null(block);
    assert_int_equal(block[4096], 0x33);
    assert_int_equal(block[8192], 0x33);
    assert_false(memory_is_pageable(&memory, block, 16384));
    memory_page_out(&memory);
    assert_true(host_byte_is_open(block + 4096));
    memory_release(&memory);
}

static void discard_closes_what_a_machine_left(void **state)
{
    struct memory memory;
    uint8_t *block, *second;

    (void)state;
    reserve(&memory);
    block = pageable_block(&memory);
    assert_true(memory_page_in(&memory, block + 4096));
    second = memory_alloc(&memory, 1, 0);
    memory_discard(&memory);

    assert_null(memory_near(&memory, block));
    assert_false(host_byte_is_open(block));
    assert_false(host_byte_is_open(block + 4096));
    assert_false(host_byte_is_open(second));
    assert_non_null(memory_alloc(&memory, 1, 7));
    memory_release(&memory);
}

static void large_block_of_zeroes_is_zero(void **state)
{
    struct memory memory;
    uint8_t *block;
    size_t set = 0;

    (void)state;
    assert_true(memory_reserve(&memory, ADDRESS, (size_t)64 * PAGE));
    assert_non_null(memory_alloc(&memory, (size_t)40 * PAGE, 0xFF));
    memory_reset(&memory);
    block = memory_alloc(&memory, (size_t)39 * PAGE + 8, 0);
    assert_non_null(block);
    for (uint8_t *at = memory.base; at < block + 39 * PAGE + 8; at++) {
        set += *at != 0;
    }
    assert_int_equal(set, 0);
    memory_release(&memory);
}

/* Blocks of 1, 2, 3, ... bytes, every third of them freed. */
static void each_of_many_blocks_is_found(void **state)
{
    enum { BLOCKS = 5000 };
    uint8_t **block = calloc(BLOCKS, sizeof(*block));
    struct memory memory;

    (void)state;
    assert_non_null(block);
    assert_true(memory_reserve(&memory, ADDRESS, (size_t)4 * BLOCKS * PAGE));
    for (size_t i = 0; i < BLOCKS; i++) {
        block[i] = memory_alloc(&memory, i + 1, 0);
        assert_non_null(block[i]);
    }
    for (size_t i = 0; i < BLOCKS; i += 3) {
        memory_free(&memory, block[i]);
    }
    for (size_t i = 0; i < BLOCKS; i++) {
        const struct memory_block *want = i % 3 == 0 ? NULL : &memory.block[i];

        assert_ptr_equal(memory_find(&memory, block[i]), want);
        assert_ptr_equal(memory_find(&memory, block[i] + i), want);
        assert_null(memory_find(&memory, block[i] + i + 1));
        assert_ptr_equal(
            memory_near(&memory, block[i] + i + 1), &memory.block[i]);
    }
    memory_release(&memory);
    free(block);
}

/* The host has a limit of ranges with a protection of their own: every other
 * page of a large block is more than it takes. */
static void more_open_pages_than_the_host_takes_close_the_earlier(void **state)
{
    enum { MANY = 160000 };
    struct memory memory;
    uint8_t *block;

    (void)state;
    assert_true(memory_reserve(&memory, ADDRESS, (size_t)(MANY + 2) * PAGE));
    block = memory_alloc(&memory, (size_t)MANY * PAGE, 0);
    assert_non_null(block);
    assert_true(memory_set(&memory, block, MANY, BOTH, true));
    for (size_t page = 0; page < MANY; page += 2) {
        assert_true(memory_page_in(&memory, block + page * PAGE));
    }
    assert_true(memory.opened_count < MANY / 2);
    assert_true(host_byte_is_open(block + (size_t)(MANY - 2) * PAGE));
    assert_false(host_byte_is_open(block));
    memory_page_out(&memory);
    assert_false(host_byte_is_open(block + (size_t)(MANY - 2) * PAGE));
    memory_release(&memory);
}

TEST_FILE(test_memory_paging)
{
    TEST_ADD_ROWS(list, pageable_row, pageable_rows);
    TEST_ADD_ROWS(list, resident_row, resident_rows);
    TEST_ADD_ROWS(list, bytes_row, bytes_rows);
    TEST_ADD_ROWS(list, page_in_row, page_in_rows);
    test_add(list, "page_out_closes_every_open_page_and_keeps_its_bytes",
        page_out_closes_every_open_page_and_keeps_its_bytes, NULL);
    test_add(list, "opened_page_allows_what_was_set_and_no_more",
        opened_page_allows_what_was_set_and_no_more, NULL);
    test_add(list, "page_without_access_is_not_opened",
        page_without_access_is_not_opened, NULL);
    test_add(list, "page_that_is_set_anew_is_closed_and_listed_once",
        page_that_is_set_anew_is_closed_and_listed_once, NULL);
    test_add(list, "page_that_is_no_longer_pageable_stays_open",
        page_that_is_no_longer_pageable_stays_open, NULL);
    test_add(list, "block_freed_while_a_page_is_open_stays_closed",
        block_freed_while_a_page_is_open_stays_closed, NULL);
    test_add(list, "page_left_open_is_an_ordinary_one_after_a_reset",
        page_left_open_is_an_ordinary_one_after_a_reset, NULL);
    test_add(list, "discard_closes_what_a_machine_left",
        discard_closes_what_a_machine_left, NULL);
    test_add(list, "large_block_of_zeroes_is_zero",
        large_block_of_zeroes_is_zero, NULL);
    test_add(list, "each_of_many_blocks_is_found", each_of_many_blocks_is_found,
        NULL);
    test_add(list, "more_open_pages_than_the_host_takes_close_the_earlier",
        more_open_pages_than_the_host_takes_close_the_earlier, NULL);
}
