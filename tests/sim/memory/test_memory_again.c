/* test_memory_again.c - addresses that are handed out again once the region was
 * gone round, and how long a freed block stays as it is before that. */
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>
#include <string.h>

#include "sim/base/splitmix.h"
#include "sim/memory/memory.h"
#include "tests/rows.h"
#include "tests/sim/base/host_byte.h"

#define ADDRESS UINT64_C(0x190000000000)

enum { PAGE = 4096, PAGES = 16, NONE = -1 };

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

/* Eight blocks of a page, each with its guard, fill the region. Some are freed,
 * in this order, when so many have been allocated; then come requests. A
 * quarter of the region is two of them. */
static struct again_row {
    const char *name;
    struct {
        int block, when; /* when 0: no more */
    } freed[8];
    size_t size[4]; /* of the requests; 0: no more */
    int want[4];    /* the page of the block's last byte; NONE: refused */
} again_rows[] = {
    {"none_is_freed", {{0, 0}}, {1}, {NONE}},
    {"they_come_in_order_of_address", {{4, 5}, {0, 5}, {2, 6}}, {1, 1, 1, 1},
        {0, 4, 8, NONE}},
    {"the_longest_freed_is_not_the_first", {{4, 5}, {1, 6}}, {1, 1, 1},
        {2, 8, NONE}},
    {"one_that_was_freed_a_quarter_ago", {{2, 6}}, {1, 1}, {4, NONE}},
    {"one_that_was_freed_less_ago", {{2, 7}}, {1}, {NONE}},
    {"live_ones_are_passed_over", {{1, 2}, {5, 6}}, {1, 1, 1}, {2, 10, NONE}},
    {"neighbours_make_room_for_a_larger_one", {{3, 4}, {4, 5}}, {8192, 1},
        {7, NONE}},
    {"what_is_left_of_them_comes_next", {{3, 4}, {4, 5}, {5, 6}}, {8192, 1, 1},
        {7, 9, NONE}},
    {"all_of_three", {{3, 4}, {4, 5}, {5, 6}}, {20480}, {10}},
    {"more_than_three", {{3, 4}, {4, 5}, {5, 6}}, {20481}, {NONE}},
    {"a_larger_one_passes_a_smaller_gap", {{0, 1}, {3, 4}, {4, 5}},
        {8192, 1, 1}, {7, 0, NONE}},
    {"a_row_does_not_go_across_the_end", {{0, 1}, {7, 8}}, {8192}, {NONE}},
};

static void again_row(void **state)
{
    const struct again_row *row = *state;
    uint8_t *block[8];
    struct memory memory;

    reserve(&memory);
    for (int i = 0; i < 8; i++) {
        block[i] = block_of(&memory, 1);
        assert_ptr_equal(block[i], memory.base + (2 * i + 1) * PAGE - 1);
        for (int k = 0; k < 8 && row->freed[k].when != 0; k++) {
            if (row->freed[k].when == i + 1) {
                memory_free(&memory, block[row->freed[k].block]);
            }
        }
    }
    for (int i = 0; i < 4 && row->size[i] != 0; i++) {
        uint8_t *at = memory_alloc(&memory, row->size[i], 0x77);

        assert_int_equal(
            at == NULL ? NONE : (at + row->size[i] - 1 - memory.base) / PAGE,
            row->want[i]);
        if (at != NULL) {
            assert_int_equal(at[0], 0x77);
            assert_ptr_equal(memory_find(&memory, at)->start, at);
            assert_false(host_byte_is_open(at + row->size[i]));
        }
    }
    memory_release(&memory);
}

static void freed_block_is_closed_and_known_until_it_comes_again(void **state)
{
    struct memory memory;
    uint8_t *block, *again;
    int context;

    (void)state;
    reserve(&memory);
    block = block_of(&memory, 100);
    memory_attach(&memory, block, &context, 90);
    memory_free(&memory, block);
    for (int i = 1; i < PAGES / 2; i++) {
        block_of(&memory, 1);
        assert_false(host_byte_is_open(block));
        assert_null(memory_find(&memory, block));
        assert_ptr_equal(memory_near(&memory, block)->start, block);
        assert_ptr_equal(memory_near(&memory, block)->context, &context);
    }
    again = block_of(&memory, 100);
    assert_ptr_equal(again, block);
    assert_true(host_byte_is_open(again));
    assert_null(memory_find(&memory, again)->context);
    assert_int_equal(memory_find(&memory, again)->usable, 100);
    memory_release(&memory);
}

