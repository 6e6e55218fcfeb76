/* test_pmu_overflow.c - when a counter overflows, what that latches, and who
 * asks for an interrupt. */
#include "sim/base/splitmix.h"
#include "sim/pmu/pmu.h"
#include "tests/rows.h"

#include <inttypes.h>
#include <stdio.h>

/* GP counter 3 counts core cycles, so that bit, slot and counts all differ.
 * PMU-OVF-02a, PMU-OVF-02b, PMU-MSR-19a, PMU-BEH-16 */
static struct overflow_row {
    const char *name;
    uint8_t width_bits;
    uint64_t preset, cycles;
    uint64_t want_value, want_status;
} overflow_rows[] = {
    {"48_bits_minus_k_overflow_after_k", 48, 0xFFFFFFFFFC18, 1000, 0, 0x8},
    {"48_bits_do_not_overflow_one_event_earlier", 48, 0xFFFFFFFFFC18, 999,
        0xFFFFFFFFFFFF, 0x0},
    {"40_bits_minus_k_overflow_after_k", 40, 0xFFFFFFFC18, 1000, 0, 0x8},
    {"40_bits_do_not_overflow_one_event_earlier", 40, 0xFFFFFFFC18, 999,
        0xFFFFFFFFFF, 0x0},
    {"32_bits_minus_k_overflow_after_k", 32, 0xFFFFFC18, 1000, 0, 0x8},
    {"32_bits_do_not_overflow_one_event_earlier", 32, 0xFFFFFC18, 999,
        0xFFFFFFFF, 0x0},
    {"preset_of_1_minus_k_reads_1_after_k", 48, 0xFFFFFFFFFC19, 1000, 1, 0x8},
    {"preset_of_1_minus_k_reads_1_after_k_in_40_bits", 40, 0xFFFFFFFC19, 1000,
        1, 0x8},
    {"preset_of_1_minus_k_reads_1_after_k_in_32_bits", 32, 0xFFFFFC19, 1000, 1,
        0x8},
    {"preset_of_zero_does_not_overflow_at_once", 48, 0, 1000, 1000, 0x0},
    {"preset_of_zero_does_not_overflow_before_2_to_the_32", 32, 0, 0xFFFFFFFF,
        0xFFFFFFFF, 0x0},
    {"preset_of_zero_overflows_after_2_to_the_32", 32, 0, 0x100000000, 0, 0x8},
    {"preset_of_zero_overflows_after_2_to_the_40", 40, 0, 0x10000000000, 0,
        0x8},
    {"preset_of_zero_overflows_after_2_to_the_48", 48, 0, 0x1000000000000, 0,
        0x8},
    {"two_overflows_leave_one_bit", 32, 0xFFFFFFFF, 0x100000001, 0, 0x8},
};

static void overflow_row(void **state)
{
    const struct overflow_row *row = *state;
    struct pmu_model model = pmu_models[MODEL_INTEL_V2];
    struct pmu pmu;
    struct segment segment;

    model.width = row->width_bits;
    pmu_init(&pmu, &model);
    pmu_set_select(&pmu, 3, 0x43003C);
    pmu_set_value(&pmu, 3, row->preset);
    segment_init(&segment, &model, 0, row->cycles, RING_USER);

    assert_int_equal(
        pmu_advance(&pmu, &segment, 0, row->cycles), row->want_status);
    assert_int_equal(pmu_value(&pmu, 3), row->want_value);
    assert_int_equal(pmu.global_status, row->want_status);
}

/* Counter 0 counts instructions, 5/2 a cycle; counter 1 counts core cycles. */
static struct next_row {
    const char *name;
    uint64_t preset[2];
    uint64_t global_ctrl, from, want;
} next_rows[] = {
    {"no_counter_near_its_end_overflows", {0, 0}, 0x3, 0, 1001},
    {"hundred_instructions_take_40_cycles", {0xFFFFFFFFFF9C, 0}, 0x3, 0, 40},
    {"hundred_and_one_instructions_take_41", {0xFFFFFFFFFF9B, 0}, 0x3, 0, 41},
    {"hundred_cycles_take_100", {0, 0xFFFFFFFFFF9C}, 0x3, 0, 100},
    {"earlier_of_two_comes_first", {0xFFFFFFFFFF9C, 0xFFFFFFFFFFF6}, 0x3, 0,
        10},
    {"position_goes_on_from_the_middle", {0xFFFFFFFFFF9C, 0}, 0x3, 500, 540},
    {"last_cycle_may_overflow", {0, 0xFFFFFFFFFC18}, 0x3, 0, 1000},
    {"cycle_after_the_last_is_another_segment_s", {0, 0xFFFFFFFFFC17}, 0x3, 0,
        1001},
    {"stopped_counter_does_not_overflow", {0xFFFFFFFFFF9C, 0xFFFFFFFFFF9C}, 0x2,
        0, 100},
    {"nothing_overflows_when_all_are_stopped", {0xFFFFFFFFFFFF, 0}, 0x0, 0,
        1001},
};

