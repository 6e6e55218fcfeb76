/* test_order.c - the smallest time, its ties, and changes of mind. */
#include "sim/base/arena.h"
#include "sim/base/splitmix.h"
#include "sim/machine/order.h"
#include "tests/rows.h"

#define NEVER UINT64_C(0xFFFFFFFFFFFFFFFF)

static void reserve(struct arena *arena)
{
    assert_true(arena_reserve(arena, (size_t)1 << 20));
}

static struct first_row {
    const char *name;
    uint32_t count;
    uint64_t time[5];
    uint32_t want;
    uint64_t want_time;
} first_rows[] = {
    {"single_leaf_is_the_first", 1, {7}, 0, 7},
    {"single_leaf_may_have_nothing_to_do", 1, {NEVER}, 0, NEVER},
    {"nobody_has_anything_to_do", 3, {NEVER, NEVER, NEVER}, 0, NEVER},
    {"smallest_in_front_is_first", 4, {1, 2, 3, 4}, 0, 1},
    {"smallest_in_the_middle_is_first", 4, {5, 4, 2, 3}, 2, 2},
    {"smallest_at_the_end_is_first", 4, {5, 4, 3, 2}, 3, 2},
    {"smallest_past_a_power_of_two_is_first", 5, {9, 9, 9, 9, 8}, 4, 8},
    {"equal_neighbours_go_to_the_lower_number", 2, {6, 6}, 0, 6},
    {"equal_across_the_tree_go_to_the_lower_number", 4, {9, 6, 6, 6}, 1, 6},
    {"equal_last_two_go_to_the_lower_number", 4, {9, 9, 6, 6}, 2, 6},
    {"only_one_with_something_to_do_is_first", 5,
        {NEVER, NEVER, NEVER, 3, NEVER}, 3, 3},
    {"time_zero_is_a_time", 3, {1, 0, 1}, 1, 0},
    {"last_time_before_never_wins_over_never", 2, {NEVER, NEVER - 1}, 1,
        NEVER - 1},
    {"times_above_half_the_range_compare_unsigned", 2, {0x8000000000000000, 1},
        1, 1},
};

static void first_row(void **state)
{
    const struct first_row *row = *state;
    struct arena arena;
    struct order order;

    reserve(&arena);
    order_init(&order, &arena, row->count);
    for (uint32_t i = 0; i < row->count; i++) {
        order_set(&order, i, row->time[i]);
    }

    assert_int_equal(order_first(&order), row->want);
    assert_int_equal(order_time(&order, row->want), row->want_time);
    arena_release(&arena);
}

static void new_order_has_nothing_to_do(void **state)
{
    struct arena arena;
    struct order order;

    (void)state;
    reserve(&arena);
    order_init(&order, &arena, 5);
    assert_int_equal(order_first(&order), 0);
    for (uint32_t i = 0; i < 5; i++) {
        assert_int_equal(order_time(&order, i), NEVER);
    }
    arena_release(&arena);
}

static void winner_that_steps_back_leaves_the_next(void **state)
{
    struct arena arena;
    struct order order;

    (void)state;
    reserve(&arena);
    order_init(&order, &arena, 3);
    order_set(&order, 0, 10);
    order_set(&order, 1, 30);
    order_set(&order, 2, 20);
    assert_int_equal(order_first(&order), 0);
    order_set(&order, 0, 40);
    assert_int_equal(order_first(&order), 2);
    order_set(&order, 2, NEVER);
    assert_int_equal(order_first(&order), 1);
    arena_release(&arena);
}

/* Only what has a third time costs more than a bit. */
static void two_times_stand_beside_the_tree(void **state)
{
    struct arena arena;
    struct order order;

    (void)state;
    reserve(&arena);
    order_init(&order, &arena, 130);
    for (uint32_t i = 0; i < 130; i++) {
        order_set(&order, i, i % 2 == 0 ? 20 : 10);
    }
    assert_int_equal(order.time[1], NEVER);
    assert_int_equal(order_first(&order), 1);
    order_set(&order, 77, 30);
    assert_int_equal(order.time[1], 30);
    assert_int_equal(order.leaf[1], 77);
    order_set(&order, 77, 20);
    assert_int_equal(order.time[1], NEVER);
    assert_true(order_check(&order));
    arena_release(&arena);
}

enum { LEAVES = 37, CHANGES = 20000, SEED = 20240607 };

/* The first of the smallest, by looking at each. */
static uint32_t scan_first(const uint64_t time[LEAVES])
{
    uint32_t first = 0;

    for (uint32_t i = 1; i < LEAVES; i++) {
        if (time[i] < time[first]) {
            first = i;
        }
    }
    return first;
}

/* Three leaves at 10, 20 and 20: would the leaf come first at that time? */
static struct leads_row {
    const char *name;
    uint32_t leaf;
    uint64_t time;
    bool want;
    uint32_t want_rival;
} leads_rows[] = {
    {"first_leads_before_its_rival", 0, 19, true, 1},
    {"first_leads_a_rival_of_the_same_time_behind_it", 0, 20, true, 1},
    {"first_does_not_lead_past_its_rival", 0, 21, false, 1},
    {"second_does_not_lead_at_the_time_of_one_in_front", 1, 10, false, 0},
    {"second_leads_before_the_first", 1, 9, true, 0},
    {"third_leads_before_the_first", 2, 9, true, 0},
};

