/* test_armv8.c - PMUv3: what runs and counts which event, what PMCR_EL0 resets,
 * and the interrupt line. */
#include "tests/sim/pmu/armv8_stage.h"

/* Counter 0 is set to the event, it and PMCR.E are on, and a thousand cycles
 * of user code pass. */
/* PMU-ARM-12 */
static struct number_row {
    const char *name;
    uint8_t version;
    uint64_t type, want;
} number_rows[] = {
    {"l1d_cache_refill_counts_l1d_misses", V3, 0x03, 50},
    {"l1d_cache_counts_l1d_accesses", V3, 0x04, 400},
    {"inst_retired_counts_instructions", V3, 0x08, 2500},
    {"br_mis_pred_counts_branch_misses", V3, 0x10, 100},
    {"cpu_cycles_counts_cycles", V3, 0x11, 1000},
    {"br_pred_counts_branches", V3, 0x12, 200},
    {"br_retired_counts_branches", V3, 0x21, 200},
    {"br_mis_pred_retired_counts_branch_misses", V3, 0x22, 100},
    {"stall_frontend_counts_stalls_of_the_front_end", V3, 0x23, 300},
    {"stall_backend_counts_stalls_of_the_back_end", V3, 0x24, 70},
    {"ll_cache_counts_llc_references", V3, 0x32, 500},
    {"ll_cache_miss_counts_llc_misses", V3, 0x33, 250},
    {"sw_incr_is_driven_by_no_code", V3, 0x00, 0},
    {"chain_on_an_even_counter_counts_nothing", V3, 0x1E, 0},
    {"event_that_the_model_lacks_counts_nothing", V3, 0x2A, 0},
    {"last_common_event_counts_nothing", V3, 0x3F, 0},
    {"event_past_the_common_ones_counts_nothing", V3, 0x51, 0},
    {"largest_event_counts_nothing", V3P1, 0xFFFF, 0},
    {"event_4008_is_not_event_8", V3P1, 0x4008, 0},
};

static void number_row(void **state)
{
    const struct number_row *row = *state;
    struct armv8_stage stage;
    const struct armv8_step steps[] = {{"PMEVTYPER0_EL0", row->type},
        {"PMCNTENSET_EL0", 1}, {"PMCR_EL0", 1}, {"user", 1000}};

    stage_init(&stage, row->version);
    for (size_t i = 0; i < 4; i++) {
        stage_step(&stage, &steps[i]);
    }
    assert_int_equal(stage_value(&stage, "PMEVCNTR0_EL0"), row->want);
    assert_int_equal(stage_value(&stage, "PMEVTYPER0_EL0"), row->type);
}

/* What one filter does to an event counter and to the cycle counter, in ten
 * cycles of each ring: 25 instructions and 10 cycles, or none. */
/* PMU-ARM-04b, PMU-ARM-04c */
static struct filter_row {
    const char *name;
    uint64_t filter;
    bool user, kernel;
} filter_rows[] = {
    {"no_filter_counts_el0_and_el1", 0, true, true},
    {"p_alone_stops_el1", 0x80000000, true, false},
    {"u_alone_stops_el0", 0x40000000, false, true},
    {"nsk_alone_stops_nonsecure_el1", 0x20000000, true, false},
    {"nsu_alone_stops_nonsecure_el0", 0x10000000, false, true},
    {"p_with_nsk_counts_nonsecure_el1", 0xA0000000, true, true},
    {"u_with_nsu_counts_nonsecure_el0", 0x50000000, true, true},
    {"p_and_u_stop_both", 0xC0000000, false, false},
    {"nsk_and_nsu_stop_both", 0x30000000, false, false},
    {"nsh_changes_neither", 0x08000000, true, true},
    {"m_changes_neither", 0x04000000, true, true},
    {"all_filter_bits_count_both", 0xFC000000, true, true},
};

