/* test_topology.c - which numbers are possible, and how they are spread. */
#include "sim/base/topology.h"
#include "tests/rows.h"

static struct possible_row {
    const char *name;
    uint32_t processors, groups;
    bool want;
} possible_rows[] = {
    {"one_processor_in_one_group_is_possible", 1, 1, true},
    {"sixty_four_fill_a_group", 64, 1, true},
    {"sixty_five_do_not_fit_in_a_group", 65, 1, false},
    {"sixty_five_fit_in_two_groups", 65, 2, true},
    {"each_group_may_hold_a_single_one", 32, 32, true},
    {"group_without_a_processor_is_impossible", 31, 32, false},
    {"two_thousand_and_forty_eight_is_the_largest", 2048, 32, true},
    {"two_thousand_and_forty_nine_is_too_many", 2049, 32, false},
    {"thirty_three_groups_are_too_many", 33, 33, false},
    {"no_groups_are_impossible", 1, 0, false},
    {"no_processors_are_impossible", 0, 1, false},
    {"nothing_at_all_is_impossible", 0, 0, false},
    {"group_count_whose_capacity_wraps_is_impossible", 1, 0x4000000, false},
};

static void possible_row(void **state)
{
    const struct possible_row *row = *state;

    assert_int_equal(
        topology_is_possible(row->processors, row->groups), row->want);
}

static struct spread_row {
    const char *name;
    uint32_t processors, groups;
    uint32_t group; /* the one looked at */
    uint32_t want_size, want_first;
    uint64_t want_mask;
} spread_rows[] = {
    {"single_processor_is_number_0", 1, 1, 0, 1, 0, 0x1},
    {"four_in_one_group_are_numbers_0_to_3", 4, 1, 0, 4, 0, 0xF},
    {"full_group_has_a_full_mask", 64, 1, 0, 64, 0, 0xFFFFFFFFFFFFFFFF},
    {"first_of_two_halves_begins_at_0", 8, 2, 0, 4, 0, 0xF},
    {"second_of_two_halves_follows_the_first", 8, 2, 1, 4, 4, 0xF},
    {"first_group_gets_the_one_more", 10, 3, 0, 4, 0, 0xF},
    {"second_group_gets_none_more", 10, 3, 1, 3, 4, 0x7},
    {"third_group_follows_the_second", 10, 3, 2, 3, 7, 0x7},
    {"two_groups_get_the_two_more", 11, 3, 1, 4, 4, 0xF},
    {"last_group_of_the_largest_is_full", 2048, 32, 31, 64, 1984,
        0xFFFFFFFFFFFFFFFF},
};

static void spread_row(void **state)
{
    const struct spread_row *row = *state;
    struct topology topology;

    topology_init(&topology, row->processors, row->groups);

    assert_int_equal(topology.processors, row->processors);
    assert_int_equal(topology.groups, row->groups);
    assert_int_equal(topology.group_size[row->group], row->want_size);
    assert_int_equal(topology.group_first[row->group], row->want_first);
    assert_int_equal(topology_mask(&topology, row->group), row->want_mask);
}

static struct size_row {
    const char *name;
    uint8_t size[LIMIT_GROUPS];
    uint32_t groups;
    uint32_t group; /* the one looked at */
    uint32_t want_processors, want_first;
    uint64_t want_mask;
} size_rows[] = {
    {"sizes_of_one_group_are_all_of_it", {5}, 1, 0, 5, 0, 0x1F},
    {"full_group_before_a_smaller_one", {64, 8, 1}, 3, 0, 73, 0,
        0xFFFFFFFFFFFFFFFF},
    {"smaller_group_has_a_smaller_mask", {64, 8, 1}, 3, 1, 73, 64, 0xFF},
    {"group_of_one_is_the_last", {64, 8, 1}, 3, 2, 73, 72, 0x1},
    {"group_of_one_is_the_first", {1, 64}, 2, 0, 65, 0, 0x1},
    {"larger_group_follows_a_group_of_one", {1, 64}, 2, 1, 65, 1,
        0xFFFFFFFFFFFFFFFF},
};

static void size_row(void **state)
{
    const struct size_row *row = *state;
    struct topology topology;

    topology_init_sizes(&topology, row->size, row->groups);

    assert_int_equal(topology.processors, row->want_processors);
    assert_int_equal(topology.groups, row->groups);
    assert_int_equal(topology.group_first[row->group], row->want_first);
    assert_int_equal(topology_mask(&topology, row->group), row->want_mask);
}

static struct absent_row {
    const char *name;
    uint32_t group;
} absent_rows[] = {
    {"first_missing_group_has_an_empty_mask", 2},
    {"group_past_every_table_has_an_empty_mask", 32},
    {"group_number_of_all_ones_has_an_empty_mask", 0xFFFFFFFF},
};

static void absent_row(void **state)
{
    const struct absent_row *row = *state;
    struct topology topology;

    topology_init(&topology, 8, 2);
    assert_int_equal(topology_mask(&topology, row->group), 0);
}

/* The tables are full: nothing lies behind them. */
static void group_past_the_largest_has_an_empty_mask(void **state)
{
    struct topology topology;

    (void)state;
    topology_init(&topology, 2048, 32);
    assert_int_equal(topology_mask(&topology, 32), 0);
}

TEST_FILE(test_topology)
{
    TEST_ADD_ROWS(list, possible_row, possible_rows);
    TEST_ADD_ROWS(list, spread_row, spread_rows);
    TEST_ADD_ROWS(list, size_row, size_rows);
    TEST_ADD_ROWS(list, absent_row, absent_rows);
    test_add(list, "group_past_the_largest_has_an_empty_mask",
        group_past_the_largest_has_an_empty_mask, NULL);
}
