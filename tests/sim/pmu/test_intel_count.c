/* test_intel_count.c - what counters of versions 1 to 5 count, where they wrap,
 * and what stops them (pmu.md 1.1 to 1.3). */
#include "tests/sim/machine/single_cpu.h"

static void init(struct single_cpu *one, enum model model)
{
    single_cpu_init_model(one, &pmu_models[model]);
}

/* Cycles of ring 3 with an instruction and half a branch each. */
static void run(struct single_cpu *one, uint64_t cycles)
{
    struct cpu *cpu = one->cpu;
    struct segment segment;

    segment_init(
        &segment, cpu->pmu.model, cpu_unhalted(cpu), cycles, RING_USER);
    segment.rate[EVENT_INSTRUCTIONS] = (struct rate){.p = 1, .q = 1};
    segment.rate[EVENT_BRANCHES] = (struct rate){.p = 1, .q = 2};
    cpu_run_segment(cpu, &segment);
}

/* Counter 0 with this select after 1,000 cycles; a bit of `missing` for each
 * architectural event that is not there. */
static struct select_row {
    const char *name;
    enum model model;
    uint32_t missing;
    uint64_t select, want;
} select_rows[] = {
    /* PMU-ENUM-02a */
    {"branches_are_there", MODEL_INTEL_V4, 0, 0x4100C4, 500},
    {"branches_are_missing", MODEL_INTEL_V4, 0x20, 0x4100C4, 0},
    {"what_else_is_missing_does_not_matter", MODEL_INTEL_V4, 0x5F, 0x4100C4,
        500},
    {"cycles_are_missing", MODEL_INTEL_V4, 0x1, 0x41003C, 0},
    /* PMU-ENUM-07h */
    {"slots_of_v5", MODEL_INTEL_V5, 0, 0x4101A4, 5000},
    {"slots_of_sapphire_rapids", MODEL_SAPPHIRE_RAPIDS, 0, 0x4101A4, 6000},
    {"slots_are_past_the_length_of_v4", MODEL_INTEL_V4, 0, 0x4101A4, 0},
    /* PMU-ENUM-08e */
    {"pseudo_code_of_fixed_counter_2", MODEL_INTEL_V5, 0, 0x410300, 0},
    {"pseudo_code_of_fixed_counter_3", MODEL_INTEL_V5, 0, 0x410400, 0},
    /* PMU-ENUM-06b, PMU-MSR-17c */
    {"version_1_counts_by_its_select_alone", MODEL_INTEL_V1, 0, 0x41003C, 1000},
    {"version_1_needs_the_ring", MODEL_INTEL_V1, 0, 0x42003C, 0},
    {"version_1_needs_its_enable", MODEL_INTEL_V1, 0, 0x01003C, 0},
};

static void select_row(void **state)
{
    const struct select_row *row = *state;
    struct pmu_model model = pmu_models[row->model];
    struct single_cpu one;

    model.events_missing = row->missing;
    single_cpu_init_model(&one, &model);
    single_cpu_write(&one, 0x186, row->select);
    run(&one, 1000);
    assert_int_equal(single_cpu_peek(&one, 0x0C1), row->want);
    single_cpu_release(&one);
}

/* PMU-ENUM-08d */
static void fixed_counter_3_counts_slots(void **state)
{
    struct single_cpu one;

    (void)state;
    init(&one, MODEL_ICE_LAKE);
    single_cpu_write(&one, 0x38D, 0x2000);
    single_cpu_write(&one, 0x38F, 0x800000000);
    run(&one, 1000);
    assert_int_equal(single_cpu_peek(&one, 0x30C), 5000);
    single_cpu_release(&one);
}

/* Counter 0 and fixed counter 1 are preset 1,000 below their wrap, and run for
 * 999 cycles, and then for one more. PMU-BEH-15 */
