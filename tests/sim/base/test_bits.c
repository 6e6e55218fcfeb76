/* test_bits.c - bits and runs of bits at both ends of a register. */
#include "sim/base/bits.h"
#include "tests/rows.h"

static struct bit_row {
    const char *name;
    unsigned n;
    uint64_t want;
} bit_rows[] = {
    {"bit_0_is_one", 0, 0x1},
    {"bit_31_stays_positive", 31, 0x80000000},
    {"bit_32_leaves_the_low_half", 32, 0x100000000},
    {"bit_63_is_the_highest", 63, 0x8000000000000000},
};

static void bit_row(void **state)
{
    const struct bit_row *row = *state;

    assert_int_equal(bit(row->n), row->want);
}

static struct set_row {
    const char *name;
    uint64_t value;
    unsigned n;
    bool want;
} set_rows[] = {
    {"set_bit_0_is_seen", 0x1, 0, true},
    {"clear_bit_next_to_a_set_one_is_clear", 0x1, 1, false},
    {"set_bit_63_is_seen", 0x8000000000000000, 63, true},
    {"bit_32_is_not_confused_with_bit_0", 0x1, 32, false},
};

static void set_row(void **state)
{
    const struct set_row *row = *state;

    assert_int_equal(bit_is_set(row->value, row->n), row->want);
}

static void bit_if_is_the_bit_or_none(void **state)
{
    (void)state;
    assert_int_equal(bit_if(true, 0), 0x1);
    assert_int_equal(bit_if(true, 63), 0x8000000000000000);
    assert_int_equal(bit_if(false, 0), 0x0);
    assert_int_equal(bit_if(false, 63), 0x0);
}

static struct low_row {
    const char *name;
    unsigned count;
    uint64_t want;
} low_rows[] = {
    {"no_low_bits_are_zero", 0, 0x0},
    {"one_low_bit_is_one", 1, 0x1},
    {"thirty_two_low_bits_are_half", 32, 0xFFFFFFFF},
    {"forty_eight_low_bits_are_twelve_digits", 48, 0xFFFFFFFFFFFF},
    {"sixty_three_low_bits_lack_the_highest", 63, 0x7FFFFFFFFFFFFFFF},
    {"sixty_four_low_bits_are_all", 64, 0xFFFFFFFFFFFFFFFF},
};

static void low_row(void **state)
{
    const struct low_row *row = *state;

    assert_int_equal(bits_low(row->count), row->want);
}

static struct get_row {
    const char *name;
    unsigned low, count;
    uint64_t want; /* of 123456789ABCDEF0H */
} get_rows[] = {
    {"lowest_byte_is_cut_out", 0, 8, 0xF0},
    {"byte_across_a_byte_border_is_cut_out", 4, 8, 0xEF},
    {"word_in_the_middle_is_cut_out", 24, 16, 0x789A},
    {"highest_four_bits_are_cut_out", 60, 4, 0x1},
    {"run_past_the_end_gives_what_there_is", 56, 16, 0x12},
    {"whole_register_is_cut_out", 0, 64, 0x123456789ABCDEF0},
    {"run_of_no_bits_is_zero", 8, 0, 0x0},
};

static void get_row(void **state)
{
    const struct get_row *row = *state;

    assert_int_equal(
        bits_get(0x123456789ABCDEF0, row->low, row->count), row->want);
}

static struct lowest_row {
    const char *name;
    uint64_t value;
    unsigned want;
} lowest_rows[] = {
    {"bit_0_is_its_own_lowest", 0x1, 0},
    {"bit_63_is_its_own_lowest", 0x8000000000000000, 63},
    {"lower_of_two_bits_is_the_lowest", 0x100000020, 5},
    {"lowest_of_all_bits_is_bit_0", 0xFFFFFFFFFFFFFFFF, 0},
};

static void lowest_row(void **state)
{
    const struct lowest_row *row = *state;

    assert_int_equal(bits_lowest(row->value), row->want);
}

static struct lowest_row highest_rows[] = {
    {"bit_0_is_its_own_highest", 0x1, 0},
    {"bit_63_is_its_own_highest", 0x8000000000000000, 63},
    {"upper_of_two_bits_is_the_highest", 0x100000020, 32},
    {"highest_of_all_bits_is_bit_63", 0xFFFFFFFFFFFFFFFF, 63},
};

static void highest_row(void **state)
{
    const struct lowest_row *row = *state;

    assert_int_equal(bits_highest(row->value), row->want);
}

TEST_FILE(test_bits)
{
    TEST_ADD_ROWS(list, bit_row, bit_rows);
    TEST_ADD_ROWS(list, set_row, set_rows);
    test_add(
        list, "bit_if_is_the_bit_or_none", bit_if_is_the_bit_or_none, NULL);
    TEST_ADD_ROWS(list, low_row, low_rows);
    TEST_ADD_ROWS(list, get_row, get_rows);
    TEST_ADD_ROWS(list, lowest_row, lowest_rows);
    TEST_ADD_ROWS(list, highest_row, highest_rows);
}