/* Three pages and a guard, of which two are taken. */
static void rest_of_a_freed_block_is_freed_memory_of_nobody(void **state)
{
    struct memory memory;
    const struct memory_block *rest;
    uint8_t *block;
    int context;

    (void)state;
    reserve(&memory);
    block = block_of(&memory, 3 * PAGE);
    memory_attach(&memory, block, &context, 3 * PAGE);
    memory_free(&memory, block);
    block_of(&memory, 11 * PAGE);
    assert_ptr_equal(block_of(&memory, PAGE), block);
    rest = memory_near(&memory, block + 2 * PAGE);
    assert_true(rest->freed);
    assert_null(rest->context);
    assert_ptr_equal(rest->start, block + 2 * PAGE);
    assert_int_equal(rest->size, PAGE);
    assert_false(host_byte_is_open(block + 2 * PAGE));
    memory_release(&memory);
}

static void pages_of_a_block_that_comes_again_are_its_own(void **state)
{
    struct memory memory;
    uint8_t *block;

    (void)state;
    reserve(&memory);
    block = block_of(&memory, PAGE);
    assert_true(memory_set(&memory, block, 1, MEMORY_READ, true));
    assert_true(memory_page_in(&memory, block));
    memory_free(&memory, block);
    block_of(&memory, 13 * PAGE);
    assert_ptr_equal(block_of(&memory, PAGE), block);
    assert_true(memory_is_open(&memory, block, PAGE));
    assert_false(memory_is_pageable(&memory, block, PAGE));
    memory_page_out(&memory);
    assert_true(host_byte_is_open(block));
    memory_release(&memory);
}

/* What is said of each page, kept in the simplest way. */
struct model {
    int block[PAGES * 16];      /* that it is of; NONE */
    uint64_t freed[PAGES * 16]; /* pages handed out when it was */
    uint64_t handed;
};

enum { MODEL_PAGES = PAGES * 16, MODEL_LIVE = 40, STEPS = 20000 };

static void model_take(struct model *model, size_t first, size_t count, int n)
{
    for (size_t page = first; page < first + count; page++) {
        assert_int_equal(model->block[page], NONE);
        assert_true(model->freed[page] == 0 ||
                    model->handed - model->freed[page] >= MODEL_PAGES / 4);
        model->block[page] = n;
    }
    model->handed += count;
}

static void model_give(struct model *model, int n)
{
    for (size_t page = 0; page < MODEL_PAGES; page++) {
        if (model->block[page] == n) {
            model->block[page] = NONE;
            model->freed[page] = model->handed;
        }
    }
}

/* Blocks of all sizes, some of them for long: none lies in another, none comes
 * early, and with at most a quarter live there is always room. */
static void many_blocks_go_round(void **state)
{
    struct splitmix stream = {.state = 16};
    struct model *model = calloc(1, sizeof(*model));
    uint8_t *live[MODEL_LIVE] = {NULL};
    struct memory memory;
    unsigned refused = 0;

    (void)state;
    assert_non_null(model);
    memset(model->block, 0xFF, sizeof(model->block));
    assert_true(memory_reserve(&memory, ADDRESS, (size_t)MODEL_PAGES * PAGE));
    for (int i = 0; i < STEPS; i++) {
        int n = (int)splitmix_below(&stream, MODEL_LIVE);
        size_t size = splitmix_below(&stream, n == 0 ? 6 * PAGE : PAGE);
        size_t pages = (size + PAGE - 1) / PAGE;

        if (live[n] != NULL) {
            assert_ptr_equal(memory_find(&memory, live[n])->start, live[n]);
            memory_free(&memory, live[n]);
            assert_true(memory_near(&memory, live[n])->freed);
            model_give(model, n);
        }
        live[n] = memory_alloc(&memory, size, 1);
        refused += live[n] == NULL;
        if (live[n] != NULL) {
            uint8_t *end = live[n] + size;

            model_take(model, (size_t)(end - memory.base) / PAGE - pages,
                pages + 1, n);
        }
    }
    assert_int_equal(refused, 0);
    assert_true(memory.handed > (uint64_t)100 * MODEL_PAGES);
    assert_true(memory.block_count <= MODEL_PAGES);
    memory_release(&memory);
    free(model);
}

TEST_FILE(test_memory_again)
{
    TEST_ADD_ROWS(list, again_row, again_rows);
    test_add(list, "freed_block_is_closed_and_known_until_it_comes_again",
        freed_block_is_closed_and_known_until_it_comes_again, NULL);
    test_add(list, "rest_of_a_freed_block_is_freed_memory_of_nobody",
        rest_of_a_freed_block_is_freed_memory_of_nobody, NULL);
    test_add(list, "pages_of_a_block_that_comes_again_are_its_own",
        pages_of_a_block_that_comes_again_are_its_own, NULL);
    test_add(list, "many_blocks_go_round", many_blocks_go_round, NULL);
}
