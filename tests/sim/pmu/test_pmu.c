/* test_pmu.c - what a counter counts and what stops it. Registers are set as
 * values here; their own rules are test_msr_rows.c's. */
#include "sim/pmu/pmu.h"
#include "tests/rows.h"

/* A thousand cycles with 5/2 instructions, 1/2 LLC references, 1/4 LLC misses,
 * 1/5 branches and 1/10 branch misses each. */
static struct segment thousand_cycles(const struct pmu *pmu, enum ring ring)
{
    struct segment segment;

    segment_init(&segment, pmu->model, 0, 1000, ring);
    segment.rate[EVENT_INSTRUCTIONS] = (struct rate){.p = 5, .q = 2};
    segment.rate[EVENT_LLC_REFERENCES] = (struct rate){.p = 1, .q = 2};
    segment.rate[EVENT_LLC_MISSES] = (struct rate){.p = 1, .q = 4};
    segment.rate[EVENT_BRANCHES] = (struct rate){.p = 1, .q = 5};
    segment.rate[EVENT_BRANCH_MISSES] = (struct rate){.p = 1, .q = 10};
    return segment;
}

/* PMU-ENUM-02b; PMU-MSR-07a, PMU-MSR-15b, PMU-MSR-15c, PMU-MSR-15d,
 * PMU-MSR-15g, PMU-MSR-15h, PMU-MSR-17a; PMU-BEH-01 */
static struct general_row {
    const char *name;
    uint64_t select, global_ctrl;
    enum ring ring;
    uint64_t want;
} general_rows[] = {
    {"enabled_in_select_and_global_ctrl_counts", 0x4300C0, 0x1, RING_USER,
        2500},
    {"enabled_in_select_alone_does_not_move", 0x4300C0, 0x0, RING_USER, 0},
    {"enabled_in_global_ctrl_alone_does_not_move", 0x0300C0, 0x1, RING_USER, 0},
    {"other_counter_s_global_bit_does_not_count", 0x4300C0, 0x2, RING_USER, 0},
    {"fixed_counter_s_global_bit_does_not_count", 0x4300C0, 0x100000000,
        RING_USER, 0},
    {"os_alone_counts_kernel", 0x4200C0, 0x1, RING_KERNEL, 2500},
    {"os_alone_skips_user", 0x4200C0, 0x1, RING_USER, 0},
    {"usr_alone_counts_user", 0x4100C0, 0x1, RING_USER, 2500},
    {"usr_alone_skips_kernel", 0x4100C0, 0x1, RING_KERNEL, 0},
    {"os_and_usr_count_kernel", 0x4300C0, 0x1, RING_KERNEL, 2500},
    {"neither_os_nor_usr_counts_nothing", 0x4000C0, 0x1, RING_KERNEL, 0},
    {"int_does_not_change_the_count", 0x5300C0, 0x1, RING_USER, 2500},
    {"pin_control_does_not_change_the_count", 0x4B00C0, 0x1, RING_USER, 2500},
    {"core_cycles_count_each_cycle", 0x43003C, 0x1, RING_USER, 1000},
    {"reference_cycles_count_one_in_25", 0x43013C, 0x1, RING_USER, 40},
    {"llc_references_count", 0x434F2E, 0x1, RING_USER, 500},
    {"llc_misses_count", 0x43412E, 0x1, RING_USER, 250},
    {"branches_count", 0x4300C4, 0x1, RING_USER, 200},
    {"branch_misses_count", 0x4300C5, 0x1, RING_USER, 100},
    {"event_that_the_model_lacks_counts_nothing", 0x4301A4, 0x1, RING_USER, 0},
    {"event_00_03_counts_nothing", 0x430300, 0x1, RING_USER, 0},
    {"inv_alone_counts_every_event", 0xC300C0, 0x1, RING_USER, 2500},
    {"cmask_2_counts_every_cycle", 0x024300C0, 0x1, RING_USER, 1000},
    {"cmask_3_counts_every_other_cycle", 0x034300C0, 0x1, RING_USER, 500},
    {"cmask_4_counts_no_cycle", 0x044300C0, 0x1, RING_USER, 0},
    {"inv_of_cmask_3_counts_the_other_cycles", 0x03C300C0, 0x1, RING_USER, 500},
    {"inv_of_cmask_4_counts_every_cycle", 0x04C300C0, 0x1, RING_USER, 1000},
    {"edge_of_cmask_2_counts_once", 0x024700C0, 0x1, RING_USER, 1},
    {"edge_of_cmask_3_counts_each_rise", 0x034700C0, 0x1, RING_USER, 500},
    {"edge_of_branches_counts_each_branch", 0x4700C4, 0x1, RING_USER, 200},
};

