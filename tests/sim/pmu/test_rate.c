/* test_rate.c - the two closed forms against sums worked out by hand, and
 * against counting cycle by cycle. */
#include <inttypes.h>
#include <stdio.h>

#include "sim/base/splitmix.h"
#include "sim/pmu/rate.h"
#include "tests/rows.h"

static struct possible_row {
    const char *name;
    uint64_t p, q;
    bool want;
} possible_rows[] = {
    {"one_a_cycle_is_possible", 1, 1, true},
    {"never_is_possible", 0, 1, true},
    {"division_by_no_cycles_is_not", 1, 0, false},
    {"sixty_four_a_cycle_are_possible", 64, 1, true},
    {"sixty_five_a_cycle_are_too_many", 65, 1, false},
    {"hundred_and_twenty_eight_in_two_cycles_are_possible", 128, 2, true},
    {"hundred_and_twenty_nine_in_two_cycles_are_too_many", 129, 2, false},
    {"cycle_term_of_the_longest_segment_is_possible", 1, 0x1000000000000, true},
    {"cycle_term_past_that_is_not", 1, 0x1000000000001, false},
    {"sixty_four_a_cycle_of_the_longest_segment_are_possible", 0x40000000000000,
        0x1000000000000, true},
    {"one_more_in_the_longest_segment_is_too_many", 0x40000000000001,
        0x1000000000000, false},
    {"largest_event_term_is_too_many", UINT64_MAX, 0x1000000000000, false},
};

static void possible_row(void **state)
{
    const struct possible_row *row = *state;

    assert_int_equal(rate_is_possible(row->p, row->q), row->want);
}

static struct events_row {
    const char *name;
    struct rate rate;
    uint64_t cycles, want;
} events_rows[] = {
    {"rate_of_zero_never_happens", {0, 1, 0}, 1000, 0},
    {"no_cycles_have_no_events", {5, 2, 1}, 0, 0},
    {"one_a_cycle_happens_once_a_cycle", {1, 1, 0}, 1000, 1000},
    {"third_of_an_event_is_none_yet", {1, 3, 0}, 2, 0},
    {"three_thirds_are_one", {1, 3, 0}, 3, 1},
    {"phase_brings_the_event_earlier", {1, 3, 2}, 1, 1},
    {"phase_alone_is_no_event", {1, 3, 2}, 0, 0},
    {"five_halves_in_three_cycles_are_seven", {5, 2, 0}, 3, 7},
    {"five_halves_with_half_an_event_more_are_eight", {5, 2, 1}, 3, 8},
    {"one_in_25_over_a_billion_cycles", {1, 25, 0}, 1000000000, 40000000},
    /* 2^48 * (2^32-1) / (2^32-2) = 2^48 + 2^16 + 0.00003 */
    {"product_past_64_bits_loses_nothing", {0xFFFFFFFF, 0xFFFFFFFE, 0},
        0x1000000000000, 0x1000000010000},
    /* 2^48 * (2^32-1) / 2^26 = 2^54 - 2^22 */
    {"longest_segment_at_nearly_64_a_cycle", {0xFFFFFFFF, 0x4000000, 0},
        0x1000000000000, 0x3FFFFFFFC00000},
    {"longest_segment_at_64_a_cycle", {64, 1, 0}, 0x1000000000000,
        0x40000000000000},
    {"total_of_a_long_segment_is_whole_at_its_end",
        {1000000, 0xFFFFFFFFFFFF, 0}, 0xFFFFFFFFFFFF, 1000000},
    {"total_of_a_long_segment_lacks_one_a_cycle_earlier",
        {1000000, 0xFFFFFFFFFFFF, 0}, 0xFFFFFFFFFFFE, 999999},
    /* 2^48 * (2^54-1) / 2^48 */
    {"largest_odd_total_of_the_longest_segment",
        {0x3FFFFFFFFFFFFF, 0x1000000000000, 0}, 0x1000000000000,
        0x3FFFFFFFFFFFFF},
    /* 2^47 * (2^54-1) / 2^48 = 2^53 - 1/2 */
    {"half_of_the_largest_odd_total", {0x3FFFFFFFFFFFFF, 0x1000000000000, 0},
        0x800000000000, 0x1FFFFFFFFFFFFF},
    /* (2^64-1) + 1 = 2^64, a third of it is 6148914691236517205.3 */
    {"sum_that_just_passes_64_bits_loses_nothing", {3, 3, 1},
        0x5555555555555555, 0x5555555555555555},
};

static void events_row(void **state)
{
    const struct events_row *row = *state;

    assert_int_equal(rate_events(&row->rate, row->cycles), row->want);
}

