/* test_chart_scale.c - ends and ticks of an axis. */
#include "scenarios/runner/commands/counters/chart_scale.h"

#include "tests/rows.h"

static struct row {
    const char *name;
    double low, high;
    double want_low, want_high;
    size_t ticks;
    const char *second; /* tick, as text */
} rows[] = {
    {"zero_is_always_there", 3, 5, 0, 5, 6, "1"},
    {"both_ends_are_round", 0, 2.81, 0, 3, 4, "1"},
    {"nothing_is_a_unit", 0, 0, 0, 1, 6, "0.2"},
    {"below_zero", -3, -1, -3, 0, 4, "-2"},
    {"on_both_sides", -7, 4, -10, 5, 4, "-5"},
    {"millions", 0, 1250000, 0, 1500000, 4, "500000"},
    {"small_ones_have_decimals", 0, 0.0003, 0, 0.0003, 4, "0.0001"},
    {"a_rounded_step_adds_no_tick", 0, 0.3, 0, 0.3, 4, "0.1"},
    {"the_greatest_count", 0, 18446744073709551615.0, 0, 20e18, 5,
        "5000000000000000000"},
};

static void row(void **state)
{
    const struct row *row = *state;
    const struct chart_scale scale = chart_scale_of(row->low, row->high);
    char text[CHART_TICK_BYTES];
    double unit = (row->want_high - row->want_low) / 1e9;

    assert_true(scale.low - row->want_low <= unit);
    assert_true(row->want_low - scale.low <= unit);
    assert_true(scale.high - row->want_high <= unit);
    assert_true(row->want_high - scale.high <= unit);
    assert_int_equal(scale.ticks, row->ticks);
    chart_scale_text(&scale, 1, text);
    assert_string_equal(text, row->second);
}

static void places_go_from_end_to_end(void **state)
{
    const struct chart_scale scale = chart_scale_of(-5, 5);

    (void)state;
    assert_true(chart_scale_at(&scale, -6, 60) == 0);
    assert_true(chart_scale_at(&scale, 0, 60) == 30);
    assert_true(chart_scale_at(&scale, 6, 60) == 60);
}

TEST_FILE(test_chart_scale)
{
    TEST_ADD_ROWS(list, row, rows);
    test_add(
        list, "places_go_from_end_to_end", places_go_from_end_to_end, NULL);
}