static void general_row(void **state)
{
    const struct general_row *row = *state;
    struct pmu pmu;
    struct segment segment;

    pmu_init(&pmu, &pmu_models[MODEL_INTEL_V2]);
    pmu_set_select(&pmu, 0, row->select);
    pmu_set_global_ctrl(&pmu, row->global_ctrl);
    segment = thousand_cycles(&pmu, row->ring);

    assert_int_equal(pmu_advance(&pmu, &segment, 0, 1000), 0);
    assert_int_equal(pmu_value(&pmu, 0), row->want);
}

/* PMU-ENUM-08a, PMU-ENUM-08b, PMU-ENUM-08c; PMU-MSR-05b, PMU-MSR-07b */
static struct fixed_row {
    const char *name;
    uint64_t fixed_ctrl, global_ctrl;
    unsigned slot;
    enum ring ring;
    uint64_t want;
} fixed_rows[] = {
    {"fixed_0_counts_instructions", 0x3, 0x100000000, 8, RING_USER, 2500},
    {"fixed_1_counts_core_cycles", 0x30, 0x200000000, 9, RING_USER, 1000},
    {"fixed_2_counts_tsc_cycles_not_bus_cycles", 0x300, 0x400000000, 10,
        RING_USER, 1000},
    {"fixed_counter_needs_its_own_field", 0x330, 0x700000000, 8, RING_USER, 0},
    {"fixed_counter_needs_its_own_global_bit", 0x333, 0x600000000, 8, RING_USER,
        0},
    {"fixed_counter_needs_more_than_its_pmi_bit", 0x8, 0x100000000, 8,
        RING_USER, 0},
    {"fixed_os_counts_kernel", 0x1, 0x100000000, 8, RING_KERNEL, 2500},
    {"fixed_os_skips_user", 0x1, 0x100000000, 8, RING_USER, 0},
    {"fixed_usr_counts_user", 0x2, 0x100000000, 8, RING_USER, 2500},
    {"fixed_usr_skips_kernel", 0x2, 0x100000000, 8, RING_KERNEL, 0},
    {"fixed_2_skips_kernel_as_well", 0x200, 0x400000000, 10, RING_KERNEL, 0},
};

static void fixed_row(void **state)
{
    const struct fixed_row *row = *state;
    struct pmu pmu;
    struct segment segment;

    pmu_init(&pmu, &pmu_models[MODEL_INTEL_V2]);
    pmu_set_fixed_ctrl(&pmu, row->fixed_ctrl);
    pmu_set_global_ctrl(&pmu, row->global_ctrl);
    segment = thousand_cycles(&pmu, row->ring);

    assert_int_equal(pmu_advance(&pmu, &segment, 0, 1000), 0);
    assert_int_equal(pmu_value(&pmu, row->slot), row->want);
}

static void halted_segment_counts_nothing(void **state)
{
    struct pmu pmu;
    struct segment segment;

    (void)state;
    pmu_init(&pmu, &pmu_models[MODEL_INTEL_V2]);
    pmu_set_select(&pmu, 0, 0x43003C);
    pmu_set_fixed_ctrl(&pmu, 0x333);
    pmu_set_global_ctrl(&pmu, 0x7000000FF);
    segment = thousand_cycles(&pmu, RING_KERNEL);
    segment.halted = true;
    pmu_set_value(&pmu, 0, 0xFFFFFFFFFFFF);

    assert_int_equal(pmu_next_overflow(&pmu, &segment, 0), 1001);
    assert_int_equal(pmu_advance(&pmu, &segment, 0, 1000), 0);
    assert_int_equal(pmu_value(&pmu, 0), 0xFFFFFFFFFFFF);
    assert_int_equal(pmu_value(&pmu, 10), 0);
}

/* PMU-OVF-05a, PMU-MSR-13b, PMU-MSR-13e */
static struct freeze_row {
    const char *name;
    uint64_t debugctl, want_global_ctrl, want_value, want_debugctl;
} freeze_rows[] = {
    {"freeze_clears_global_ctrl_and_stops_counting", 0x1001, 0x0, 0, 0x1001},
    {"without_debugctl_12_nothing_freezes", 0x3, 0x1000000FF, 1000, 0x3},
    {"debugctl_11_freezes_no_counter", 0x803, 0x1000000FF, 1000, 0x802},
};

