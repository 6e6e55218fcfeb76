/* test_pmu_add.c - events that happen at one moment. */
#include "sim/pmu/pmu.h"
#include "tests/rows.h"

/* `count` events are added to counter 0, which was 100. */
static struct add_row {
    const char *name;
    uint64_t select;
    enum event event;
    uint64_t count;
    enum ring ring;
    uint64_t want;
} add_rows[] = {
    {"each_event_counts", 0x4300C4, EVENT_BRANCHES, 5, RING_USER, 105},
    {"no_events_count_nothing", 0x4300C4, EVENT_BRANCHES, 0, RING_USER, 100},
    {"other_event_counts_nothing", 0x4300C4, EVENT_BRANCH_MISSES, 5, RING_USER,
        100},
    {"os_alone_counts_kernel", 0x4200C4, EVENT_BRANCHES, 5, RING_KERNEL, 105},
    {"os_alone_skips_user", 0x4200C4, EVENT_BRANCHES, 5, RING_USER, 100},
    {"usr_alone_skips_kernel", 0x4100C4, EVENT_BRANCHES, 5, RING_KERNEL, 100},
    {"counter_that_is_off_counts_nothing", 0x0300C4, EVENT_BRANCHES, 5,
        RING_USER, 100},
    {"cmask_5_sees_one_cycle_of_five", 0x054300C4, EVENT_BRANCHES, 5, RING_USER,
        101},
    {"cmask_6_sees_none", 0x064300C4, EVENT_BRANCHES, 5, RING_USER, 100},
    {"inv_of_cmask_5_sees_none", 0x05C300C4, EVENT_BRANCHES, 5, RING_USER, 100},
    {"inv_of_cmask_6_sees_one", 0x06C300C4, EVENT_BRANCHES, 5, RING_USER, 101},
    {"inv_alone_counts_each", 0xC300C4, EVENT_BRANCHES, 5, RING_USER, 105},
    {"edge_counts_one_rise", 0x4700C4, EVENT_BRANCHES, 5, RING_USER, 101},
    {"edge_of_one_event_is_one_rise", 0x4700C4, EVENT_BRANCHES, 1, RING_USER,
        101},
    {"edge_of_nothing_is_none", 0x4700C4, EVENT_BRANCHES, 0, RING_USER, 100},
    {"edge_and_inv_without_cmask_is_one_rise", 0xC700C4, EVENT_BRANCHES, 5,
        RING_USER, 101},
    {"edge_of_cmask_5_is_one_rise", 0x054700C4, EVENT_BRANCHES, 5, RING_USER,
        101},
    {"edge_of_cmask_6_is_none", 0x064700C4, EVENT_BRANCHES, 5, RING_USER, 100},
};

static void add_row(void **state)
{
    const struct add_row *row = *state;
    struct pmu pmu;

    pmu_init(&pmu, &pmu_models[MODEL_INTEL_V2]);
    pmu_set_value(&pmu, 0, 100);
    pmu_set_select(&pmu, 0, row->select);
    assert_int_equal(pmu_add(&pmu, row->event, row->count, row->ring), 0);
    assert_int_equal(pmu_value(&pmu, 0), row->want);
    assert_int_equal(pmu.global_status, 0);
}

static void every_counter_of_the_event_counts(void **state)
{
    struct pmu pmu;

    (void)state;
    pmu_init(&pmu, &pmu_models[MODEL_INTEL_V2]);
    pmu_set_select(&pmu, 0, 0x4300C0);
    pmu_set_select(&pmu, 7, 0x4300C0);
    pmu_set_fixed_ctrl(&pmu, 0x3);
    pmu_set_global_ctrl(&pmu, 0x100000081);
    pmu_set_value(&pmu, 7, 0xFFFFFFFFFFFE);
    pmu_set_value(&pmu, 8, 0xFFFFFFFFFFFD);

    assert_int_equal(
        pmu_add(&pmu, EVENT_INSTRUCTIONS, 3, RING_USER), 0x100000080);
    assert_int_equal(pmu_value(&pmu, 0), 3);
    assert_int_equal(pmu_value(&pmu, 7), 1);
    assert_int_equal(pmu_value(&pmu, 8), 0);
    assert_int_equal(pmu.global_status, 0x100000080);
}