static void filter_row(void **state)
{
    const struct filter_row *row = *state;

    for (unsigned kernel = 0; kernel <= 1; kernel++) {
        struct armv8_stage stage;
        const struct armv8_step steps[] = {
            {"PMEVTYPER0_EL0", row->filter | 0x08},
            {"PMCCFILTR_EL0", row->filter}, {"PMCNTENSET_EL0", 0x80000001},
            {"PMCR_EL0", 1}, {kernel ? "kernel" : "user", 10}};
        bool counts = kernel ? row->kernel : row->user;

        stage_init(&stage, V3);
        for (size_t i = 0; i < 5; i++) {
            stage_step(&stage, &steps[i]);
        }
        assert_int_equal(stage_value(&stage, "PMEVCNTR0_EL0"), counts ? 25 : 0);
        assert_int_equal(stage_value(&stage, "PMCCNTR_EL0"), counts ? 10 : 0);
    }
}

/* PMU-ARM-01a, PMU-ARM-04a, PMU-ARM-04d */
static struct armv8_row_of_steps running_rows[] = {
    {"without_pmcr_e_nothing_moves", V3,
        {{"PMEVTYPER0_EL0", 0x08}, {"PMCNTENSET_EL0", 0x80000001},
            {"user", 1000}},
        {{"PMEVCNTR0_EL0", 0}, {"PMCCNTR_EL0", 0}}},
    {"without_its_enable_a_counter_does_not_move", V3,
        {{"PMEVTYPER0_EL0", 0x08}, {"PMEVTYPER1_EL0", 0x08},
            {"PMCNTENSET_EL0", 2}, {"PMCR_EL0", 1}, {"user", 1000}},
        {{"PMEVCNTR0_EL0", 0}, {"PMEVCNTR1_EL0", 2500}, {"PMCCNTR_EL0", 0}}},
    {"cycle_counter_needs_bit_31_alone", V3,
        {{"PMCNTENSET_EL0", 0x80000000}, {"PMCR_EL0", 1}, {"user", 1000}},
        {{"PMEVCNTR0_EL0", 0}, {"PMCCNTR_EL0", 1000}}},
    {"disabled_counter_holds_while_another_runs_and_goes_on_from_there", V3,
        {{"PMEVTYPER0_EL0", 0x11}, {"PMEVTYPER1_EL0", 0x11},
            {"PMCNTENSET_EL0", 3}, {"PMCR_EL0", 1}, {"user", 100},
            {"PMCNTENCLR_EL0", 1}, {"user", 50}, {"PMCNTENSET_EL0", 1},
            {"user", 7}},
        {{"PMEVCNTR0_EL0", 107}, {"PMEVCNTR1_EL0", 157}}},
    {"clearing_pmcr_e_holds_all", V3,
        {{"PMEVTYPER0_EL0", 0x11}, {"PMCNTENSET_EL0", 0x80000001},
            {"PMCR_EL0", 1}, {"user", 100}, {"PMCR_EL0", 0}, {"user", 50}},
        {{"PMEVCNTR0_EL0", 100}, {"PMCCNTR_EL0", 100}}},
    {"halted_segment_counts_nothing_not_even_cycles", V3,
        {{"PMEVTYPER0_EL0", 0x11}, {"PMCNTENSET_EL0", 0x80000001},
            {"PMCR_EL0", 1}, {"halt", 100}},
        {{"PMEVCNTR0_EL0", 0}, {"PMCCNTR_EL0", 0}}},
    {"halted_segment_overflows_nothing", V3,
        {{"PMEVTYPER0_EL0", 0x11}, {"PMEVCNTR0_EL0", 0xFFFFFFFF},
            {"PMCNTENSET_EL0", 1}, {"PMCR_EL0", 1}, {"halt", 100}},
        {{"PMEVCNTR0_EL0", 0xFFFFFFFF}, {"PMOVSSET_EL0", 0}}},
    {"changing_the_event_keeps_the_count", V3,
        {{"PMEVTYPER0_EL0", 0x11}, {"PMCNTENSET_EL0", 1}, {"PMCR_EL0", 1},
            {"user", 100}, {"PMEVTYPER0_EL0", 0x08}, {"user", 10}},
        {{"PMEVCNTR0_EL0", 125}}},
    {"event_that_the_model_lacks_stops_a_counter", V3,
        {{"PMEVTYPER0_EL0", 0x11}, {"PMCNTENSET_EL0", 1}, {"PMCR_EL0", 1},
            {"user", 100}, {"PMEVTYPER0_EL0", 0x2A}, {"user", 10}},
        {{"PMEVCNTR0_EL0", 100}}},
    {"pmccfiltr_has_no_event_to_change", V3,
        {{"PMCCFILTR_EL0", 0x08}, {"PMCNTENSET_EL0", 0x80000000},
            {"PMCR_EL0", 1}, {"user", 10}},
        {{"PMCCNTR_EL0", 10}, {"PMCCFILTR_EL0", 0}}},
    {"burst_counts_at_once", V3,
        {{"PMEVTYPER0_EL0", 0x08}, {"PMEVTYPER1_EL0", 0x11},
            {"PMCNTENSET_EL0", 0x80000003}, {"PMCR_EL0", 1}, {"burst1", 7}},
        {{"PMEVCNTR0_EL0", 7}, {"PMEVCNTR1_EL0", 0}, {"PMCCNTR_EL0", 0}}},
    {"burst_at_el0_passes_a_filter_for_el1", V3,
        {{"PMEVTYPER0_EL0", 0x80000008}, {"PMCNTENSET_EL0", 1}, {"PMCR_EL0", 1},
            {"burst0", 7}, {"burst1", 100}},
        {{"PMEVCNTR0_EL0", 7}}},
    {"burst_at_el2_needs_nsh", V3,
        {{"PMEVTYPER0_EL0", 0x08}, {"PMEVTYPER1_EL0", 0x08000008},
            {"PMCNTENSET_EL0", 3}, {"PMCR_EL0", 1}, {"burst2", 7}},
        {{"PMEVCNTR0_EL0", 0}, {"PMEVCNTR1_EL0", 7}}},
};