static void leads_row(void **state)
{
    const struct leads_row *row = *state;
    struct arena arena;
    struct order order;

    reserve(&arena);
    order_init(&order, &arena, 3);
    order_set(&order, 0, 10);
    order_set(&order, 1, 20);
    order_set(&order, 2, 20);

    assert_int_equal(order_leads(&order, row->leaf, row->time), row->want);
    assert_int_equal(order_rival(&order, row->leaf), row->want_rival);
    arena_release(&arena);
}

static void rival_s_new_time_is_seen(void **state)
{
    struct arena arena;
    struct order order;

    (void)state;
    reserve(&arena);
    order_init(&order, &arena, 2);
    order_set(&order, 0, 10);
    order_set(&order, 1, 20);
    assert_true(order_leads(&order, 0, 15));
    order_set(&order, 1, 12);
    assert_false(order_leads(&order, 0, 15));
    assert_true(order_leads(&order, 1, 9));
    assert_true(order_leads(&order, 0, 11));
    arena_release(&arena);
}

static void single_leaf_has_no_rival(void **state)
{
    struct arena arena;
    struct order order;

    (void)state;
    reserve(&arena);
    order_init(&order, &arena, 1);
    assert_int_equal(order_rival(&order, 0), 0xFFFFFFFF);
    assert_true(order_leads(&order, 0, 0xFFFFFFFFFFFFFFFE));
    arena_release(&arena);
}

static void twenty_thousand_changes_agree_with_a_scan(void **state)
{
    struct splitmix stream = {.state = SEED};
    uint64_t time[LEAVES];
    struct arena arena;
    struct order order;

    (void)state;
    reserve(&arena);
    order_init(&order, &arena, LEAVES);
    for (uint32_t i = 0; i < LEAVES; i++) {
        time[i] = NEVER;
    }
    for (int change = 0; change < CHANGES; change++) {
        uint32_t leaf = (uint32_t)splitmix_below(&stream, LEAVES);
        uint64_t next = splitmix_below(&stream, 50); /* many are equal */
        uint32_t want;

        time[leaf] = next == 0 ? NEVER : next;
        order_set(&order, leaf, time[leaf]);
        want = scan_first(time);
        if (order_first(&order) != want) {
            fail_msg("seed %d, change %d: first is %u, not %u", SEED, change,
                order_first(&order), want);
        }
        if (change % 100 == 0) {
            assert_true(order_check(&order));
        }
        if (order_leads(&order, want, time[want]) != (time[want] != NEVER)) {
            fail_msg("seed %d, change %d: %u is first and does not lead", SEED,
                change, want);
        }
    }
    arena_release(&arena);
}

/* Leaves of several words of a moment, and few or many times. */
static struct scan_row {
    const char *name;
    uint32_t leaves;
    uint64_t times; /* different ones, of which one is never */
} scan_rows[] = {
    {"two_times_of_150_leaves", 150, 3},
    {"four_times_of_200_leaves", 200, 5},
    {"four_times_of_64_leaves", 64, 5},
    {"four_times_of_65_leaves", 65, 5},
    {"a_thousand_times_of_130_leaves", 130, 1001},
};

/* The first of all but one; ORDER_NOBODY: nobody has anything to do. */
static uint32_t scan_first_but(
    const uint64_t *time, uint32_t count, uint32_t but)
{
    uint32_t first = ORDER_NOBODY;

    for (uint32_t i = 0; i < count; i++) {
        if (i != but && time[i] != NEVER &&
            (first == ORDER_NOBODY || time[i] < time[first])) {
            first = i;
        }
    }
    return first;
}

static void scan_row(void **state)
{
    const struct scan_row *row = *state;
    struct splitmix stream = {.state = SEED};
    uint64_t time[200];
    struct arena arena;
    struct order order;

    reserve(&arena);
    order_init(&order, &arena, row->leaves);
    for (uint32_t i = 0; i < row->leaves; i++) {
        time[i] = NEVER;
    }
    for (int change = 0; change < CHANGES; change++) {
        uint32_t leaf = (uint32_t)splitmix_below(&stream, row->leaves);
        uint64_t next = splitmix_below(&stream, row->times);
        uint32_t other = (uint32_t)splitmix_below(&stream, row->leaves);
        uint32_t first, rival;

        time[leaf] = next == 0 ? NEVER : next;
        order_set(&order, leaf, time[leaf]);
        first = scan_first_but(time, row->leaves, ORDER_NOBODY);
        assert_true(order_first(&order) == first || first == ORDER_NOBODY);
        if (change % 3 == 0) {
            rival = order_rival(&order, other);
            first = scan_first_but(time, row->leaves, other);
            assert_true(rival == first || first == ORDER_NOBODY);
        }
        if (change % 500 == 0) {
            assert_true(order_check(&order));
        }
    }
    arena_release(&arena);
}

TEST_FILE(test_order)
{
    TEST_ADD_ROWS(list, first_row, first_rows);
    TEST_ADD_ROWS(list, leads_row, leads_rows);
    TEST_ADD_ROWS(list, scan_row, scan_rows);
    test_add(list, "rival_s_new_time_is_seen", rival_s_new_time_is_seen, NULL);
    test_add(list, "single_leaf_has_no_rival", single_leaf_has_no_rival, NULL);
    test_add(
        list, "new_order_has_nothing_to_do", new_order_has_nothing_to_do, NULL);
    test_add(list, "winner_that_steps_back_leaves_the_next",
        winner_that_steps_back_leaves_the_next, NULL);
    test_add(list, "two_times_stand_beside_the_tree",
        two_times_stand_beside_the_tree, NULL);
    test_add(list, "twenty_thousand_changes_agree_with_a_scan",
        twenty_thousand_changes_agree_with_a_scan, NULL);
}