static struct cycles_row {
    const char *name;
    struct rate rate;
    uint64_t events, want;
} cycles_rows[] = {
    {"first_of_one_a_cycle_takes_a_cycle", {1, 1, 0}, 1, 1},
    {"thousandth_of_one_a_cycle_takes_a_thousand", {1, 1, 0}, 1000, 1000},
    {"first_of_a_third_takes_three", {1, 3, 0}, 1, 3},
    {"phase_of_one_third_saves_one_cycle", {1, 3, 1}, 1, 2},
    {"phase_of_two_thirds_saves_two_cycles", {1, 3, 2}, 1, 1},
    {"second_of_five_halves_comes_in_the_first_cycle", {5, 2, 0}, 2, 1},
    {"third_of_five_halves_comes_in_the_second_cycle", {5, 2, 0}, 3, 2},
    {"eighth_of_five_halves_comes_in_the_fourth_cycle", {5, 2, 0}, 8, 4},
    {"eighth_comes_earlier_with_a_phase", {5, 2, 1}, 8, 3},
    /* 2^48 / 64 = 2^42 */
    {"whole_counter_at_64_a_cycle", {64, 1, 0}, 0x1000000000000, 0x40000000000},
    /* (2^48+2^16) * (2^32-2) / (2^32-1) = 2^48 - 0.00003 */
    {"event_past_64_bits_loses_no_cycle", {0xFFFFFFFF, 0xFFFFFFFE, 0},
        0x1000000010000, 0x1000000000000},
    /* (2^48+2^16+1) * (2^32-2) / (2^32-1) = 2^48 + 0.99997 */
    {"next_event_past_64_bits_takes_one_cycle_more",
        {0xFFFFFFFF, 0xFFFFFFFE, 0}, 0x1000000010001, 0x1000000000001},
    /* (2^48-1) / 10^6 = 281474976.7 */
    {"first_of_a_million_in_a_long_segment", {1000000, 0xFFFFFFFFFFFF, 0}, 1,
        281474977},
    {"last_of_a_million_in_a_long_segment", {1000000, 0xFFFFFFFFFFFF, 0},
        1000000, 0xFFFFFFFFFFFF},
    {"last_of_the_largest_odd_total", {0x3FFFFFFFFFFFFF, 0x1000000000000, 0},
        0x3FFFFFFFFFFFFF, 0x1000000000000},
    /* (2^53-1) * 2^48 / (2^54-1) = 2^47 - 0.008 */
    {"half_of_the_largest_odd_total_takes_half_the_segment",
        {0x3FFFFFFFFFFFFF, 0x1000000000000, 0}, 0x1FFFFFFFFFFFFF,
        0x800000000000},
};

static void cycles_row(void **state)
{
    const struct cycles_row *row = *state;

    assert_int_equal(rate_cycles(&row->rate, row->events), row->want);
}

enum { CASES = 20000, CYCLES = 100, SEED = 48271 };

/* What happened, one cycle after another: total[t] after t cycles. */
static void count_by_cycle(const struct rate *rate, uint64_t total[CYCLES + 1])
{
    uint64_t parts = rate->phase; /* q of them make an event */

    total[0] = 0;
    for (unsigned t = 1; t <= CYCLES; t++) {
        parts += rate->p;
        total[t] = total[t - 1];
        while (parts >= rate->q) {
            parts -= rate->q;
            total[t]++;
        }
    }
}

static void fail_case(
    uint64_t seed, const struct rate *rate, const char *what, uint64_t at)
{
    fail_msg("seed %" PRIu64 ": p=%" PRIu64 " q=%" PRIu64 " phase=%" PRIu64
             ", wrong %s %" PRIu64,
        seed, rate->p, rate->q, rate->phase, what, at);
}

static void check_case(uint64_t seed)
{
    struct splitmix stream = {.state = seed};
    struct rate rate;
    uint64_t total[CYCLES + 1];

    rate.q = 1 + splitmix_below(&stream, 30);
    rate.p = splitmix_below(&stream, 3 * rate.q);
    rate.phase = splitmix_below(&stream, rate.q);
    count_by_cycle(&rate, total);
    for (unsigned t = 0; t <= CYCLES; t++) {
        if (rate_events(&rate, t) != total[t]) {
            fail_case(seed, &rate, "events after cycle", t);
        }
        /* Events that this cycle brought are reached by it and not before. */
        for (uint64_t k = t == 0 ? 1 : total[t - 1] + 1; k <= total[t]; k++) {
            if (rate_cycles(&rate, k) != t) {
                fail_case(seed, &rate, "cycle of event", k);
            }
        }
    }
}

static void random_rates_match_counting_by_cycle(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < CASES; i++) {
        check_case(SEED + i);
    }
}

TEST_FILE(test_rate)
{
    TEST_ADD_ROWS(list, possible_row, possible_rows);
    TEST_ADD_ROWS(list, events_row, events_rows);
    TEST_ADD_ROWS(list, cycles_row, cycles_rows);
    test_add(list, "twenty_thousand_random_rates_match_counting_by_cycle",
        random_rates_match_counting_by_cycle, NULL);
}
