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
    {"s_with_caron", 0x9A, 0x0161, 0x8A},
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
