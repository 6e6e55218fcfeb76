/* test_armv8_count.c - where PMUv3 counters overflow and when, and the divider
 * of the cycle counter. */
#include "tests/sim/pmu/armv8_stage.h"

/* PMU-ARM-07a, PMU-ARM-07b, PMU-ARM-07c, PMU-ARM-07d, PMU-ARM-07e */
static struct armv8_row_of_steps overflow_rows[] = {
    {"event_counter_overflows_at_bit_31", V3,
        {{"PMEVTYPER0_EL0", 0x11}, {"PMEVCNTR0_EL0", 0xFFFFFFFF},
            {"PMCNTENSET_EL0", 1}, {"PMCR_EL0", 1}, {"user", 1}},
        {{"PMEVCNTR0_EL0", 0}, {"PMOVSSET_EL0", 1}, {"returned", 1}}},
    {"last_value_is_no_overflow", V3,
        {{"PMEVTYPER0_EL0", 0x11}, {"PMEVCNTR0_EL0", 0xFFFFFFFE},
            {"PMCNTENSET_EL0", 1}, {"PMCR_EL0", 1}, {"user", 1}},
        {{"PMEVCNTR0_EL0", 0xFFFFFFFF}, {"PMOVSSET_EL0", 0}, {"returned", 0}}},
    {"preset_1_minus_k_reads_1_after_k_events", V3,
        {{"PMEVTYPER0_EL0", 0x11}, {"PMEVCNTR0_EL0", 0xFFFFFC19},
            {"PMCNTENSET_EL0", 1}, {"PMCR_EL0", 1}, {"user", 1000}},
        {{"PMEVCNTR0_EL0", 1}, {"PMOVSSET_EL0", 1}}},
    {"preset_of_0_does_not_overflow_at_once", V3,
        {{"PMEVTYPER0_EL0", 0x11}, {"PMCNTENSET_EL0", 1}, {"PMCR_EL0", 1},
            {"user", 0xFFFFFFFF}},
        {{"PMEVCNTR0_EL0", 0xFFFFFFFF}, {"PMOVSSET_EL0", 0}}},
    {"preset_of_0_overflows_after_2_to_the_32", V3,
        {{"PMEVTYPER0_EL0", 0x11}, {"PMCNTENSET_EL0", 1}, {"PMCR_EL0", 1},
            {"user", 0x100000000}},
        {{"PMEVCNTR0_EL0", 0}, {"PMOVSSET_EL0", 1}}},
    {"several_events_in_the_cycle_of_the_overflow_leave_a_rest", V3,
        {{"PMEVTYPER0_EL0", 0x08}, {"PMEVCNTR0_EL0", 0xFFFFFFFC},
            {"PMCNTENSET_EL0", 1}, {"PMCR_EL0", 1}, {"user", 2}},
        {{"PMEVCNTR0_EL0", 1}, {"PMOVSSET_EL0", 1}}},
    {"two_counters_overflow_in_the_same_cycle", V3,
        {{"PMEVTYPER0_EL0", 0x11}, {"PMEVTYPER2_EL0", 0x11},
            {"PMEVCNTR0_EL0", 0xFFFFFF9C}, {"PMEVCNTR2_EL0", 0xFFFFFF9C},
            {"PMCCNTR_EL0", 0xFFFFFF9C}, {"PMCNTENSET_EL0", 0x80000005},
            {"PMCR_EL0", 1}, {"user", 100}},
        {{"PMOVSSET_EL0", 0x80000005}, {"returned", 0x80000005}}},
    {"counter_overflows_twice_before_its_bit_is_cleared", V3,
        {{"PMEVTYPER0_EL0", 0x11}, {"PMEVCNTR0_EL0", 0xFFFFFFFF},
            {"PMCNTENSET_EL0", 1}, {"PMCR_EL0", 1}, {"user", 0x100000003}},
        {{"PMEVCNTR0_EL0", 2}, {"PMOVSSET_EL0", 1}, {"returned", 1}}},
    {"overflow_bit_is_set_without_an_interrupt_enable", V3,
        {{"PMEVTYPER0_EL0", 0x11}, {"PMEVCNTR0_EL0", 0xFFFFFFFF},
            {"PMCNTENSET_EL0", 1}, {"PMCR_EL0", 1}, {"user", 5}},
        {{"PMINTENSET_EL1", 0}, {"PMOVSCLR_EL0", 1}, {"irq", 0}}},
    {"cycle_counter_overflows_at_bit_31_and_goes_on_past_it", V3,
        {{"PMCCNTR_EL0", 0xFFFFFFFF}, {"PMCNTENSET_EL0", 0x80000000},
            {"PMCR_EL0", 1}, {"user", 2}},
        {{"PMCCNTR_EL0", 0x100000001}, {"PMOVSSET_EL0", 0x80000000}}},
    {"cycle_counter_overflows_at_bit_31_again", V3,
        {{"PMCCNTR_EL0", 0x1FFFFFFFF}, {"PMCNTENSET_EL0", 0x80000000},
            {"PMCR_EL0", 1}, {"user", 1}},
        {{"PMCCNTR_EL0", 0x200000000}, {"PMOVSSET_EL0", 0x80000000}}},
    {"lc_moves_the_overflow_past_bit_31", V3,
        {{"PMCCNTR_EL0", 0xFFFFFFFF}, {"PMCNTENSET_EL0", 0x80000000},
            {"PMCR_EL0", 0x41}, {"user", 2}},
        {{"PMCCNTR_EL0", 0x100000001}, {"PMOVSSET_EL0", 0}}},
    {"lc_overflows_at_bit_63", V3,
        {{"PMCCNTR_EL0", 0xFFFFFFFFFFFFFFFF}, {"PMCNTENSET_EL0", 0x80000000},
            {"PMCR_EL0", 0x41}, {"user", 3}},
        {{"PMCCNTR_EL0", 2}, {"PMOVSSET_EL0", 0x80000000},
            {"returned", 0x80000000}}},
    {"cycle_counter_at_0_with_lc_never_overflows", V3,
        {{"PMCNTENSET_EL0", 0x80000000}, {"PMCR_EL0", 0x41},
            {"user", 0x1000000000000}},
        {{"PMCCNTR_EL0", 0x1000000000000}, {"PMOVSSET_EL0", 0}}},
    {"upper_half_is_reserved_before_v3p5", V3P4,
        {{"PMEVTYPER0_EL0", 0x11}, {"PMEVCNTR0_EL0", 0x12345678FFFFFFFF},
            {"PMCNTENSET_EL0", 1}, {"PMCR_EL0", 1}, {"user", 2}},
        {{"PMEVCNTR0_EL0", 1}, {"PMOVSSET_EL0", 1}}},
    {"upper_half_increments_since_v3p5_with_the_overflow_at_bit_31", V3P5,
        {{"PMEVTYPER0_EL0", 0x11}, {"PMEVCNTR0_EL0", 0x12345678FFFFFFFF},
            {"PMCNTENSET_EL0", 1}, {"PMCR_EL0", 1}, {"user", 2}},
        {{"PMEVCNTR0_EL0", 0x1234567900000001}, {"PMOVSSET_EL0", 1}}},
    {"narrow_overflow_of_a_full_v3p5_counter_wraps_all_64_bits", V3P5,
        {{"PMEVTYPER0_EL0", 0x11}, {"PMEVCNTR0_EL0", 0xFFFFFFFFFFFFFFFF},
            {"PMCNTENSET_EL0", 1}, {"PMCR_EL0", 1}, {"user", 2}},
        {{"PMEVCNTR0_EL0", 1}, {"PMOVSSET_EL0", 1}}},
    {"lp_moves_the_overflow_past_bit_31", V3P5,
        {{"PMEVTYPER0_EL0", 0x11}, {"PMEVCNTR0_EL0", 0xFFFFFFFF},
            {"PMCNTENSET_EL0", 1}, {"PMCR_EL0", 0x81}, {"user", 2}},
        {{"PMEVCNTR0_EL0", 0x100000001}, {"PMOVSSET_EL0", 0}}},
    {"lp_overflows_at_bit_63", V3P5,
        {{"PMEVTYPER0_EL0", 0x11}, {"PMEVCNTR0_EL0", 0xFFFFFFFFFFFFFFFF},
            {"PMCNTENSET_EL0", 1}, {"PMCR_EL0", 0x81}, {"user", 2}},
        {{"PMEVCNTR0_EL0", 1}, {"PMOVSSET_EL0", 1}}},
    {"lp_does_nothing_before_v3p5", V3P4,
        {{"PMEVTYPER0_EL0", 0x11}, {"PMEVCNTR0_EL0", 0xFFFFFFFF},
            {"PMCNTENSET_EL0", 1}, {"PMCR_EL0", 0x81}, {"user", 2}},
        {{"PMEVCNTR0_EL0", 1}, {"PMOVSSET_EL0", 1}}},
    {"lp_leaves_the_cycle_counter_at_bit_31", V3P5,
        {{"PMCCNTR_EL0", 0xFFFFFFFF}, {"PMCNTENSET_EL0", 0x80000000},
            {"PMCR_EL0", 0x81}, {"user", 2}},
        {{"PMOVSSET_EL0", 0x80000000}}},
    {"lc_leaves_event_counters_at_bit_31", V3P5,
        {{"PMEVTYPER0_EL0", 0x11}, {"PMEVCNTR0_EL0", 0xFFFFFFFF},
            {"PMCNTENSET_EL0", 1}, {"PMCR_EL0", 0x41}, {"user", 2}},
        {{"PMOVSSET_EL0", 1}}},
    {"burst_may_overflow_several_times_at_once", V3P5,
        {{"PMEVTYPER0_EL0", 0x08}, {"PMCNTENSET_EL0", 1}, {"PMCR_EL0", 1},
            {"burst1", 0x300000005}},
        {{"PMEVCNTR0_EL0", 0x300000005}, {"PMOVSSET_EL0", 1}, {"returned", 1}}},
};

