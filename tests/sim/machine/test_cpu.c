/* test_cpu.c - time, overflows and PMIs of one processor, at exact cycles.
 *
 * Counter 0 is prepared with INT set; T is the time at which that is done. A
 * PMI is raised 30 cycles after its overflow and taken 10 later (the
 * model's latency and skid). */
#include "tests/sim/machine/single_cpu.h"

enum {
    CYCLES = 0x43003C,           /* EN, OS, USR, core cycles */
    CYCLES_INT = 0x53003C,       /* and INT */
    INSTRUCTIONS = 0x4300C0,     /* EN, OS, USR, instructions */
    INSTRUCTIONS_INT = 0x5300C0, /* and INT */
    VECTOR = 0xFE,
};

/* Opens LVTPC, presets counter 0 to 1,000 before its end and starts it. */
static uint64_t arm(struct single_cpu *one, uint64_t select)
{
    single_cpu_write(one, IA32_X2APIC_LVT_PMI, VECTOR);
    single_cpu_write(one, IA32_PMC0, 0xFFFFFC18);
    single_cpu_write(one, IA32_PERFEVTSEL0, select);
    return one->cpu->time;
}

static void run(struct single_cpu *one, uint64_t cycles)
{
    single_cpu_run(one, RING_USER, cycles, 1, 1);
}

static struct skid_row {
    const char *name;
    uint32_t skid;
    uint64_t want_time, want_pmc0;
} skid_rows[] = {
    {"without_skid_the_handler_finds_zero", 0, 1000, 0},
    {"skid_of_one_cycle_counts_one", 1, 1001, 1},
    {"skid_of_40_cycles_counts_40", 40, 1040, 40},
    {"skid_up_to_the_end_of_the_segment", 9000, 10000, 9000},
};

static void skid_row(void **state)
{
    const struct skid_row *row = *state;
    struct pmu_model model = pmu_models[MODEL_INTEL_V2];
    struct single_cpu one;
    uint64_t start;

    model.latency = row->skid;
    model.skid = 0;
    single_cpu_init_model(&one, &model);
    start = arm(&one, CYCLES_INT);
    run(&one, 10000);

    assert_int_equal(one.taken_count, 1);
    assert_int_equal(one.taken[0].vector, 0xFE);
    assert_int_equal(one.taken[0].time - start, row->want_time);
    assert_int_equal(one.taken[0].pmc0, row->want_pmc0);
    assert_int_equal(one.taken[0].status, 0x1);
    single_cpu_release(&one);
}

/* PMU-OVF-01b, PMU-BEH-09 */
static struct count_row {
    const char *name;
    uint64_t select;
    enum ring ring;
    bool halted;
    uint64_t want_pmc0; /* after 10,000 cycles with 3/2 instructions each */
    unsigned want_taken;
    uint64_t want_status;
} count_rows[] = {
    {"counting_goes_on_after_the_interrupt", CYCLES_INT, RING_USER, false, 9000,
        1, 0x1},
    {"instructions_overflow_at_their_own_rate", INSTRUCTIONS_INT, RING_USER,
        false, 14000, 1, 0x1},
    {"overflow_without_int_sets_status_alone", CYCLES, RING_USER, false, 9000,
        0, 0x1},
    {"counter_of_the_kernel_skips_a_user_segment", 0x52003C, RING_USER, false,
        0xFFFFFFFFFC18, 0, 0x0},
    {"counter_of_the_kernel_counts_a_kernel_segment", 0x52003C, RING_KERNEL,
        false, 9000, 1, 0x1},
    {"counter_of_user_code_skips_a_kernel_segment", 0x51003C, RING_KERNEL,
        false, 0xFFFFFFFFFC18, 0, 0x0},
    {"halted_processor_counts_no_cycles", CYCLES_INT, RING_USER, true,
        0xFFFFFFFFFC18, 0, 0x0},
};

