/* test_segment.c - clocks go on where the last segment left them. */
#include "sim/pmu/segment.h"
#include "tests/rows.h"

/* TSC ticks 3 times in 2 core cycles, the bus once in 25. */
static const struct pmu_model model = {
    .tsc = {.p = 3, .q = 2}, .ref = {.p = 1, .q = 25}};

static struct phase_row {
    const char *name;
    uint64_t unhalted;
    uint64_t want_tsc, want_ref;
} phase_rows[] = {
    {"clocks_begin_at_phase_zero", 0, 0, 0},
    {"one_cycle_is_half_a_tsc_tick_past_the_first", 1, 1, 1},
    {"two_cycles_are_three_whole_tsc_ticks", 2, 0, 2},
    {"bus_is_about_to_tick_after_24_cycles", 24, 0, 24},
    {"bus_has_just_ticked_after_25_cycles", 25, 1, 0},
    {"bus_goes_on_after_26_cycles", 26, 0, 1},
    /* 2^10 = -1 modulo 25, so 2^60 = 1 */
    {"phase_after_2_to_the_60_cycles", 0x1000000000000000, 0, 1},
};

static void phase_row(void **state)
{
    const struct phase_row *row = *state;
    struct segment segment;

    segment_init(&segment, &model, row->unhalted, 10, RING_USER);

    assert_int_equal(segment.rate[EVENT_TSC_CYCLES].p, 3);
    assert_int_equal(segment.rate[EVENT_TSC_CYCLES].q, 2);
    assert_int_equal(segment.rate[EVENT_TSC_CYCLES].phase, row->want_tsc);
    assert_int_equal(segment.rate[EVENT_REF_CYCLES].p, 1);
    assert_int_equal(segment.rate[EVENT_REF_CYCLES].q, 25);
    assert_int_equal(segment.rate[EVENT_REF_CYCLES].phase, row->want_ref);
}

/* 2^63 = 1 and 2^32 - 1 = 3 modulo 7: the product of both is 3, while its low
 * 64 bits alone would give 1. */
static void phase_survives_a_product_past_64_bits(void **state)
{
    const struct pmu_model fast = {
        .tsc = {.p = 0xFFFFFFFF, .q = 7}, .ref = {.p = 1, .q = 1}};
    struct segment segment;

    (void)state;
    segment_init(&segment, &fast, 0x8000000000000000, 10, RING_USER);
    assert_int_equal(segment.rate[EVENT_TSC_CYCLES].phase, 3);
}

static struct rate_row {
    const char *name;
    enum event event;
    uint64_t want_p;
} rate_rows[] = {
    {"core_cycles_come_once_a_cycle", EVENT_CORE_CYCLES, 1},
    {"instructions_do_not_happen_by_themselves", EVENT_INSTRUCTIONS, 0},
    {"llc_references_do_not_happen_by_themselves", EVENT_LLC_REFERENCES, 0},
    {"llc_misses_do_not_happen_by_themselves", EVENT_LLC_MISSES, 0},
    {"branches_do_not_happen_by_themselves", EVENT_BRANCHES, 0},
    {"branch_misses_do_not_happen_by_themselves", EVENT_BRANCH_MISSES, 0},
};

static void rate_row(void **state)
{
    const struct rate_row *row = *state;
    struct segment segment;

    segment_init(&segment, &model, 13, 10, RING_USER);

    assert_int_equal(segment.rate[row->event].p, row->want_p);
    assert_int_equal(segment.rate[row->event].q, 1);
    assert_int_equal(segment.rate[row->event].phase, 0);
}

static struct shape_row {
    const char *name;
    uint64_t cycles;
    enum ring ring;
} shape_rows[] = {
    {"shortest_kernel_segment_has_one_cycle", 1, RING_KERNEL},
    {"longest_user_segment_has_2_to_the_48_cycles", 0x1000000000000, RING_USER},
};

static void shape_row(void **state)
{
    const struct shape_row *row = *state;
    struct segment segment;

    segment_init(&segment, &model, 0, row->cycles, row->ring);

    assert_int_equal(segment.cycles, row->cycles);
    assert_int_equal(segment.ring, row->ring);
    assert_false(segment.halted);
}

TEST_FILE(test_segment)
{
    TEST_ADD_ROWS(list, phase_row, phase_rows);
    TEST_ADD_ROWS(list, rate_row, rate_rows);
    TEST_ADD_ROWS(list, shape_row, shape_rows);
    test_add(list, "phase_survives_a_product_past_64_bits",
        phase_survives_a_product_past_64_bits, NULL);
}