static void freeze_row(void **state)
{
    const struct freeze_row *row = *state;
    struct pmu pmu;
    struct segment segment;

    pmu_init(&pmu, &pmu_models[MODEL_INTEL_V2]);
    pmu_set_select(&pmu, 0, 0x43003C);
    pmu_set_global_ctrl(&pmu, 0x1000000FF);
    pmu.debugctl = row->debugctl;
    pmu_freeze(&pmu);
    segment = thousand_cycles(&pmu, RING_USER);
    pmu_advance(&pmu, &segment, 0, 1000);

    assert_int_equal(pmu.global_ctrl, row->want_global_ctrl);
    assert_int_equal(pmu_value(&pmu, 0), row->want_value);
    assert_int_equal(pmu.debugctl, row->want_debugctl);
}

static struct bit_row {
    const char *name;
    unsigned slot, want;
} bit_rows[] = {
    {"gp_0_is_bit_0", 0, 0},
    {"gp_7_is_bit_7", 7, 7},
    {"fixed_0_is_bit_32", 8, 32},
    {"fixed_2_is_bit_34", 10, 34},
};

static void bit_row(void **state)
{
    const struct bit_row *row = *state;

    assert_int_equal(pmu_bit(row->slot), row->want);
}

static struct reset_row {
    const char *name;
    uint8_t general;
    uint64_t want_global_ctrl;
} reset_rows[] = {
    {"reset_enables_eight_gp_counters", 8, 0xFF},
    {"reset_enables_four_gp_counters", 4, 0xF},
    {"reset_enables_none_where_there_are_none", 0, 0x0},
};

static void reset_row(void **state)
{
    const struct reset_row *row = *state;
    struct pmu_model model = pmu_models[MODEL_INTEL_V2];
    struct pmu pmu;

    model.general = row->general;
    pmu_init(&pmu, &model);

    assert_int_equal(pmu.global_ctrl, row->want_global_ctrl);
    assert_int_equal(pmu.running, 0);
    assert_int_equal(pmu.global_status, 0);
}

static struct enabled_row {
    const char *name;
    uint64_t select1, fixed_ctrl, global_ctrl;
    uint64_t want;
    uint32_t want_running;
} enabled_rows[] = {
    {"nothing_is_enabled", 0x0, 0x0, 0x7000000FF, 0x0, 0x0},
    {"enabled_twice", 0x43003C, 0x0, 0x2, 0x2, 0x2},
    {"enabled_in_its_select_alone", 0x43003C, 0x0, 0x0, 0x0, 0x0},
    {"enabled_in_global_ctrl_alone", 0x03003C, 0x0, 0x2, 0x0, 0x0},
    {"enabled_for_no_ring", 0x40003C, 0x0, 0x2, 0x0, 0x0},
    {"enabled_for_one_ring", 0x41003C, 0x0, 0x2, 0x2, 0x2},
    {"enabled_for_an_unknown_event_is_not_running", 0x4301A4, 0x0, 0x2, 0x2,
        0x0},
    {"fixed_counters_are_bits_from_32_on", 0x0, 0x303, 0x700000000, 0x500000000,
        0x500},
    {"fixed_pmi_bit_enables_nothing", 0x0, 0x888, 0x700000000, 0x0, 0x0},
    {"both_kinds_are_enabled", 0x43003C, 0x30, 0x200000002, 0x200000002, 0x202},
};

static void enabled_row(void **state)
{
    const struct enabled_row *row = *state;
    struct pmu pmu;

    pmu_init(&pmu, &pmu_models[MODEL_INTEL_V2]);
    pmu_set_select(&pmu, 1, row->select1);
    pmu_set_fixed_ctrl(&pmu, row->fixed_ctrl);
    pmu_set_global_ctrl(&pmu, row->global_ctrl);
    assert_int_equal(pmu_enabled(&pmu), row->want);
    assert_int_equal(pmu.running, row->want_running);
}

TEST_FILE(test_pmu)
{
    TEST_ADD_ROWS(list, general_row, general_rows);
    TEST_ADD_ROWS(list, fixed_row, fixed_rows);
    TEST_ADD_ROWS(list, freeze_row, freeze_rows);
    TEST_ADD_ROWS(list, bit_row, bit_rows);
    TEST_ADD_ROWS(list, reset_row, reset_rows);
    test_add(list, "halted_segment_counts_nothing",
        halted_segment_counts_nothing, NULL);
    TEST_ADD_ROWS(list, enabled_row, enabled_rows);
}
