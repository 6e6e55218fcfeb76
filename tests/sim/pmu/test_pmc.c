/* test_pmc.c - where a counter of 32, 40 or 48 bits wraps. */
#include "sim/pmu/pmc.h"
#include "tests/rows.h"

/* PMU-OVF-01a */
static struct add_row {
    const char *name;
    uint8_t width_bits;
    uint64_t start, pulses, want_value, want_wraps;
} add_rows[] = {
    {"no_pulses_change_nothing", 48, 7, 0, 7, 0},
    {"no_pulses_at_the_last_value_do_not_wrap", 48, 0xFFFFFFFFFFFF, 0,
        0xFFFFFFFFFFFF, 0},
    {"pulses_add_up", 48, 7, 5, 12, 0},
    {"reaches_the_last_value_of_48_bits_without_a_wrap", 48, 0xFFFFFFFFFFFE, 1,
        0xFFFFFFFFFFFF, 0},
    {"one_past_the_last_of_48_bits_wraps_to_zero", 48, 0xFFFFFFFFFFFF, 1, 0, 1},
    {"wrap_keeps_what_is_left_over", 48, 0xFFFFFFFFFC18, 1005, 5, 1},
    {"one_span_from_zero_wraps_once", 48, 0, 0x1000000000000, 0, 1},
    {"one_pulse_less_than_a_span_from_zero_does_not", 48, 0, 0xFFFFFFFFFFFF,
        0xFFFFFFFFFFFF, 0},
    {"two_spans_wrap_twice", 48, 5, 0x2000000000000, 5, 2},
    {"one_past_the_last_of_40_bits_wraps_to_zero", 40, 0xFFFFFFFFFF, 1, 0, 1},
    {"40_bits_wrap_three_times_in_three_spans", 40, 1, 0x30000000000, 1, 3},
    {"one_past_the_last_of_32_bits_wraps_to_zero", 32, 0xFFFFFFFF, 1, 0, 1},
    {"32_bits_do_not_carry_into_bit_32", 32, 0x80000000, 0x80000001, 1, 1},
    {"counter_of_48_bits_carries_into_bit_32", 48, 0xFFFFFFFF, 1, 0x100000000,
        0},
};

static void add_row(void **state)
{
    const struct add_row *row = *state;
    struct pmc pmc;

    pmc_init(&pmc, row->width_bits);
    pmc.value = row->start;

    assert_int_equal(pmc_add(&pmc, row->pulses), row->want_wraps);
    assert_int_equal(pmc.value, row->want_value);
}

static struct headroom_row {
    const char *name;
    uint8_t width_bits;
    uint64_t value, want;
} headroom_rows[] = {
    {"counter_at_zero_needs_2_to_the_48_events", 48, 0, 0x1000000000000},
    {"counter_at_zero_needs_2_to_the_40_events", 40, 0, 0x10000000000},
    {"counter_at_zero_needs_2_to_the_32_events", 32, 0, 0x100000000},
    {"counter_at_its_last_value_needs_one_event", 48, 0xFFFFFFFFFFFF, 1},
    {"counter_at_minus_1000_needs_1000_events", 48, 0xFFFFFFFFFC18, 1000},
    {"counter_at_minus_1000_in_32_bits_needs_1000_events", 32, 0xFFFFFC18,
        1000},
};

static void headroom_row(void **state)
{
    const struct headroom_row *row = *state;
    struct pmc pmc;

    pmc_init(&pmc, row->width_bits);
    pmc.value = row->value;

    assert_int_equal(pmc_headroom(&pmc), row->want);
}

static struct set_row {
    const char *name;
    uint8_t width_bits;
    uint64_t value, want;
} set_rows[] = {
    {"zero_is_zero", 48, 0x0, 0x0},
    {"largest_positive_stays", 48, 0x7FFFFFFF, 0x7FFFFFFF},
    {"bit_31_is_repeated_up_to_bit_47", 48, 0x80000000, 0xFFFF80000000},
    {"minus_one_is_the_last_value", 48, 0xFFFFFFFF, 0xFFFFFFFFFFFF},
    {"bit_31_is_repeated_up_to_bit_39", 40, 0x80000000, 0xFF80000000},
    {"bit_31_is_the_highest_of_32_bits", 32, 0x80000000, 0x80000000},
    {"high_half_is_ignored", 48, 0x1234567800000005, 0x5},
    {"high_half_of_ones_is_ignored", 48, 0xFFFFFFFF00000000, 0x0},
};

static void set_row(void **state)
{
    const struct set_row *row = *state;

    assert_int_equal(
        pmc_legacy(row->value, bits_low(row->width_bits)), row->want);
}

static void new_counter_is_zero(void **state)
{
    struct pmc pmc = {.value = 99, .width_bits = 1};

    (void)state;
    pmc_init(&pmc, 40);
    assert_int_equal(pmc.value, 0);
    assert_int_equal(pmc.width_bits, 40);
}

TEST_FILE(test_pmc)
{
    TEST_ADD_ROWS(list, add_row, add_rows);
    TEST_ADD_ROWS(list, headroom_row, headroom_rows);
    TEST_ADD_ROWS(list, set_row, set_rows);
    test_add(list, "new_counter_is_zero", new_counter_is_zero, NULL);
}