static void count_row(void **state)
{
    const struct count_row *row = *state;
    struct single_cpu one;
    struct segment segment;

    single_cpu_init(&one);
    arm(&one, row->select);
    segment_init(&segment, &pmu_models[MODEL_INTEL_V2], cpu_unhalted(one.cpu),
        10000, row->ring);
    segment.rate[EVENT_INSTRUCTIONS] = (struct rate){.p = 3, .q = 2};
    segment.halted = row->halted;
    cpu_run_segment(one.cpu, &segment);

    assert_int_equal(single_cpu_peek(&one, IA32_PMC0), row->want_pmc0);
    assert_int_equal(one.taken_count, row->want_taken);
    assert_int_equal(
        single_cpu_peek(&one, IA32_PERF_GLOBAL_STATUS), row->want_status);
    single_cpu_release(&one);
}

/* PMU-BEH-20 */
static struct reload_row {
    const char *name;
    uint8_t width_bits;
} reload_rows[] = {
    {"preset_of_1_minus_k_reads_1_after_k_instructions_in_48_bits", 48},
    {"preset_of_1_minus_k_reads_1_after_k_instructions_in_40_bits", 40},
    {"preset_of_1_minus_k_reads_1_after_k_instructions_in_32_bits", 32},
};

static void reload_row(void **state)
{
    const struct reload_row *row = *state;
    struct pmu_model model = pmu_models[MODEL_INTEL_V2];
    struct single_cpu one;

    model.width = row->width_bits;
    single_cpu_init_model(&one, &model);
    single_cpu_write(&one, IA32_PMC0, 0xFFFFFC19); /* 1 - 1,000 */
    single_cpu_write(&one, IA32_PERFEVTSEL0, INSTRUCTIONS);
    run(&one, 1000);

    assert_int_equal(single_cpu_peek(&one, IA32_PMC0), 1);
    assert_int_equal(single_cpu_peek(&one, IA32_PERF_GLOBAL_STATUS), 0x1);
    single_cpu_release(&one);
}

static struct priority_row {
    const char *name;
    uint32_t lvtpc;
    unsigned task_class;
    unsigned want_taken;
} priority_rows[] = {
    {"vector_of_a_higher_class_is_taken", 0xFE, 14, 1},
    {"vector_of_the_same_class_stays_pending", 0xFE, 15, 0},
    {"low_vector_is_taken_at_a_lower_class", 0x51, 4, 1},
    {"low_vector_stays_pending_at_its_class", 0x51, 5, 0},
    {"nmi_is_taken_at_every_class", 0x400, 15, 1},
    {"masked_lvtpc_takes_nothing", 0x100FE, 0, 0},
    {"illegal_vector_takes_nothing", 0x0F, 0, 0},
};

static void priority_row(void **state)
{
    const struct priority_row *row = *state;
    struct single_cpu one;

    single_cpu_init(&one);
    cpu_set_task_priority(one.cpu, row->task_class);
    arm(&one, CYCLES_INT);
    one.cpu->lapic.lvtpc = row->lvtpc;
    run(&one, 10000);

    assert_int_equal(one.taken_count, row->want_taken);
    single_cpu_release(&one);
}

/* DEBUGCTL[12]: the PMI request itself stops all counters.
 * PMU-MSR-13a, PMU-OVF-05e */
static struct freeze_row {
    const char *name;
    uint64_t debugctl;
    uint32_t lvtpc;
    unsigned task_class;
    uint64_t want_pmc0, want_global_ctrl;
} freeze_rows[] = {
    {"freeze_stops_the_counter_when_the_request_arrives", 0x1000, 0xFE, 0, 30,
        0x0},
    {"without_freeze_the_counter_goes_on", 0x0, 0xFE, 0, 9000, 0xFF},
    {"freeze_does_not_wait_for_the_interrupt_to_be_taken", 0x1000, 0xFE, 15, 30,
        0x0},
    {"freeze_happens_though_lvtpc_drops_the_interrupt", 0x1000, 0x100FE, 0, 30,
        0x0},
};

static void freeze_row(void **state)
{
    const struct freeze_row *row = *state;
    struct single_cpu one;

    single_cpu_init(&one);
    single_cpu_write(&one, IA32_DEBUGCTL, row->debugctl);
    cpu_set_task_priority(one.cpu, row->task_class);
    arm(&one, CYCLES_INT);
    one.cpu->lapic.lvtpc = row->lvtpc;
    run(&one, 10000);

    assert_int_equal(single_cpu_peek(&one, IA32_PMC0), row->want_pmc0);
    assert_int_equal(
        single_cpu_peek(&one, IA32_PERF_GLOBAL_CTRL), row->want_global_ctrl);
    assert_int_equal(single_cpu_peek(&one, IA32_PERF_GLOBAL_STATUS), 0x1);
    single_cpu_release(&one);
}

