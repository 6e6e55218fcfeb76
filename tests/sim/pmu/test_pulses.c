/* test_pulses.c - CMASK, INV and EDGE against sums worked out by hand.
 * test_pulses_random.c counts cycle by cycle. */
#include "sim/pmu/pulses.h"
#include "tests/rows.h"

/* PMU-MSR-20a, PMU-MSR-20b, PMU-MSR-20c, PMU-MSR-20d, PMU-BEH-10 */
/* Five events in two cycles come as 2, 3, 2, 3, ..; seven in four as 1, 2, 2,
 * 2, ..; five in four as 1, 1, 1, 2, .. */
static struct until_row {
    const char *name;
    struct rate rate;
    struct pulse_filter filter; /* cmask, invert, edge */
    uint64_t cycles, want;
} until_rows[] = {
    {"without_a_filter_every_event_counts", {5, 2, 0}, {0, false, false}, 1000,
        2500},
    {"inv_without_cmask_changes_nothing", {5, 2, 0}, {0, true, false}, 1000,
        2500},
    {"cmask_2_is_met_by_every_cycle", {5, 2, 0}, {2, false, false}, 1000, 1000},
    {"cmask_3_is_met_by_every_other_cycle", {5, 2, 0}, {3, false, false}, 1000,
        500},
    {"cmask_4_is_never_met", {5, 2, 0}, {4, false, false}, 1000, 0},
    {"cmask_255_is_never_met", {5, 2, 0}, {255, false, false}, 1000, 0},
    {"inv_of_cmask_2_is_never_met", {5, 2, 0}, {2, true, false}, 1000, 0},
    {"inv_of_cmask_3_is_met_by_the_other_cycles", {5, 2, 0}, {3, true, false},
        1001, 501},
    {"inv_of_cmask_4_is_met_by_every_cycle", {5, 2, 0}, {4, true, false}, 1000,
        1000},
    {"cmask_2_of_seven_in_four_is_met_three_times_in_four", {7, 4, 0},
        {2, false, false}, 1000, 750},
    {"phase_moves_the_cycles_that_meet_cmask", {5, 2, 1}, {3, false, false}, 1,
        1},
    {"edge_of_alternating_cycles_counts_each", {5, 2, 0}, {3, false, true},
        1000, 500},
    {"edge_of_a_condition_always_met_rises_once", {5, 2, 0}, {2, false, true},
        1000, 1},
    {"edge_of_a_condition_never_met_does_not_rise", {5, 2, 0}, {4, false, true},
        1000, 0},
    {"edge_of_three_in_four_rises_once_in_four", {7, 4, 0}, {2, false, true},
        1000, 250},
    {"edge_of_one_in_four_rises_once_in_four", {5, 4, 0}, {2, false, true},
        1000, 250},
    {"edge_of_inv_rises_when_events_become_few", {7, 4, 0}, {2, true, true},
        1000, 250},
    {"edge_of_inv_of_one_in_four_rises_after_each_heavy_cycle", {5, 4, 0},
        {2, true, true}, 1001, 251},
    {"edge_without_cmask_rises_where_events_begin", {1, 4, 0}, {0, false, true},
        1000, 250},
    {"edge_without_cmask_ignores_inv", {1, 4, 0}, {0, true, true}, 1000, 250},
    {"edge_counts_a_first_cycle_that_meets_it", {3, 4, 1}, {1, false, true}, 1,
        1},
    {"edge_of_no_cycles_is_none", {2, 1, 0}, {1, false, true}, 0, 0},
    {"inv_of_no_events_is_every_cycle", {0, 1, 0}, {1, true, false}, 1000,
        1000},
    /* 2^48 cycles of 3/2, with terms as large as terms can be */
    {"largest_terms_meet_cmask_in_every_other_cycle",
        {0x1800000000000, 0x1000000000000, 0}, {2, false, false},
        0x1000000000000, 0x800000000000},
    {"largest_terms_rise_in_every_other_cycle",
        {0x1800000000000, 0x1000000000000, 0}, {2, false, true},
        0x1000000000000, 0x800000000000},
    {"one_event_in_the_longest_segment_meets_cmask_once",
        {1, 0x1000000000000, 0}, {1, false, false}, 0x1000000000000, 1},
    {"one_event_in_the_longest_segment_leaves_all_other_cycles",
        {1, 0x1000000000000, 0}, {1, true, false}, 0x1000000000000,
        0xFFFFFFFFFFFF},
    /* 2^48 cycles of 7/4: three in four have two */
    {"longest_segment_is_counted_at_once", {7, 4, 0}, {2, false, false},
        0x1000000000000, 0xC00000000000},
};

static void until_row(void **state)
{
    const struct until_row *row = *state;

    assert_int_equal(
        pulses_until(&row->rate, row->filter, row->cycles), row->want);
}

static struct reach_row {
    const char *name;
    struct rate rate;
    struct pulse_filter filter;
    uint64_t from, need, limit, want;
} reach_rows[] = {
    {"hundredth_event_of_one_a_cycle", {1, 1, 0}, {0, false, false}, 0, 100,
        1000, 100},
    {"position_counts_from_the_segment_s_begin", {1, 1, 0}, {0, false, false},
        50, 100, 1000, 150},
    {"last_cycle_is_still_reached", {1, 1, 0}, {0, false, false}, 0, 1000, 1000,
        1000},
    {"one_event_past_the_end_is_not_reached", {1, 1, 0}, {0, false, false}, 0,
        1001, 1000, 1001},
    {"nothing_is_reached_from_the_end", {64, 1, 0}, {0, false, false}, 1000, 1,
        1000, 1001},
    {"event_that_never_happens_is_not_reached", {0, 1, 0}, {0, false, false}, 0,
        1, 1000, 1001},
    {"last_event_of_a_long_segment", {1000000, 0xFFFFFFFFFFFF, 0},
        {0, false, false}, 0, 1000000, 0xFFFFFFFFFFFF, 0xFFFFFFFFFFFF},
    {"cmask_of_the_largest_terms_is_searched",
        {0x1800000000000, 0x1000000000000, 0}, {2, false, false}, 0,
        1000000000000, 0x1000000000000, 2000000000000},
    {"total_past_64_bits_is_not_reached", {1, 1, 0}, {0, false, false}, 10,
        0xFFFFFFFFFFFFFFFF, 1000, 1001},
    {"third_of_cmask_3_comes_in_cycle_six", {5, 2, 0}, {3, false, false}, 0, 3,
        1000, 6},
    {"third_of_its_inverse_comes_in_cycle_five", {5, 2, 0}, {3, true, false}, 0,
        3, 1000, 5},
    {"edge_that_rises_once_is_reached_once", {5, 2, 0}, {2, false, true}, 0, 1,
        1000, 1},
    {"edge_that_rose_before_is_not_reached_again", {5, 2, 0}, {2, false, true},
        1, 1, 1000, 1001},
    {"edge_of_seven_in_four_comes_after_the_light_cycle", {7, 4, 0},
        {2, false, true}, 2, 1, 1000, 6},
    /* 3 * 2^44 pulses, three in four cycles */
    {"far_pulse_is_found_by_halving", {7, 4, 0}, {2, false, false}, 0,
        0x300000000000, 0x1000000000000, 0x400000000000},
};

static void reach_row(void **state)
{
    const struct reach_row *row = *state;

    assert_int_equal(
        pulses_reach(&row->rate, row->filter, row->from, row->need, row->limit),
        row->want);
}

TEST_FILE(test_pulses)
{
    TEST_ADD_ROWS(list, until_row, until_rows);
    TEST_ADD_ROWS(list, reach_row, reach_rows);
}
