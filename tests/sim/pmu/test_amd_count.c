/* test_amd_count.c - what AMD's counters count, and overflow with and without
 * PerfMonV2 (pmu.md 1.6). */
#include "tests/sim/machine/single_cpu.h"

static void init(struct single_cpu *one, enum model model)
{
    single_cpu_init_model(one, &pmu_models[model]);
}

/* Counter 0 with this select, while 1,000 cycles with two instructions, half a
 * branch and a quarter of a wrong one each pass. */
static struct count_row {
    const char *name;
    uint64_t select;
    enum ring ring;
    uint64_t want;
} count_rows[] = {
    /* PMU-AMD-09a, PMU-AMD-09b, PMU-AMD-09c, PMU-AMD-09d */
    {"event_76_counts_cycles", 0x430076, RING_USER, 1000},
    {"event_c0_counts_instructions", 0x4300C0, RING_USER, 2000},
    {"event_c2_counts_branches", 0x4300C2, RING_USER, 500},
    {"event_c3_counts_branch_misses", 0x4300C3, RING_USER, 250},
    {"event_of_intel_counts_nothing", 0x43003C, RING_USER, 0},
    /* PMU-AMD-04a */
    {"umask_that_is_unknown_counts_nothing", 0x430176, RING_USER, 0},
    {"bits_35_to_32_are_of_the_event", 0x100430076, RING_USER, 0},
    /* PMU-AMD-04b */
    {"usr_counts_user_code", 0x410076, RING_USER, 1000},
    {"usr_does_not_count_the_kernel", 0x410076, RING_KERNEL, 0},
    {"os_counts_the_kernel", 0x420076, RING_KERNEL, 1000},
    {"os_does_not_count_user_code", 0x420076, RING_USER, 0},
    /* PMU-AMD-04c */
    {"cmask_2_counts_cycles_with_two", 0x24300C0, RING_USER, 1000},
    {"cmask_3_counts_none", 0x34300C0, RING_USER, 0},
    {"inv_counts_the_others", 0x3C300C0, RING_USER, 1000},
    {"edge_counts_beginnings", 0x14700C2, RING_USER, 500},
    /* PMU-AMD-04d */
    {"counter_without_en_stands_still", 0x030076, RING_USER, 0},
    {"int_changes_no_count", 0x530076, RING_USER, 1000},
    /* PMU-AMD-04e */
    {"guests_alone_count_nothing_without_guests", 0x10000430076, RING_USER, 0},
    {"the_host_alone_counts", 0x20000430076, RING_USER, 1000},
    {"guests_and_host_count", 0x30000430076, RING_USER, 1000},
};

static void run(struct single_cpu *one, enum ring ring, uint64_t cycles)
{
    struct cpu *cpu = one->cpu;
    struct segment segment;

    segment_init(&segment, cpu->pmu.model, cpu_unhalted(cpu), cycles, ring);
    segment.rate[EVENT_INSTRUCTIONS] = (struct rate){.p = 2, .q = 1};
    segment.rate[EVENT_BRANCHES] = (struct rate){.p = 1, .q = 2};
    segment.rate[EVENT_BRANCH_MISSES] = (struct rate){.p = 1, .q = 4};
    cpu_run_segment(cpu, &segment);
}

static void count_row(void **state)
{
    const struct count_row *row = *state;
    struct single_cpu one;

    init(&one, MODEL_ZEN2);
    single_cpu_write(&one, 0xC0010200, row->select);
    run(&one, row->ring, 1000);
    assert_int_equal(single_cpu_peek(&one, 0xC0010201), row->want);
    single_cpu_release(&one);
}

/* Counter 0 asks for an interrupt and wraps after 1,000 cycles of 2,000; the
 * handler does nothing but end it. PMU-AMD-03a, PMU-AMD-08, PMU-OVF-04c */