/* PMU-ARM-06 */
static struct armv8_row_of_steps divider_rows[] = {
    {"d_counts_every_64th_cycle", V3,
        {{"PMCNTENSET_EL0", 0x80000000}, {"PMCR_EL0", 0x9}, {"user", 640}},
        {{"PMCCNTR_EL0", 10}}},
    {"d_counts_nothing_in_63_cycles", V3,
        {{"PMCNTENSET_EL0", 0x80000000}, {"PMCR_EL0", 0x9}, {"user", 63}},
        {{"PMCCNTR_EL0", 0}}},
    {"what_is_left_of_64_stays_for_the_next_segment", V3,
        {{"PMCNTENSET_EL0", 0x80000000}, {"PMCR_EL0", 0x9}, {"user", 63},
            {"kernel", 1}, {"user", 100}},
        {{"PMCCNTR_EL0", 2}}},
    {"what_is_left_of_64_stays_while_the_counter_is_off", V3,
        {{"PMCNTENSET_EL0", 0x80000000}, {"PMCR_EL0", 0x9}, {"user", 63},
            {"PMCNTENCLR_EL0", 0x80000000}, {"user", 50},
            {"PMCNTENSET_EL0", 0x80000000}, {"user", 1}},
        {{"PMCCNTR_EL0", 1}}},
    {"filtered_cycles_are_no_part_of_64", V3,
        {{"PMCNTENSET_EL0", 0x80000000}, {"PMCCFILTR_EL0", 0x80000000},
            {"PMCR_EL0", 0x9}, {"user", 40}, {"kernel", 40}, {"user", 23}},
        {{"PMCCNTR_EL0", 0}}},
    {"lc_switches_the_divider_off", V3,
        {{"PMCNTENSET_EL0", 0x80000000}, {"PMCR_EL0", 0x49}, {"user", 640}},
        {{"PMCCNTR_EL0", 640}}},
    {"d_does_not_divide_cpu_cycles", V3,
        {{"PMEVTYPER0_EL0", 0x11}, {"PMCNTENSET_EL0", 1}, {"PMCR_EL0", 0x9},
            {"user", 640}},
        {{"PMEVCNTR0_EL0", 640}}},
    {"divided_counter_overflows_at_bit_31", V3,
        {{"PMCCNTR_EL0", 0xFFFFFFFE}, {"PMCNTENSET_EL0", 0x80000000},
            {"PMCR_EL0", 0x9}, {"user", 128}},
        {{"PMCCNTR_EL0", 0x100000000}, {"PMOVSSET_EL0", 0x80000000}}},
    {"divided_counter_one_cycle_early_does_not", V3,
        {{"PMCCNTR_EL0", 0xFFFFFFFE}, {"PMCNTENSET_EL0", 0x80000000},
            {"PMCR_EL0", 0x9}, {"user", 127}},
        {{"PMCCNTR_EL0", 0xFFFFFFFF}, {"PMOVSSET_EL0", 0}}},
    {"c_starts_64_cycles_anew", V3,
        {{"PMCNTENSET_EL0", 0x80000000}, {"PMCR_EL0", 0x9}, {"user", 63},
            {"PMCR_EL0", 0xD}, {"user", 63}},
        {{"PMCCNTR_EL0", 0}}},
    {"write_of_the_counter_starts_64_cycles_anew", V3,
        {{"PMCNTENSET_EL0", 0x80000000}, {"PMCR_EL0", 0x9}, {"user", 63},
            {"PMCCNTR_EL0", 7}, {"user", 63}},
        {{"PMCCNTR_EL0", 7}}},
};