static void next_row(void **state)
{
    const struct next_row *row = *state;
    struct pmu pmu;
    struct segment segment;

    pmu_init(&pmu, &pmu_models[MODEL_INTEL_V2]);
    pmu_set_select(&pmu, 0, 0x4300C0);
    pmu_set_select(&pmu, 1, 0x43003C);
    pmu_set_global_ctrl(&pmu, row->global_ctrl);
    pmu_set_value(&pmu, 0, row->preset[0]);
    pmu_set_value(&pmu, 1, row->preset[1]);
    segment_init(&segment, pmu.model, 0, 1000, RING_USER);
    segment.rate[EVENT_INSTRUCTIONS] = (struct rate){.p = 5, .q = 2};

    assert_int_equal(pmu_next_overflow(&pmu, &segment, row->from), row->want);
}

/* GP 0, GP 2 and fixed 1 count core cycles, of which INT is set in some.
 * PMU-MSR-19b */
static void same_cycle_overflow_sets_every_bit(void **state)
{
    struct pmu pmu;
    struct segment segment;

    (void)state;
    pmu_init(&pmu, &pmu_models[MODEL_INTEL_V2]);
    pmu_set_select(&pmu, 0, 0x43003C);
    pmu_set_select(&pmu, 2, 0x43003C);
    pmu_set_fixed_ctrl(&pmu, 0x30);
    pmu_set_global_ctrl(&pmu, 0x200000005);
    pmu_set_value(&pmu, 0, 0xFFFFFFFFFC18);
    pmu_set_value(&pmu, 2, 0xFFFFFFFFFC18);
    pmu_set_value(&pmu, 9, 0xFFFFFFFFFC18);
    segment_init(&segment, pmu.model, 0, 1000, RING_USER);

    assert_int_equal(pmu_advance(&pmu, &segment, 0, 1000), 0x200000005);
    assert_int_equal(pmu.global_status, 0x200000005);
}

static void status_bit_stays_while_counting_goes_on(void **state)
{
    struct pmu pmu;
    struct segment segment;

    (void)state;
    pmu_init(&pmu, &pmu_models[MODEL_INTEL_V2]);
    pmu_set_select(&pmu, 0, 0x43003C);
    pmu_set_value(&pmu, 0, 0xFFFFFFFFFFFF);
    segment_init(&segment, pmu.model, 0, 1000, RING_USER);

    assert_int_equal(pmu_advance(&pmu, &segment, 0, 1), 0x1);
    assert_int_equal(pmu_advance(&pmu, &segment, 1, 1000), 0x0);
    assert_int_equal(pmu.global_status, 0x1);
    assert_int_equal(pmu_value(&pmu, 0), 999);
}

/* PMU-MSR-05d, PMU-MSR-15e */
static struct interrupting_row {
    const char *name;
    uint64_t select0, fixed_ctrl, bits, want;
} interrupting_rows[] = {
    {"counter_with_int_interrupts", 0x53003C, 0x0, 0x1, 0x1},
    {"counter_without_int_does_not", 0x43003C, 0x0, 0x1, 0x0},
    {"other_counter_s_bit_does_not", 0x53003C, 0x0, 0x2, 0x0},
    {"fixed_counter_with_pmi_interrupts", 0x0, 0xB0, 0x200000000, 0x200000000},
    {"fixed_counter_without_pmi_does_not", 0x0, 0x30, 0x200000000, 0x0},
    {"only_those_that_ask_are_named", 0x53003C, 0xB3, 0x700000001, 0x200000001},
    {"no_bits_interrupt_nobody", 0x53003C, 0x888, 0x0, 0x0},
};

static void interrupting_row(void **state)
{
    const struct interrupting_row *row = *state;
    struct pmu pmu;

    pmu_init(&pmu, &pmu_models[MODEL_INTEL_V2]);
    pmu_set_select(&pmu, 0, row->select0);
    pmu_set_fixed_ctrl(&pmu, row->fixed_ctrl);

    assert_int_equal(pmu.interrupting & row->bits, row->want);
}

enum { CASES = 2000, CYCLES = 200, SEED = 69621 };