/* PMU-ARM-03a, PMU-ARM-03b, PMU-ARM-03c */
static struct armv8_row_of_steps reset_rows[] = {
    {"p_resets_event_counters_alone", V3,
        {{"PMEVCNTR0_EL0", 5}, {"PMEVCNTR5_EL0", 6}, {"PMCCNTR_EL0", 7},
            {"PMCR_EL0", 0x2}},
        {{"PMEVCNTR0_EL0", 0}, {"PMEVCNTR5_EL0", 0}, {"PMCCNTR_EL0", 7}}},
    {"c_resets_the_cycle_counter_alone", V3,
        {{"PMEVCNTR0_EL0", 5}, {"PMEVCNTR5_EL0", 6}, {"PMCCNTR_EL0", 7},
            {"PMCR_EL0", 0x4}},
        {{"PMEVCNTR0_EL0", 5}, {"PMEVCNTR5_EL0", 6}, {"PMCCNTR_EL0", 0}}},
    {"p_and_c_read_as_zero", V3, {{"PMCR_EL0", 0x7}},
        {{"PMCR_EL0", 0x410A3001}}},
    {"p_and_c_do_not_clear_overflow_bits", V3,
        {{"PMOVSSET_EL0", 0x8000003F}, {"PMCR_EL0", 0x6}},
        {{"PMOVSSET_EL0", 0x8000003F}}},
    {"p_resets_all_64_bits", V3P5,
        {{"PMEVCNTR0_EL0", 0x1234567887654321}, {"PMCR_EL0", 0x2}},
        {{"PMEVCNTR0_EL0", 0}}},
    {"p_keeps_the_types", V3, {{"PMEVTYPER0_EL0", 0x11}, {"PMCR_EL0", 0x2}},
        {{"PMEVTYPER0_EL0", 0x11}}},
};

