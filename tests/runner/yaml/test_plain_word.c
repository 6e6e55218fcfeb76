/* test_plain_word.c - which plain words are numbers, and which. */
#define _POSIX_C_SOURCE 200809L
#include "scenarios/runner/yaml/plain_word.h"
#include "tests/rows.h"

static struct number_row {
    const char *name;
    const char *text;
    bool want;
    uint64_t want_number;
} number_rows[] = {
    {"zero", "0", true, 0},
    {"decimal", "1234567890", true, 1234567890},
    {"highest_decimal", "18446744073709551615", true, 0xFFFFFFFFFFFFFFFF},
    {"decimal_one_too_high", "18446744073709551616", false, 0},
    {"decimal_ten_times_too_high", "184467440737095516150", false, 0},
    {"hexadecimal", "0x1F", true, 31},
    {"hexadecimal_in_lower_case", "0xabcdef", true, 0xABCDEF},
    {"hexadecimal_in_upper_case", "0xABCDEF", true, 0xABCDEF},
    {"highest_hexadecimal", "0xFFFFFFFFFFFFFFFF", true, 0xFFFFFFFFFFFFFFFF},
    {"hexadecimal_of_17_digits", "0x10000000000000000", false, 0},
    {"leading_zeros_in_hexadecimal", "0x000F", true, 15},
    {"leading_zero_in_decimal", "010", false, 0},
    {"two_zeros", "00", false, 0},
    {"underscore", "1_000", false, 0},
    {"colon", "12:30:45", false, 0},
    {"minus", "-1", false, 0},
    {"plus", "+1", false, 0},
    {"point", "1.0", false, 0},
    {"exponent", "1e3", false, 0},
    {"letter_in_decimal", "12a", false, 0},
    {"letter_in_hexadecimal", "0x1G", false, 0},
    {"upper_case_x", "0X1F", false, 0},
    {"prefix_alone", "0x", false, 0},
    {"nothing", "", false, 0},
    {"octal", "0o17", false, 0},
    {"binary", "0b1", false, 0},
    {"space_behind", "1 ", false, 0},
};

static void number_row(void **state)
{
    const struct number_row *row = *state;
    uint64_t number = 0;

    assert_int_equal(plain_word_number(row->text, &number), row->want);
    assert_int_equal(number, row->want_number);
}

TEST_FILE(test_plain_word)
{
    TEST_ADD_ROWS(list, number_row, number_rows);
}
