/* test_stack_pool.c - stacks taken, given back, and run out of. */
#define _POSIX_C_SOURCE 200809L
#include "sim/base/stack_pool.h"
#include "tests/rows.h"
#include "tests/sim/base/host_byte.h"

#define ADDRESS UINT64_C(0x190000000000)

static void reserve(struct stack_pool *pool)
{
    assert_true(stack_pool_reserve(pool, ADDRESS, 3, 262144));
}

static struct byte_row {
    const char *name;
    ptrdiff_t offset; /* from the lowest byte of the second stack */
    bool want;
} byte_rows[] = {
    {"lowest_byte_may_be_touched", 0, true},
    {"highest_byte_may_be_touched", 262143, true},
    {"byte_below_the_stack_faults", -1, false},
    {"lowest_byte_of_the_guard_faults", -4096, false},
    {"guard_of_the_next_stack_faults", 262144, false},
    {"stack_that_nobody_took_faults", 266240, false},
};

static void byte_row(void **state)
{
    const struct byte_row *row = *state;
    struct stack_pool pool;
    uint8_t *second;

    reserve(&pool);
    stack_pool_take(&pool);
    second = stack_pool_take(&pool);

    assert_int_equal(host_byte_is_open(second + row->offset), row->want);
    stack_pool_release(&pool);
}

/* Two of three stacks of 262,144 bytes were taken, the first given back. */
static struct part_row {
    const char *name;
    ptrdiff_t offset; /* from the lowest byte of the second stack */
    size_t size;
    bool want_held, want_guard;
} part_rows[] = {
    {"whole_stack_is_a_stack_s", 0, 262144, true, false},
    {"last_byte_is_a_stack_s", 262143, 1, true, false},
    {"range_past_the_top_is_no_stack_s", 262143, 2, false, false},
    {"size_that_wraps_is_no_stack_s", 16, SIZE_MAX, false, false},
    {"byte_below_a_stack_is_guard", -1, 1, false, true},
    {"lowest_byte_of_a_guard_is_guard", -4096, 1, false, true},
    {"stack_that_was_given_back_is_still_one", -4097, 1, true, false},
    {"range_from_stack_to_stack_is_no_stack_s", -4097, 4098, false, false},
    {"guard_of_the_first_stack_is_guard", -270336, 1, false, true},
    {"byte_before_the_pool_is_nothing", -270337, 1, false, false},
    {"stack_that_nobody_took_is_nothing", 266240, 1, false, false},
    {"guard_of_a_stack_that_nobody_took_is_nothing", 262144, 1, false, false},
};

static void part_row(void **state)
{
    const struct part_row *row = *state;
    struct stack_pool pool;
    uint8_t *first, *second;

    reserve(&pool);
    first = stack_pool_take(&pool);
    second = stack_pool_take(&pool);
    stack_pool_give(&pool, first);

    assert_int_equal(stack_pool_holds(&pool, second + row->offset, row->size),
        row->want_held);
    assert_int_equal(
        stack_pool_is_guard(&pool, (uintptr_t)(second + row->offset)),
        row->want_guard);
    stack_pool_release(&pool);
}

static void stacks_lie_a_guard_apart(void **state)
{
    struct stack_pool pool;

    (void)state;
    reserve(&pool);
    assert_ptr_equal(stack_pool_take(&pool), pool.base + 0x1000);
    assert_ptr_equal(stack_pool_take(&pool), pool.base + 0x42000);
    assert_ptr_equal(stack_pool_take(&pool), pool.base + 0x83000);
    stack_pool_release(&pool);
}

static void fourth_of_three_stacks_is_refused(void **state)
{
    struct stack_pool pool, neighbour;

    (void)state;
    reserve(&pool);
    assert_true(stack_pool_reserve(
        &neighbour, (uintptr_t)pool.base + 798720, 1, 262144));
    for (int i = 0; i < 3; i++) {
        assert_non_null(stack_pool_take(&pool));
    }
    assert_null(stack_pool_take(&pool));
    stack_pool_release(&neighbour);
    stack_pool_release(&pool);
}

static void stack_given_back_is_taken_again(void **state)
{
    struct stack_pool pool;
    void *second;

    (void)state;
    reserve(&pool);
    stack_pool_take(&pool);
    second = stack_pool_take(&pool);
    stack_pool_take(&pool);
    stack_pool_give(&pool, second);

    assert_ptr_equal(stack_pool_take(&pool), second);
    assert_null(stack_pool_take(&pool));
    stack_pool_release(&pool);
}

static void reset_frees_stacks_that_nobody_gave_back(void **state)
{
    struct stack_pool pool;
    void *first;

    (void)state;
    reserve(&pool);
    first = stack_pool_take(&pool);
    stack_pool_take(&pool);
    stack_pool_reset(&pool);

    assert_ptr_equal(stack_pool_take(&pool), first);
    assert_non_null(stack_pool_take(&pool));
    assert_non_null(stack_pool_take(&pool));
    assert_null(stack_pool_take(&pool));
    stack_pool_release(&pool);
}