static struct width_row {
    const char *name;
    uint32_t width;
    uint64_t preset, want_before;
} width_rows[] = {
    {"counters_of_32_bits_wrap", 32, 0xFFFFFC18, 0xFFFFFFFF},
    {"counters_of_40_bits_wrap", 40, 0xFFFFFFFC18, 0xFFFFFFFFFF},
    {"counters_of_48_bits_wrap", 48, 0xFFFFFFFFFC18, 0xFFFFFFFFFFFF},
    {"counters_of_57_bits_wrap", 57, 0x1FFFFFFFFFFFC18, 0x1FFFFFFFFFFFFFF},
};

static void width_row(void **state)
{
    const struct width_row *row = *state;
    struct pmu_model model = pmu_models[MODEL_INTEL_V4];
    struct single_cpu one;

    model.width = row->width;
    single_cpu_init_model(&one, &model);
    single_cpu_write(&one, 0x38F, 0x200000001);
    single_cpu_write(&one, 0x4C1, row->preset);
    single_cpu_write(&one, 0x30A, row->preset);
    single_cpu_write(&one, 0x186, 0x41003C);
    single_cpu_write(&one, 0x38D, 0x20);
    run(&one, 999);
    assert_int_equal(single_cpu_peek(&one, 0x0C1), row->want_before);
    assert_int_equal(single_cpu_peek(&one, 0x30A), row->want_before);
    assert_int_equal(single_cpu_peek(&one, 0x38E), 0);
    run(&one, 1);
    assert_int_equal(single_cpu_peek(&one, 0x0C1), 0);
    assert_int_equal(single_cpu_peek(&one, 0x30A), 0);
    assert_int_equal(single_cpu_peek(&one, 0x38E), 0x200000001);
    single_cpu_release(&one);
}

static void counter_of_version_1_wraps_without_a_status(void **state)
{
    struct single_cpu one;

    (void)state;
    init(&one, MODEL_INTEL_V1);
    single_cpu_write(&one, 0x834, 0xFE);
    single_cpu_write(&one, 0x0C1, 0xFFFFFC18);
    assert_int_equal(single_cpu_peek(&one, 0x0C1), 0xFFFFFFFC18);
    single_cpu_write(&one, 0x186, 0x51003C);
    run(&one, 2000);
    assert_int_equal(one.taken_count, 1);
    assert_int_equal(one.taken[0].pmc0, 40);
    assert_int_equal(one.taken[0].status, 0);
    assert_int_equal(single_cpu_peek(&one, 0x834), 0x100FE);
    single_cpu_release(&one);
}

/* PMU-MSR-17b, PMU-OVF-05d */
static void counter_stands_still_while_ctr_frz_is_set(void **state)
{
    struct single_cpu one;

    (void)state;
    init(&one, MODEL_INTEL_V4);
    single_cpu_write(&one, 0x186, 0x41003C);
    run(&one, 100);
    single_cpu_write(&one, 0x391, 0x800000000000000);
    run(&one, 100);
    assert_int_equal(single_cpu_peek(&one, 0x0C1), 100);
    assert_int_equal(single_cpu_peek(&one, 0x186), 0x41003C);
    assert_int_equal(single_cpu_peek(&one, 0x38F), 0xFF);
    single_cpu_write(&one, 0x390, 0x800000000000000);
    run(&one, 100);
    assert_int_equal(single_cpu_peek(&one, 0x0C1), 200);
    single_cpu_release(&one);
}

/* Counter 0 wraps after 1,000 cycles and freezes 30 later, of 2,000.
 * PMU-BEH-11 */