static struct overflow_row {
    const char *name;
    enum model model;
    uint64_t want_status;
} overflow_rows[] = {
    {"k7_wraps_at_48_bits_and_has_no_status", MODEL_K8, 0},
    {"core_extension_wraps_at_48_bits_and_has_no_status", MODEL_ZEN2, 0},
    /* PMU-AMD-07a */
    {"perfmon_v2_wraps_at_48_bits_and_has_a_status", MODEL_ZEN4, 0x1},
};

static void start(struct single_cpu *one, uint64_t value)
{
    single_cpu_write(one, 0x834, 0xFE);
    single_cpu_write(one, 0xC0010004, value);
    single_cpu_write(one, 0xC0010000, 0x510076);
}

static void overflow_row(void **state)
{
    const struct overflow_row *row = *state;
    struct single_cpu one;

    init(&one, row->model);
    start(&one, 0xFFFFFFFFFC18);
    run(&one, RING_USER, 2000);
    assert_int_equal(one.taken_count, 1);
    assert_int_equal(one.taken[0].time, 1340); /* three WRMSRs, 30 and 10 */
    assert_int_equal(one.taken[0].pmc0, 40);
    assert_int_equal(one.cpu->pmu.global_status, row->want_status);
    assert_int_equal(single_cpu_peek(&one, 0xC0010004), 1000);
    assert_int_equal(single_cpu_peek(&one, 0x834), 0xFE);
    single_cpu_release(&one);
}

/* Two overflows whose handler unmasks nothing. PMU-BEH-02 */
static struct second_row {
    const char *name;
    enum model model;
    uint32_t counter, select;
    uint64_t on, preset;
    unsigned want_taken;
} second_rows[] = {
    {"second_pmi_comes_on_k7", MODEL_K8, 0xC0010004, 0xC0010000, 0x510076,
        0xFFFFFFFFFC18, 2},
    {"second_pmi_comes_on_perfmon_v2", MODEL_ZEN4, 0xC0010004, 0xC0010000,
        0x510076, 0xFFFFFFFFFC18, 2},
    {"second_pmi_is_blocked_on_intel_v1", MODEL_INTEL_V1, 0x0C1, 0x186,
        0x51003C, 0xFFFFFC18, 1},
    {"second_pmi_is_blocked_on_intel_v4", MODEL_INTEL_V4, 0x0C1, 0x186,
        0x51003C, 0xFFFFFC18, 1},
};

static void second_row(void **state)
{
    const struct second_row *row = *state;
    struct single_cpu one;

    init(&one, row->model);
    single_cpu_write(&one, 0x834, 0xFE);
    single_cpu_write(&one, row->select, row->on);
    for (unsigned i = 0; i < 2; i++) {
        single_cpu_write(&one, row->counter, row->preset);
        run(&one, RING_USER, 2000);
    }
    assert_int_equal(one.taken_count, row->want_taken);
    single_cpu_release(&one);
}

/* PMU-AMD-07b */
static void counter_of_perfmon_v2_needs_its_bit_of_the_global_control(
    void **state)
{
    struct single_cpu one;

    (void)state;
    init(&one, MODEL_ZEN4);
    assert_int_equal(single_cpu_peek(&one, 0xC0000301), 0x3F);
    single_cpu_write(&one, 0xC0000301, 0x3E);
    single_cpu_write(&one, 0xC0010200, 0x410076);
    single_cpu_write(&one, 0xC0010202, 0x410076);
    run(&one, RING_USER, 1000);
    assert_int_equal(single_cpu_peek(&one, 0xC0010201), 0);
    assert_int_equal(single_cpu_peek(&one, 0xC0010203), 1000);
    single_cpu_release(&one);
}