/* PMU-ARM-10a */
static struct armv8_row_of_steps interrupt_rows[] = {
    {"overflow_with_its_enable_asserts_the_interrupt", V3,
        {{"PMEVTYPER0_EL0", 0x11}, {"PMEVCNTR0_EL0", 0xFFFFFFFF},
            {"PMCNTENSET_EL0", 1}, {"PMINTENSET_EL1", 1}, {"PMCR_EL0", 1},
            {"user", 1}},
        {{"irq", 1}}},
    {"cycle_counter_s_overflow_asserts_it", V3,
        {{"PMCCNTR_EL0", 0xFFFFFFFF}, {"PMCNTENSET_EL0", 0x80000000},
            {"PMINTENSET_EL1", 0x80000000}, {"PMCR_EL0", 1}, {"user", 1}},
        {{"irq", 1}}},
    {"other_counter_s_enable_does_not", V3,
        {{"PMINTENSET_EL1", 2}, {"PMCR_EL0", 1}, {"PMOVSSET_EL0", 1}},
        {{"irq", 0}}},
    {"overflow_bit_set_by_software_asserts_it", V3,
        {{"PMINTENSET_EL1", 1}, {"PMCR_EL0", 1}, {"PMOVSSET_EL0", 1}},
        {{"irq", 1}}},
    {"enable_that_comes_after_the_overflow_asserts_it", V3,
        {{"PMCR_EL0", 1}, {"PMOVSSET_EL0", 1}, {"PMINTENSET_EL1", 1}},
        {{"irq", 1}}},
    {"clearing_the_overflow_bit_lets_it_fall", V3,
        {{"PMINTENSET_EL1", 1}, {"PMCR_EL0", 1}, {"PMOVSSET_EL0", 1},
            {"PMOVSCLR_EL0", 1}},
        {{"irq", 0}, {"PMOVSSET_EL0", 0}}},
    {"clearing_one_of_two_overflow_bits_does_not", V3,
        {{"PMINTENSET_EL1", 3}, {"PMCR_EL0", 1}, {"PMOVSSET_EL0", 3},
            {"PMOVSCLR_EL0", 1}},
        {{"irq", 1}, {"PMOVSSET_EL0", 2}}},
    {"clearing_its_enable_lets_it_fall", V3,
        {{"PMINTENSET_EL1", 1}, {"PMCR_EL0", 1}, {"PMOVSSET_EL0", 1},
            {"PMINTENCLR_EL1", 1}},
        {{"irq", 0}, {"PMOVSSET_EL0", 1}}},
    {"clearing_pmcr_e_lets_it_fall", V3,
        {{"PMINTENSET_EL1", 0x80000001}, {"PMCR_EL0", 1},
            {"PMOVSSET_EL0", 0x80000001}, {"PMCR_EL0", 0}},
        {{"irq", 0}, {"PMOVSSET_EL0", 0x80000001}}},
    {"and_setting_it_again_lets_it_rise", V3,
        {{"PMINTENSET_EL1", 1}, {"PMCR_EL0", 1}, {"PMOVSSET_EL0", 1},
            {"PMCR_EL0", 0}, {"PMCR_EL0", 1}},
        {{"irq", 1}}},
    {"counter_s_own_enable_has_no_say_in_it", V3,
        {{"PMINTENSET_EL1", 1}, {"PMCR_EL0", 1}, {"PMOVSSET_EL0", 1},
            {"PMCNTENCLR_EL0", 1}},
        {{"irq", 1}}},
    {"resetting_the_counter_leaves_it_asserted", V3,
        {{"PMINTENSET_EL1", 1}, {"PMCR_EL0", 1}, {"PMOVSSET_EL0", 1},
            {"PMCR_EL0", 3}},
        {{"irq", 1}}},
};

TEST_FILE(test_armv8)
{
    TEST_ADD_ROWS(list, number_row, number_rows);
    TEST_ADD_ROWS(list, filter_row, filter_rows);
    TEST_ADD_ROWS(list, armv8_steps_row, running_rows);
    TEST_ADD_ROWS(list, armv8_steps_row, reset_rows);
    TEST_ADD_ROWS(list, armv8_steps_row, interrupt_rows);
}