/* The cycle of the next overflow: instructions come 5/2 a cycle. */
static struct next_row {
    const char *name;
    struct armv8_step steps[8];
    uint64_t cycles, from, want;
} next_rows[] = {
    {"nothing_that_runs_never_overflows", {{NULL, 0}}, 100, 0, 101},
    {"counter_that_is_off_never_overflows",
        {{"PMEVTYPER0_EL0", 0x11}, {"PMEVCNTR0_EL0", 0xFFFFFFFF},
            {"PMCR_EL0", 1}},
        100, 0, 101},
    {"three_cycles_before_the_overflow",
        {{"PMEVTYPER0_EL0", 0x11}, {"PMEVCNTR0_EL0", 0xFFFFFFFD},
            {"PMCNTENSET_EL0", 1}, {"PMCR_EL0", 1}},
        100, 0, 3},
    {"the_same_from_the_middle_of_the_segment",
        {{"PMEVTYPER0_EL0", 0x11}, {"PMEVCNTR0_EL0", 0xFFFFFFFD},
            {"PMCNTENSET_EL0", 1}, {"PMCR_EL0", 1}},
        100, 40, 43},
    {"overflow_in_the_last_cycle",
        {{"PMEVTYPER0_EL0", 0x11}, {"PMEVCNTR0_EL0", 0xFFFFFFFD},
            {"PMCNTENSET_EL0", 1}, {"PMCR_EL0", 1}},
        43, 40, 43},
    {"overflow_one_cycle_past_the_end",
        {{"PMEVTYPER0_EL0", 0x11}, {"PMEVCNTR0_EL0", 0xFFFFFFFD},
            {"PMCNTENSET_EL0", 1}, {"PMCR_EL0", 1}},
        42, 40, 43},
    {"end_of_the_segment_has_no_next_overflow",
        {{"PMEVTYPER0_EL0", 0x11}, {"PMEVCNTR0_EL0", 0xFFFFFFFF},
            {"PMCNTENSET_EL0", 1}, {"PMCR_EL0", 1}},
        42, 42, 43},
    {"tenth_of_five_halves_comes_in_cycle_4",
        {{"PMEVTYPER0_EL0", 0x08}, {"PMEVCNTR0_EL0", 0xFFFFFFF6},
            {"PMCNTENSET_EL0", 1}, {"PMCR_EL0", 1}},
        100, 0, 4},
    {"eleventh_comes_in_cycle_5",
        {{"PMEVTYPER0_EL0", 0x08}, {"PMEVCNTR0_EL0", 0xFFFFFFF5},
            {"PMCNTENSET_EL0", 1}, {"PMCR_EL0", 1}},
        100, 0, 5},
    {"first_of_two_counters_is_the_next",
        {{"PMEVTYPER0_EL0", 0x11}, {"PMEVCNTR0_EL0", 0xFFFFFFF0},
            {"PMEVTYPER1_EL0", 0x11}, {"PMEVCNTR1_EL0", 0xFFFFFFF8},
            {"PMCNTENSET_EL0", 3}, {"PMCR_EL0", 1}},
        100, 0, 8},
    {"chained_counter_is_no_sooner_than_the_even_one",
        {{"PMEVTYPER0_EL0", 0x11}, {"PMEVCNTR0_EL0", 0xFFFFFFF0},
            {"PMEVTYPER1_EL0", 0x1E}, {"PMEVCNTR1_EL0", 0xFFFFFFFF},
            {"PMCNTENSET_EL0", 3}, {"PMCR_EL0", 1}},
        100, 0, 16},
    {"cycle_counter_comes_as_well",
        {{"PMCCNTR_EL0", 0xFFFFFFFB}, {"PMCNTENSET_EL0", 0x80000000},
            {"PMCR_EL0", 1}},
        100, 0, 5},
    {"divided_it_comes_64_times_later",
        {{"PMCCNTR_EL0", 0xFFFFFFFB}, {"PMCNTENSET_EL0", 0x80000000},
            {"PMCR_EL0", 9}},
        1000, 0, 320},
    {"less_what_has_passed_of_64",
        {{"PMCCNTR_EL0", 0xFFFFFFFB}, {"PMCNTENSET_EL0", 0x80000000},
            {"PMCR_EL0", 9}, {"user", 65}},
        1000, 0, 255},
    {"largest_divided_period",
        {{"PMCNTENSET_EL0", 0x80000000}, {"PMCR_EL0", 9}}, 0x1000000000000, 0,
        0x4000000000},
    {"cycle_counter_at_bit_63_with_lc",
        {{"PMCCNTR_EL0", 0xFFFFFFFF00000000}, {"PMCNTENSET_EL0", 0x80000000},
            {"PMCR_EL0", 0x41}},
        0x1000000000000, 1, 0x100000001},
};