/* Five instructions of a burst come first: -100 is -95, and 98 more are 3. */
static void what_bursts_have_added_counts_towards_the_wrap(void **state)
{
    struct pmu pmu;

    (void)state;
    pmu_init(&pmu, &pmu_models[MODEL_INTEL_V2]);
    pmu_set_select(&pmu, 0, 0x4300C0);
    pmu_set_value(&pmu, 0, 0xFFFFFFFFFF9C);
    pmu_settle(&pmu);
    assert_true(pmu_burst(&pmu, 0, 5, 5));
    assert_int_equal(pmu_value(&pmu, 0), 0xFFFFFFFFFFA1);

    assert_int_equal(pmu_add(&pmu, EVENT_INSTRUCTIONS, 98, RING_KERNEL), 0x1);
    assert_int_equal(pmu_value(&pmu, 0), 3);
}

/* -100 and 98 are -2: five more instructions are too many for a burst. */
static void burst_after_it_is_measured_anew(void **state)
{
    struct pmu pmu;

    (void)state;
    pmu_init(&pmu, &pmu_models[MODEL_INTEL_V2]);
    pmu_set_select(&pmu, 0, 0x4300C0);
    pmu_set_value(&pmu, 0, 0xFFFFFFFFFF9C);
    assert_int_equal(pmu_add(&pmu, EVENT_INSTRUCTIONS, 98, RING_KERNEL), 0);
    assert_false(pmu_burst(&pmu, 0, 5, 5));
}

/* What GP counter 0 and the fixed counters count in the kernel when a register
 * is accessed; of version 2, whose reference clock is no whole number of the
 * core's, and of version 4, whose TSC is. */
static struct step_row {
    const char *name;
    enum model model;
    uint64_t select, fixed_ctrl, global_ctrl;
    bool want; /* it needs no question */
} step_rows[] = {
    {"access_where_nothing_runs", MODEL_INTEL_V2, 0x4300C0, 0, 0, true},
    {"access_counts_cycles", MODEL_INTEL_V2, 0x43003C, 0, 1, true},
    {"access_counts_an_instruction", MODEL_INTEL_V2, 0x4300C0, 0, 1, true},
    {"access_of_other_counters", MODEL_INTEL_V2, 0x4300C4, 0, 1, true},
    {"access_counts_a_divided_clock", MODEL_INTEL_V2, 0x43013C, 0, 1, false},
    {"access_counts_the_tsc", MODEL_INTEL_V4, 0x4300C0, 0x300, 0x400000001,
        true},
    {"access_counts_pulses", MODEL_INTEL_V2, 0x14300C0, 0, 1, false},
};

/* As a burst of the same length, before which counters are settled. */
static void step_row(void **state)
{
    const struct step_row *row = *state;
    const struct pmu_model *model = &pmu_models[row->model];
    struct pmu step, burst;

    pmu_init(&step, model);
    pmu_set_select(&step, 0, row->select);
    pmu_set_fixed_ctrl(&step, row->fixed_ctrl);
    pmu_set_global_ctrl(&step, row->global_ctrl);
    pmu_settle(&step);
    burst = step;

    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(burst_step(&step.burst), row->want);
        if (row->want) {
            assert_true(pmu_burst(&burst, 0, model->msr_cycles, 1));
        }
    }
    for (unsigned slot = 0; slot < PMU_SLOTS; slot++) {
        assert_int_equal(pmu_value(&step, slot), pmu_value(&burst, slot));
    }
    assert_int_equal(step.burst.slack, burst.burst.slack);
}

/* Without a status register it is told, and latched nowhere. */
static void wrap_of_version_1_is_not_latched(void **state)
{
    struct pmu pmu;

    (void)state;
    pmu_init(&pmu, &pmu_models[MODEL_INTEL_V1]);
    pmu_set_select(&pmu, 1, 0x4300C0);
    pmu_set_value(&pmu, 1, 0xFFFFFFFFFF);

    assert_int_equal(pmu_add(&pmu, EVENT_INSTRUCTIONS, 1, RING_USER), 0x2);
    assert_int_equal(pmu_value(&pmu, 1), 0);
    assert_int_equal(pmu.global_status, 0);
}

TEST_FILE(test_pmu_add)
{
    TEST_ADD_ROWS(list, add_row, add_rows);
    test_add(list, "every_counter_of_the_event_counts",
        every_counter_of_the_event_counts, NULL);
    test_add(list, "what_bursts_have_added_counts_towards_the_wrap",
        what_bursts_have_added_counts_towards_the_wrap, NULL);
    test_add(list, "burst_after_it_is_measured_anew",
        burst_after_it_is_measured_anew, NULL);
    TEST_ADD_ROWS(list, step_row, step_rows);
    test_add(list, "wrap_of_version_1_is_not_latched",
        wrap_of_version_1_is_not_latched, NULL);
}
