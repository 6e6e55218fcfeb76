/* test_figure_text.c - how figures are printed, and what can be expected of
 * one (PCW-CON-02). */
#include "scenarios/runner/text/figure_text.h"

#include <talloc.h>

#include "tests/rows.h"

static struct number_row {
    const char *name;
    double number;
    const char *want;
} number_rows[] = {
    {"zero", 0, "0"},
    {"zero_below", -0.0, "0"},
    {"whole_number", 250000, "250000"},
    {"whole_number_of_many_digits", 1e22, "10000000000000000000000"},
    {"decimals", 12.5, "12.5"},
    {"decimals_are_6_from_1_on", 1.23456789, "1.234568"},
    {"decimals_are_6_of_a_large_number", 123456.789012345, "123456.789012"},
    {"negative", -50, "-50"},
    {"negative_decimals", -33.333333333, "-33.333333"},
    {"third", 1.0 / 3, "0.333333"},
    {"thirtieth", 1.0 / 30, "0.0333333"},
    {"nanoseconds", 3e-7, "0.0000003"},
    {"picoseconds", 1.23456789e-12, "0.00000000000123457"},
    {"below_1_and_negative", -3e-7, "-0.0000003"},
    {"rounds_up_to_1", 0.9999999, "1"},
    {"rounds_up_to_minus_1", -0.9999999, "-1"},
    {"does_not_round_up_to_1", 0.9999994, "0.999999"},
    {"rounds_up_to_a_tenth", 0.09999999, "0.1"},
    {"does_not_round_up_to_a_tenth", 0.0999999, "0.0999999"},
    {"smallest_above_1", 1.0000004, "1"},
};

static void number_is_printed(void **state)
{
    const struct number_row *row = *state;
    const struct counter_figure figure = {.number = row->number};
    char *text = counter_figure_text(NULL, &figure);

    assert_string_equal(text, row->want);
    assert_true(counter_figure_is_text(text));
    talloc_free(text);
}

static struct count_row {
    const char *name;
    uint64_t count;
    const char *want;
} count_rows[] = {
    {"count_of_0", 0, "0"},
    {"count_that_no_double_is", UINT64_C(9007199254740993), "9007199254740993"},
    {"largest_count", UINT64_MAX, "18446744073709551615"},
};

static void count_is_printed(void **state)
{
    const struct count_row *row = *state;
    const struct counter_figure figure = {true, row->count, 7.5};
    char *text = counter_figure_text(NULL, &figure);

    assert_string_equal(text, row->want);
    assert_true(counter_figure_is_text(text));
    talloc_free(text);
}

static struct text_row {
    const char *name;
    const char *text;
    bool is;
} text_rows[] = {
    {"6_decimals_are_one", "1.234567", true},
    {"7_decimals_from_1_on_are_none", "1.2345678", false},
    {"6_digits_behind_zeros_are_one", "0.000123456", true},
    {"7_digits_behind_zeros_are_none", "0.0001234567", false},
    {"zeros_from_1_on_are_decimals", "10.0000001", false},
    {"zero_at_the_end_is_none", "12.50", false},
    {"zero_at_the_end_below_1_is_none", "0.10", false},
    {"zero_with_decimals_is_none", "0.0", false},
    {"zero_below_is_none", "-0", false},
    {"minus_is_one", "-0.5", true},
    {"minus_alone_is_none", "-", false},
    {"nothing_is_none", "", false},
    {"point_alone_is_none", "1.", false},
    {"without_a_whole_number_is_none", ".5", false},
    {"leading_zeros_are_none", "007", false},
    {"two_zeros_are_none", "00.5", false},
    {"exponent_is_none", "1e3", false},
    {"exponent_behind_decimals_is_none", "1.5e3", false},
    {"hexadecimal_is_none", "0x10", false},
    {"plus_is_none", "+1", false},
    {"word_is_none", "none", false},
};

static void text_is_a_figure(void **state)
{
    const struct text_row *row = *state;

    assert_int_equal(counter_figure_is_text(row->text), row->is);
}

TEST_FILE(test_figure_text)
{
    TEST_ADD_ROWS(list, number_is_printed, number_rows);
    TEST_ADD_ROWS(list, count_is_printed, count_rows);
    TEST_ADD_ROWS(list, text_is_a_figure, text_rows);
}