/* Counter 0 counts instructions: of the two WRMSR around N RDMSR, the one that
 * enables is not counted and the one that disables is.
 * PMU-OVF-06a, PMU-OVF-06b, PMU-BEH-19 */
static struct wrmsr_row {
    const char *name;
    unsigned reads;
    uint32_t disable; /* register that is cleared in the end */
    uint64_t want;
} wrmsr_rows[] = {
    {"disabling_wrmsr_is_counted_the_enabling_one_is_not", 0, 0x38F, 1},
    {"disabling_in_the_select_is_counted", 0, 0x186, 1},
    {"three_rdmsr_in_between_are_counted", 3, 0x38F, 4},
};

static void wrmsr_row(void **state)
{
    const struct wrmsr_row *row = *state;
    struct single_cpu one;
    uint64_t value;

    single_cpu_init(&one);
    single_cpu_write(&one, IA32_PERFEVTSEL0, INSTRUCTIONS);
    for (unsigned i = 0; i < row->reads; i++) {
        assert_int_equal(
            msr_read(one.cpu, IA32_PERF_GLOBAL_STATUS, &value), MSR_OK);
    }
    single_cpu_write(&one, row->disable, 0);
    single_cpu_write(&one, IA32_PMC1, 0); /* no longer counted */

    assert_int_equal(single_cpu_peek(&one, IA32_PMC0), row->want);
    single_cpu_release(&one);
}

static void rdmsr_of_a_counter_has_counted_itself(void **state)
{
    struct single_cpu one;
    uint64_t value = 0;

    (void)state;
    single_cpu_init(&one);
    single_cpu_write(&one, IA32_PERFEVTSEL0, INSTRUCTIONS);
    assert_int_equal(msr_read(one.cpu, IA32_PMC0, &value), MSR_OK);
    assert_int_equal(value, 1);
    single_cpu_release(&one);
}

/* PMU-BEH-05 */
static void stopped_counter_holds_its_value_and_goes_on_from_it(void **state)
{
    struct single_cpu one;

    (void)state;
    single_cpu_init(&one);
    single_cpu_write(&one, IA32_PERFEVTSEL0, 0x4100C0); /* user only */
    single_cpu_write(&one, IA32_PERFEVTSEL1, 0x4100C0);
    run(&one, 700);
    single_cpu_write(&one, IA32_PERFEVTSEL0, 0x0100C0);
    run(&one, 5000);
    assert_int_equal(single_cpu_peek(&one, IA32_PMC0), 700);
    assert_int_equal(single_cpu_peek(&one, IA32_PMC1), 5700);
    single_cpu_write(&one, IA32_PERFEVTSEL0, 0x4100C0);
    run(&one, 30);
    assert_int_equal(single_cpu_peek(&one, IA32_PMC0), 730);
    single_cpu_release(&one);
}

static void global_ctrl_stops_and_resumes_a_counter(void **state)
{
    struct single_cpu one;

    (void)state;
    single_cpu_init(&one);
    single_cpu_write(&one, IA32_PERFEVTSEL0, 0x4100C0);
    run(&one, 700);
    single_cpu_write(&one, IA32_PERF_GLOBAL_CTRL, 0xFE);
    run(&one, 5000);
    assert_int_equal(single_cpu_peek(&one, IA32_PMC0), 700);
    single_cpu_write(&one, IA32_PERF_GLOBAL_CTRL, 0xFF);
    run(&one, 30);
    assert_int_equal(single_cpu_peek(&one, IA32_PMC0), 730);
    single_cpu_release(&one);
}