static struct freeze_row {
    const char *name;
    enum model model;
    uint64_t debugctl, want_status, want_control, want_value;
} freeze_rows[] = {
    /* PMU-OVF-05a */
    {"v2_clears_its_enables", MODEL_INTEL_V2, 0x1000, 0x1, 0, 30},
    {"v3_clears_its_enables", MODEL_INTEL_V3, 0x1000, 0x1, 0, 30},
    /* PMU-OVF-05c, PMU-MSR-19d, PMU-MSR-19f */
    {"v4_sets_a_bit_of_the_status", MODEL_INTEL_V4, 0x1000, 0x800000000000001,
        0xFF, 30},
    {"v5_sets_a_bit_of_the_status", MODEL_INTEL_V5, 0x1000, 0x800000000000001,
        0xFF, 30},
    {"v4_tells_of_a_frozen_lbr_stack_and_counts_on", MODEL_INTEL_V4, 0x800,
        0x400000000000001, 0xFF, 1000},
    {"v3_tells_nothing_of_a_frozen_lbr_stack", MODEL_INTEL_V3, 0x800, 0x1, 0xFF,
        1000},
    {"v4_freezes_nothing_unasked", MODEL_INTEL_V4, 0, 0x1, 0xFF, 1000},
};

static void freeze_row(void **state)
{
    const struct freeze_row *row = *state;
    struct single_cpu one;

    init(&one, row->model);
    single_cpu_write(&one, 0x1D9, row->debugctl);
    single_cpu_write(&one, 0x834, 0xFE);
    single_cpu_write(&one, 0x0C1, 0xFFFFFC18);
    single_cpu_write(&one, 0x186, 0x51003C);
    run(&one, 2000);
    assert_int_equal(one.taken_count, 1);
    assert_int_equal(single_cpu_peek(&one, 0x38E), row->want_status);
    assert_int_equal(single_cpu_peek(&one, 0x38F), row->want_control);
    assert_int_equal(single_cpu_peek(&one, 0x0C1), row->want_value);
    single_cpu_release(&one);
}

/* What drivers do: stop all, read, clear what was read, read again. */
static void drain(void *context, struct cpu *cpu, uint8_t vector)
{
    struct single_cpu *one = context;
    uint64_t status = 1;

    single_cpu_interrupt(context, cpu, vector);
    msr_write(cpu, 0x38F, 0);
    for (unsigned i = 0; i < 100 && status != 0; i++) {
        one->taken[1].status = i;
        msr_read(cpu, 0x38E, &status);
        msr_write(cpu, 0x390, status);
    }
}

/* PMU-OVF-07b */
static void handler_that_clears_what_it_reads_ends_with_an_empty_status(
    void **state)
{
    struct single_cpu one;

    (void)state;
    init(&one, MODEL_INTEL_V4);
    machine_on_interrupt(&one.machine, drain, &one);
    single_cpu_write(&one, 0x834, 0xFE);
    single_cpu_write(&one, 0x0C1, 0xFFFFFC18);
    single_cpu_write(&one, 0x0C2, 0xFFFFFC18);
    single_cpu_write(&one, 0x187, 0x51003C);
    single_cpu_write(&one, 0x186, 0x51003C);
    run(&one, 2000);
    assert_int_equal(one.taken_count, 1);
    assert_int_equal(one.taken[0].status, 0x3);
    assert_int_equal(one.taken[1].status, 1); /* the second read was the last */
    assert_int_equal(single_cpu_peek(&one, 0x38E), 0);
    single_cpu_release(&one);
}

TEST_FILE(test_intel_count)
{
    TEST_ADD_ROWS(list, select_row, select_rows);
    TEST_ADD_ROWS(list, width_row, width_rows);
    TEST_ADD_ROWS(list, freeze_row, freeze_rows);
    test_add(list, "fixed_counter_3_counts_slots", fixed_counter_3_counts_slots,
        NULL);
    test_add(list, "counter_of_version_1_wraps_without_a_status",
        counter_of_version_1_wraps_without_a_status, NULL);
    test_add(list, "counter_stands_still_while_ctr_frz_is_set",
        counter_stands_still_while_ctr_frz_is_set, NULL);
    test_add(list,
        "handler_that_clears_what_it_reads_ends_with_an_empty_status",
        handler_that_clears_what_it_reads_ends_with_an_empty_status, NULL);
}