static void next_row(void **state)
{
    const struct next_row *row = *state;
    struct armv8_stage stage;
    struct segment segment;

    stage_init(&stage, V3);
    for (size_t i = 0; i < 8 && row->steps[i].name != NULL; i++) {
        stage_step(&stage, &row->steps[i]);
    }
    segment = stage_segment(&stage, row->cycles, RING_USER);
    assert_int_equal(
        armv8_next_overflow(&stage.pmu, &segment, row->from), row->want);
}

/* Each of the segments is so short that none alone gets anywhere. */
static void hundred_segments_of_a_cycle_come_to_an_overflow(void **state)
{
    static const struct armv8_step steps[] = {{"PMEVTYPER0_EL0", 0x11},
        {"PMEVCNTR0_EL0", 0xFFFFFF9C}, {"PMCNTENSET_EL0", 1}, {"PMCR_EL0", 1}};
    struct armv8_stage stage;
    struct segment segment;

    (void)state;
    stage_init(&stage, V3);
    for (size_t i = 0; i < 4; i++) {
        stage_step(&stage, &steps[i]);
    }
    armv8_settle(&stage.pmu);
    segment = stage_segment(&stage, 1, RING_USER);
    for (unsigned i = 0; i < 99; i++) {
        assert_int_equal(armv8_next_overflow(&stage.pmu, &segment, 0), 2);
        assert_int_equal(armv8_advance(&stage.pmu, &segment, 0, 1), 0);
    }
    assert_int_equal(armv8_next_overflow(&stage.pmu, &segment, 0), 1);
    assert_int_equal(armv8_advance(&stage.pmu, &segment, 0, 1), 1);
    assert_int_equal(armv8_value(&stage.pmu, 0), 0);
}

TEST_FILE(test_armv8_count)
{
    TEST_ADD_ROWS(list, armv8_steps_row, overflow_rows);
    TEST_ADD_ROWS(list, armv8_steps_row, divider_rows);
    TEST_ADD_ROWS(list, next_row, next_rows);
    test_add(list, "hundred_segments_of_a_cycle_come_to_an_overflow",
        hundred_segments_of_a_cycle_come_to_an_overflow, NULL);
}