static void fixed_ctr_ctrl_starts_and_stops_a_counter(void **state)
{
    struct single_cpu one;

    (void)state;
    single_cpu_init(&one);
    single_cpu_write(&one, IA32_PERF_GLOBAL_CTRL, 0x100000000);
    run(&one, 100);
    assert_int_equal(single_cpu_peek(&one, IA32_FIXED_CTR0), 0);
    single_cpu_write(&one, IA32_FIXED_CTR_CTRL, 0x2);
    run(&one, 700);
    single_cpu_write(&one, IA32_FIXED_CTR_CTRL, 0x0);
    run(&one, 5000);
    assert_int_equal(single_cpu_peek(&one, IA32_FIXED_CTR0), 700);
    single_cpu_release(&one);
}

static void time_and_unhalted_time_pass(void **state)
{
    struct single_cpu one;
    struct segment segment;

    (void)state;
    single_cpu_init(&one);
    run(&one, 1000);
    segment_init(&segment, &pmu_models[MODEL_INTEL_V2], 1000, 50, RING_KERNEL);
    segment.halted = true;
    cpu_run_segment(one.cpu, &segment);
    cpu_spend(one.cpu, 7, 3);
    assert_int_equal(one.cpu->time, 1057);
    assert_int_equal(cpu_unhalted(one.cpu), 1007);
    single_cpu_release(&one);
}

static void spent_time_is_counted_exactly(void **state)
{
    struct single_cpu one;

    (void)state;
    single_cpu_init(&one);
    single_cpu_write(&one, IA32_PERFEVTSEL0, 0x4200C0);
    single_cpu_write(&one, IA32_PERFEVTSEL1, 0x42003C);
    pmu_set_value(&one.cpu->pmu, 0, 0);
    cpu_spend(one.cpu, 1000, 333);
    cpu_spend(one.cpu, 0, 0);
    assert_int_equal(single_cpu_peek(&one, IA32_PMC0), 333);
    assert_int_equal(single_cpu_peek(&one, IA32_PMC1), 1000);
    single_cpu_release(&one);
}

static void spent_time_is_not_user_time(void **state)
{
    struct single_cpu one;

    (void)state;
    single_cpu_init(&one);
    single_cpu_write(&one, IA32_PERFEVTSEL0, 0x41003C);
    cpu_spend(one.cpu, 1000, 333);
    assert_int_equal(single_cpu_peek(&one, IA32_PMC0), 0);
    single_cpu_release(&one);
}

/* A clock at 1/25 ticks once in two segments of 13 cycles. */
static void clocks_go_on_from_segment_to_segment(void **state)
{
    struct single_cpu one;

    (void)state;
    single_cpu_init(&one);
    single_cpu_write(&one, IA32_PERFEVTSEL0, 0x41013C);
    run(&one, 13);
    assert_int_equal(single_cpu_peek(&one, IA32_PMC0), 0);
    run(&one, 13);
    assert_int_equal(single_cpu_peek(&one, IA32_PMC0), 1);
    single_cpu_release(&one);
}

TEST_FILE(test_cpu)
{
    TEST_ADD_ROWS(list, skid_row, skid_rows);
    TEST_ADD_ROWS(list, count_row, count_rows);
    TEST_ADD_ROWS(list, reload_row, reload_rows);
    TEST_ADD_ROWS(list, priority_row, priority_rows);
    TEST_ADD_ROWS(list, freeze_row, freeze_rows);
    TEST_ADD_ROWS(list, wrmsr_row, wrmsr_rows);
    test_add(list, "rdmsr_of_a_counter_has_counted_itself",
        rdmsr_of_a_counter_has_counted_itself, NULL);
    test_add(list, "stopped_counter_holds_its_value_and_goes_on_from_it",
        stopped_counter_holds_its_value_and_goes_on_from_it, NULL);
    test_add(list, "global_ctrl_stops_and_resumes_a_counter",
        global_ctrl_stops_and_resumes_a_counter, NULL);
    test_add(list, "fixed_ctr_ctrl_starts_and_stops_a_counter",
        fixed_ctr_ctrl_starts_and_stops_a_counter, NULL);
    test_add(
        list, "time_and_unhalted_time_pass", time_and_unhalted_time_pass, NULL);
    test_add(list, "spent_time_is_counted_exactly",
        spent_time_is_counted_exactly, NULL);
    test_add(
        list, "spent_time_is_not_user_time", spent_time_is_not_user_time, NULL);
    test_add(list, "clocks_go_on_from_segment_to_segment",
        clocks_go_on_from_segment_to_segment, NULL);
}