static void stacks_come_in_their_order_after_a_reset(void **state)
{
    struct stack_pool pool;
    void *first, *second, *third;

    (void)state;
    reserve(&pool);
    first = stack_pool_take(&pool);
    second = stack_pool_take(&pool);
    third = stack_pool_take(&pool);
    stack_pool_give(&pool, first);
    stack_pool_give(&pool, third);
    stack_pool_reset(&pool);

    assert_ptr_equal(stack_pool_take(&pool), first);
    assert_ptr_equal(stack_pool_take(&pool), second);
    assert_ptr_equal(stack_pool_take(&pool), third);
    assert_null(stack_pool_take(&pool));
    stack_pool_release(&pool);
}

static void reset_counts_a_stack_given_back_once(void **state)
{
    struct stack_pool pool;
    void *first, *second;

    (void)state;
    reserve(&pool);
    first = stack_pool_take(&pool);
    stack_pool_give(&pool, first);
    stack_pool_reset(&pool);

    assert_ptr_equal(stack_pool_take(&pool), first);
    second = stack_pool_take(&pool);
    assert_ptr_not_equal(second, first);
    stack_pool_release(&pool);
}

static void reset_closes_all_but_256_and_empties_them(void **state)
{
    struct stack_pool pool;
    uint8_t *last = NULL;

    (void)state;
    assert_true(stack_pool_reserve(&pool, ADDRESS, 300, 8192));
    for (int i = 0; i < 257; i++) {
        last = stack_pool_take(&pool);
        last[0] = 7;
    }
    stack_pool_reset(&pool);
    assert_int_equal(pool.made, 256);
    assert_true(host_byte_is_open(last - 12288));
    assert_false(host_byte_is_open(last));
    assert_false(stack_pool_holds(&pool, last, 1));
    for (int i = 0; i < 256; i++) {
        stack_pool_take(&pool);
    }
    assert_ptr_equal(stack_pool_take(&pool), last);
    assert_int_equal(last[0], 0);
    stack_pool_release(&pool);
}

static void stacks_are_opened_before_they_are_taken(void **state)
{
    struct stack_pool pool;
    uint8_t *first;

    (void)state;
    reserve(&pool);
    first = stack_pool_take(&pool);
    assert_true(stack_pool_open(&pool, 1));
    assert_int_equal(pool.made, 1);
    assert_true(stack_pool_open(&pool, 3));
    assert_true(host_byte_is_open(first + 2 * 266240));
    assert_false(stack_pool_open(&pool, 4));
    assert_int_equal(pool.made, 3);
    assert_non_null(stack_pool_take(&pool));
    assert_non_null(stack_pool_take(&pool));
    assert_null(stack_pool_take(&pool));
    stack_pool_release(&pool);
}

static void size_that_the_host_lacks_is_refused(void **state)
{
    struct stack_pool pool;

    (void)state;
    assert_false(stack_pool_reserve(&pool, ADDRESS, 1 << 20, (size_t)1 << 40));
    assert_null(pool.base);
    assert_null(pool.free_list);
}

static void taken_address_moves_the_pool_elsewhere(void **state)
{
    struct stack_pool pool, second;
    uint8_t *stack;

    (void)state;
    reserve(&pool);
    reserve(&second);
    assert_ptr_not_equal(second.base, pool.base);
    stack = stack_pool_take(&second);
    assert_true(host_byte_is_open(stack));
    stack_pool_release(&second);
    stack_pool_release(&pool);
}

static void released_address_is_free_again(void **state)
{
    struct stack_pool pool;

    (void)state;
    reserve(&pool);
    stack_pool_release(&pool);
    assert_null(pool.base);
    reserve(&pool);
    assert_int_equal((uintptr_t)pool.base, 0x190000000000);
    stack_pool_release(&pool);
}

TEST_FILE(test_stack_pool)
{
    TEST_ADD_ROWS(list, byte_row, byte_rows);
    TEST_ADD_ROWS(list, part_row, part_rows);
    test_add(list, "stacks_lie_a_guard_apart", stacks_lie_a_guard_apart, NULL);
    test_add(list, "fourth_of_three_stacks_is_refused",
        fourth_of_three_stacks_is_refused, NULL);
    test_add(list, "stack_given_back_is_taken_again",
        stack_given_back_is_taken_again, NULL);
    test_add(list, "reset_frees_stacks_that_nobody_gave_back",
        reset_frees_stacks_that_nobody_gave_back, NULL);
    test_add(list, "stacks_come_in_their_order_after_a_reset",
        stacks_come_in_their_order_after_a_reset, NULL);
    test_add(list, "reset_counts_a_stack_given_back_once",
        reset_counts_a_stack_given_back_once, NULL);
    test_add(list, "reset_closes_all_but_256_and_empties_them",
        reset_closes_all_but_256_and_empties_them, NULL);
    test_add(list, "stacks_are_opened_before_they_are_taken",
        stacks_are_opened_before_they_are_taken, NULL);
    test_add(list, "size_that_the_host_lacks_is_refused",
        size_that_the_host_lacks_is_refused, NULL);
    test_add(list, "taken_address_moves_the_pool_elsewhere",
        taken_address_moves_the_pool_elsewhere, NULL);
    test_add(list, "released_address_is_free_again",
        released_address_is_free_again, NULL);
}
