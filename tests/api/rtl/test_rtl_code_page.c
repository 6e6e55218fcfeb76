/* test_rtl_code_page.c - code page 1252 both ways, and its capitals (RTL-04d).
 */
#include "api/rtl/code_page.h"
#include "tests/rows.h"

static struct byte_row {
    const char *name;
    uint8_t byte;
    uint16_t want_wide;
    uint8_t want_upper;
} byte_rows[] = {
    {"letter", 'a', 'a', 'A'},
    {"capital", 'A', 'A', 'A'},
    {"digit", '7', '7', '7'},
    {"last_of_ascii", 0x7F, 0x7F, 0x7F},
    {"euro", 0x80, 0x20AC, 0x80},
    {"not_defined", 0x81, 0x81, 0x81},
    {"low_quote", 0x82, 0x201A, 0x82},
    {"f_with_hook_has_no_capital_on_the_page", 0x83, 0x0192, 0x83},
    {"low_double_quote", 0x84, 0x201E, 0x84},
    {"ellipsis", 0x85, 0x2026, 0x85},
    {"dagger", 0x86, 0x2020, 0x86},
    {"double_dagger", 0x87, 0x2021, 0x87},
    {"circumflex", 0x88, 0x02C6, 0x88},
    {"per_mille", 0x89, 0x2030, 0x89},
    {"capital_s_with_caron", 0x8A, 0x0160, 0x8A},
    {"left_angle_quote", 0x8B, 0x2039, 0x8B},
    {"capital_oe", 0x8C, 0x0152, 0x8C},
    {"second_not_defined", 0x8D, 0x8D, 0x8D},
    {"capital_z_with_caron", 0x8E, 0x017D, 0x8E},
    {"third_not_defined", 0x8F, 0x8F, 0x8F},
    {"fourth_not_defined", 0x90, 0x90, 0x90},
    {"left_quote", 0x91, 0x2018, 0x91},
    {"right_quote", 0x92, 0x2019, 0x92},
    {"left_double_quote", 0x93, 0x201C, 0x93},
    {"right_double_quote", 0x94, 0x201D, 0x94},
    {"bullet", 0x95, 0x2022, 0x95},
    {"en_dash", 0x96, 0x2013, 0x96},
    {"em_dash", 0x97, 0x2014, 0x97},
    {"small_tilde", 0x98, 0x02DC, 0x98},
    {"trade_mark", 0x99, 0x2122, 0x99},
    {"s_with_caron", 0x9A, 0x0161, 0x8A},
    {"right_angle_quote", 0x9B, 0x203A, 0x9B},
    {"oe", 0x9C, 0x0153, 0x8C},
    {"fifth_not_defined", 0x9D, 0x9D, 0x9D},
    {"z_with_caron", 0x9E, 0x017E, 0x8E},
    {"last_of_the_table", 0x9F, 0x0178, 0x9F},
    {"no_break_space", 0xA0, 0xA0, 0xA0},
    {"micro_has_no_capital_on_the_page", 0xB5, 0xB5, 0xB5},
    {"e_with_acute", 0xE9, 0xE9, 0xC9},
    {"division_is_no_letter", 0xF7, 0xF7, 0xF7},
    {"y_with_diaeresis", 0xFF, 0xFF, 0x9F},
};

static void byte_row(void **state)
{
    const struct byte_row *row = *state;

    assert_int_equal(code_page_wide(row->byte), row->want_wide);
    assert_int_equal(code_page_narrow(row->want_wide), row->byte);
    assert_int_equal(code_page_upper(row->byte), row->want_upper);
}

static struct missing_row {
    const char *name;
    uint16_t wide;
} missing_rows[] = {
    {"greek_alpha", 0x03B1},
    {"beyond_the_first_256", 0x0100},
    {"byte_that_means_something_else", 0x0080},
    {"half_of_a_pair", 0xD83D},
};

static void missing_row(void **state)
{
    const struct missing_row *row = *state;

    assert_int_equal(code_page_narrow(row->wide), '?');
}

TEST_FILE(test_rtl_code_page)
{
    TEST_ADD_ROWS(list, byte_row, byte_rows);
    TEST_ADD_ROWS(list, missing_row, missing_rows);
}