/* A segment and two counters near the end of their 32 bits. */
static void random_case_make(
    uint64_t seed, struct pmu *pmu, struct segment *segment)
{
    struct splitmix stream = {.state = seed};
    struct rate *rate = &segment->rate[EVENT_INSTRUCTIONS];

    segment_init(segment, pmu->model, 0, CYCLES, RING_USER);
    rate->p = splitmix_below(&stream, 30);
    rate->q = 7;
    rate->phase = splitmix_below(&stream, 7);
    pmu_set_select(pmu, 0, 0x4300C0);
    pmu->select[0] |= splitmix_below(&stream, 6) << 24; /* CMASK */
    pmu->select[0] |= splitmix_below(&stream, 2) << 23; /* INV */
    pmu->select[0] |= splitmix_below(&stream, 2) << 18; /* EDGE */
    pmu_set_select(pmu, 1, 0x43003C);
    pmu_set_value(pmu, 0, 0xFFFFFFFF - splitmix_below(&stream, 500));
    pmu_set_value(pmu, 1, 0xFFFFFFFF - splitmix_below(&stream, 300));
}

/* Counts cycle by cycle, and finds each overflow where it was foretold. */
static uint64_t advance_by_cycle(
    uint64_t seed, struct pmu *pmu, const struct segment *segment)
{
    uint64_t status = 0;
    uint64_t foretold = pmu_next_overflow(pmu, segment, 0);

    for (uint64_t t = 1; t <= CYCLES; t++) {
        uint64_t wrapped = pmu_advance(pmu, segment, t - 1, t);

        if ((wrapped != 0) != (t == foretold)) {
            fail_msg("seed %" PRIu64 ": overflow foretold for cycle %" PRIu64
                     ", cycle %" PRIu64 " has %" PRIx64,
                seed, foretold, t, wrapped);
        }
        if (wrapped != 0) {
            foretold = pmu_next_overflow(pmu, segment, t);
        }
        status |= wrapped;
    }
    return status;
}

static void random_segments_count_alike_whole_and_in_cycles(void **state)
{
    struct pmu_model model = pmu_models[MODEL_INTEL_V2];

    (void)state;
    model.width = 32;
    for (uint64_t seed = SEED; seed < SEED + CASES; seed++) {
        struct pmu whole, parts;
        struct segment segment;
        uint64_t status;

        pmu_init(&whole, &model);
        random_case_make(seed, &whole, &segment);
        parts = whole;
        status = advance_by_cycle(seed, &parts, &segment);
        pmu_advance(&whole, &segment, 0, CYCLES);
        if (whole.global_status != status ||
            whole.counter[0].value != parts.counter[0].value ||
            whole.counter[1].value != parts.counter[1].value) {
            fail_msg("seed %" PRIu64 ": the parts are not the whole", seed);
        }
    }
}

/* Each of the segments is so short that none alone gets anywhere. */
static void eighty_segments_of_20_cycles_come_to_a_wrap_1600_away(void **state)
{
    const struct pmu_model *model = &pmu_models[MODEL_INTEL_V2];
    struct pmu pmu;
    struct segment segment;

    (void)state;
    pmu_init(&pmu, model);
    pmu_set_select(&pmu, 3, 0x43003C);
    pmu_set_value(&pmu, 3, 0xFFFFFFFFF9C0);
    pmu_settle(&pmu);
    for (uint64_t i = 0; i < 79; i++) {
        segment_init(&segment, model, 20 * i, 20, RING_USER);
        assert_int_equal(pmu_next_overflow(&pmu, &segment, 0), 21);
        assert_int_equal(pmu_advance(&pmu, &segment, 0, 20), 0);
    }
    segment_init(&segment, model, 1580, 20, RING_USER);
    assert_int_equal(pmu_next_overflow(&pmu, &segment, 0), 20);
    assert_int_equal(pmu_advance(&pmu, &segment, 0, 20), 0x8);
    assert_int_equal(pmu_value(&pmu, 3), 0);
}

TEST_FILE(test_pmu_overflow)
{
    TEST_ADD_ROWS(list, overflow_row, overflow_rows);
    TEST_ADD_ROWS(list, next_row, next_rows);
    TEST_ADD_ROWS(list, interrupting_row, interrupting_rows);
    test_add(list, "same_cycle_overflow_sets_every_bit",
        same_cycle_overflow_sets_every_bit, NULL);
    test_add(list, "status_bit_stays_while_counting_goes_on",
        status_bit_stays_while_counting_goes_on, NULL);
    test_add(list, "eighty_segments_of_20_cycles_come_to_a_wrap_1600_away",
        eighty_segments_of_20_cycles_come_to_a_wrap_1600_away, NULL);
    test_add(list,
        "two_thousand_random_segments_count_alike_whole_and_in_cycles",
        random_segments_count_alike_whole_and_in_cycles, NULL);
}