/* PMU-AMD-07c, PMU-AMD-07d */
static void status_is_set_and_cleared_bit_by_bit(void **state)
{
    struct single_cpu one;

    (void)state;
    init(&one, MODEL_ZEN4);
    single_cpu_write(&one, 0xC0000303, 0x15);
    single_cpu_write(&one, 0xC0000303, 0x20);
    assert_int_equal(single_cpu_peek(&one, 0xC0000300), 0x35);
    single_cpu_write(&one, 0xC0000302, 0x11);
    assert_int_equal(single_cpu_peek(&one, 0xC0000300), 0x24);
    single_cpu_write(&one, 0xC0000302, 0xFFFFFFFFFFFFFFFF);
    assert_int_equal(single_cpu_peek(&one, 0xC0000300), 0);
    single_cpu_write(&one, 0xC0000303, 0xFFFFFFFFFFFFFFFF);
    assert_int_equal(single_cpu_peek(&one, 0xC0000300), 0x0C0000000000003F);
    single_cpu_release(&one);
}

/* PMU-AMD-07e */
static void freeze_sets_bits_58_and_59_and_stops_the_counters(void **state)
{
    struct single_cpu one;

    (void)state;
    init(&one, MODEL_ZEN4);
    single_cpu_write(&one, 0x1D9, 0x1800);
    start(&one, 0xFFFFFFFFFC18);
    run(&one, RING_USER, 2000);
    assert_int_equal(single_cpu_peek(&one, 0xC0000300), 0x0C00000000000001);
    assert_int_equal(single_cpu_peek(&one, 0xC0010004), 30); /* the latency */
    assert_int_equal(single_cpu_peek(&one, 0xC0000301), 0x3F);
    single_cpu_write(&one, 0xC0000302, 0x0800000000000000);
    run(&one, RING_USER, 100);
    assert_int_equal(single_cpu_peek(&one, 0xC0010004), 130);
    single_cpu_release(&one);
}

static void nothing_freezes_before_perfmon_v2(void **state)
{
    struct single_cpu one;

    (void)state;
    init(&one, MODEL_ZEN2);
    assert_int_equal(msr_write(one.cpu, 0x1D9, 0x1000), MSR_GP_FAULT);
    assert_int_equal(msr_write(one.cpu, 0x1D9, 0), MSR_OK);
    single_cpu_release(&one);
}

/* The interrupt takes 5,000 cycles to come. Meanwhile the overflow is found by
 * polling, and the counter preset again. PMU-AMD-11 */
static void late_interrupt_finds_nothing_to_do(void **state)
{
    struct pmu_model model = pmu_models[MODEL_ZEN2];
    struct single_cpu one;

    (void)state;
    model.latency = 5000;
    single_cpu_init_model(&one, &model);
    single_cpu_write(&one, 0x834, 0x400); /* an NMI */
    single_cpu_write(&one, 0xC0010201, 0xFFFFFFFFFC18);
    single_cpu_write(&one, 0xC0010200, 0x510076);
    run(&one, RING_USER, 2000);
    assert_int_equal(single_cpu_peek(&one, 0xC0010201), 1000);
    assert_int_equal(one.taken_count, 0);
    single_cpu_write(&one, 0xC0010201, 0x800000000000);
    run(&one, RING_USER, 5000);

    assert_int_equal(one.taken_count, 1);
    assert_int_equal(one.taken[0].vector, 2);
    assert_true(one.taken[0].pmc0 >= 0x800000000000); /* no overflow */
    single_cpu_release(&one);
}

TEST_FILE(test_amd_count)
{
    TEST_ADD_ROWS(list, count_row, count_rows);
    TEST_ADD_ROWS(list, overflow_row, overflow_rows);
    TEST_ADD_ROWS(list, second_row, second_rows);
    test_add(list, "counter_of_perfmon_v2_needs_its_bit_of_the_global_control",
        counter_of_perfmon_v2_needs_its_bit_of_the_global_control, NULL);
    test_add(list, "status_is_set_and_cleared_bit_by_bit",
        status_is_set_and_cleared_bit_by_bit, NULL);
    test_add(list, "freeze_sets_bits_58_and_59_and_stops_the_counters",
        freeze_sets_bits_58_and_59_and_stops_the_counters, NULL);
    test_add(list, "nothing_freezes_before_perfmon_v2",
        nothing_freezes_before_perfmon_v2, NULL);
    test_add(list, "late_interrupt_finds_nothing_to_do",
        late_interrupt_finds_nothing_to_do, NULL);
}
