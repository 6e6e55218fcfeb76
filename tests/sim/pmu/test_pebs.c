/* test_pebs.c - when PEBS writes a record, and what comes with it. What is in
 * one: test_pebs_record.c. Counter 0 counts user instructions. */
#include "tests/sim/pmu/buffered_cpu.h"

enum {
    USER = 0x4100C0,     /* EN, USR, instructions */
    USER_INT = 0x5100C0, /* and INT */
    KERNEL = 0x4200C0,   /* EN, OS, instructions */
};

static void start(struct buffered_cpu *cpu, enum model model, uint64_t select,
    uint64_t preset)
{
    struct pmu *pmu;

    buffered_cpu_init(cpu, &pmu_models[model]);
    pmu = &cpu->one.cpu->pmu;
    pmu_set_pebs_enable(pmu, 0x1);
    pmu_set_select(pmu, 0, select);
    pmu_set_value(pmu, 0, preset);
}

/* Records of Skylake, 200 bytes, in a buffer of `maximum` bytes.
 * PMU-PEBS-03a, PMU-PEBS-03b, PMU-PEBS-03c, PMU-PEBS-03d, PMU-PEBS-03e,
 * PMU-MSR-21, PMU-BEH-13 */
static struct flow_row {
    const char *name;
    uint64_t select, preset, cycles, p, q, maximum;
    uint64_t want_index, want_status, want_pmc0;
} flow_rows[] = {
    {"overflow_writes_nothing_by_itself", USER, AFTER_100, 100, 1, 1, 8000, 0,
        0x1, 0},
    {"event_after_it_writes_a_record", USER, AFTER_100, 101, 1, 1, 8000, 200,
        0x0, AFTER_50},
    {"counter_goes_on_from_its_reset_value", USER, AFTER_100, 151, 1, 1, 8000,
        200, 0x1, 0},
    {"next_record_comes_a_period_and_an_event_later", USER, AFTER_100, 152, 1,
        1, 8000, 400, 0x0, AFTER_50},
    {"ten_records_follow_one_another", USER, AFTER_100, 560, 1, 1, 8000, 2000,
        0x0, AFTER_50},
    {"event_after_it_may_come_many_cycles_later", USER, AFTER_100, 700, 1, 7,
        8000, 0, 0x1, 0},
    {"and_writes_the_record_then", USER, AFTER_100, 707, 1, 7, 8000, 200, 0x0,
        AFTER_50},
    {"event_after_it_in_the_same_cycle_writes_the_record", USER, AFTER_100, 34,
        3, 1, 8000, 200, 0x0, AFTER_50},
    {"last_event_of_a_cycle_leaves_the_record_to_the_next", USER, AFTER_99, 33,
        3, 1, 8000, 0, 0x1, 0},
    {"which_writes_it_with_its_first", USER, AFTER_99, 34, 3, 1, 8000, 200, 0x0,
        AFTER_50},
    {"record_may_end_at_the_maximum", USER, AFTER_100, 1000, 1, 1, 600, 600,
        0x1, 747},
    {"record_may_not_end_one_byte_behind_the_maximum", USER, AFTER_100, 1000, 1,
        1, 599, 400, 0x1, 798},
    {"nothing_fits_into_no_buffer", USER, AFTER_100, 1000, 1, 1, 0, 0, 0x1,
        900},
    {"nothing_fits_behind_the_maximum", USER, AFTER_100, 1000, 1, 1,
        0xFFFFFFFFFFFFFFF8, 0, 0x1, 900},
    {"edge_makes_an_ordinary_overflow", 0x4500C0, AFTER_100, 400, 1, 2, 8000, 0,
        0x1, 100},
    {"cmask_makes_an_ordinary_overflow", 0x14100C0, AFTER_100, 200, 1, 1, 8000,
        0, 0x1, 100},
    {"inv_makes_an_ordinary_overflow", 0xC100C0, AFTER_100, 200, 1, 1, 8000, 0,
        0x1, 100},
    {"anythread_makes_an_ordinary_overflow", 0x6100C0, AFTER_100, 200, 1, 1,
        8000, 0, 0x1, 100},
};

static void flow(const struct flow_row *row, bool traced)
{
    struct buffered_cpu cpu;

    start(&cpu, MODEL_SKYLAKE, row->select, row->preset);
    cpu.one.machine.trace.off = !traced;
    buffered_cpu_limits(&cpu, row->maximum, 1000000);
    buffered_cpu_run(&cpu, row->cycles, row->p, row->q);

    assert_int_equal(area_index(&cpu), row->want_index);
    assert_int_equal(cpu.one.cpu->pmu.global_status, row->want_status);
    assert_int_equal(pmu_value(&cpu.one.cpu->pmu, 0), row->want_pmc0);
    assert_int_equal(cpu.one.taken_count, 0);
    buffered_cpu_release(&cpu);
}

/* Without a trace nobody stops at an overflow that only arms. */
static void flow_row(void **state)
{
    flow(*state, true);
    flow(*state, false);
}

/* The first record is written at 101, the second at 152; latency is 30,
 * skid 10. An INT of a PEBS counter asks for a PMI as ever [C]. A PMI comes
 * only with a bit 62 that was clear [C]. PMU-PEBS-03f, PMU-PEBS-03g,
 * PMU-OVF-05f, PMU-OVF-07d */
static struct threshold_row {
    const char *name;
    enum model model;
    uint64_t select, debugctl, threshold, cycles;
    uint64_t want_status, want_pmc0, want_global_ctrl;
    unsigned want_taken;
    uint64_t want_time, want_taken_status;
} threshold_rows[] = {
    {"index_below_the_threshold_tells_nothing", MODEL_SKYLAKE, USER, 0, 400,
        151, 0x1, 0, 0xF, 0, 0, 0},
    /* PMU-MSR-19e */
    {"index_at_the_threshold_sets_bit_62", MODEL_SKYLAKE, USER, 0, 400, 152,
        BIT_62, AFTER_50, 0xF, 0, 0, 0},
    {"index_above_the_threshold_sets_bit_62", MODEL_SKYLAKE, USER, 0, 399, 152,
        BIT_62, AFTER_50, 0xF, 0, 0, 0},
    {"threshold_raises_a_pmi_though_int_is_clear", MODEL_SKYLAKE, USER, 0, 400,
        192, BIT_62, 0xFFFFFFFFFFF6, 0xF, 1, 192, BIT_62},
    {"no_other_pmi_comes_while_bit_62_is_set", MODEL_SKYLAKE, USER, 0, 200,
        1000, BIT_62, 0xFFFFFFFFFFEE, 0xF, 1, 141, BIT_62},
    {"bit_62_and_a_counter_s_are_set_together", MODEL_SKYLAKE, USER, 0, 200,
        151, BIT_62 | 0x1, 0, 0xF, 1, 141, BIT_62},
    {"pmi_of_the_threshold_freezes_in_version_3", MODEL_NEHALEM, USER, 0x1000,
        176, 1000, BIT_62, 0xFFFFFFFFFFEC, 0x0, 1, 141, BIT_62},
    {"pmi_of_the_threshold_freezes_in_version_4", MODEL_SKYLAKE, USER, 0x1000,
        200, 1000, 0x4800000000000000, 0xFFFFFFFFFFEC, 0xF, 1, 141,
        0x4800000000000000},
    {"int_asks_for_a_pmi_on_overflow_as_ever", MODEL_SKYLAKE, USER_INT, 0,
        1000000, 140, 0x0, 0xFFFFFFFFFFF5, 0xF, 1, 140, 0x0},
};

static void threshold_row(void **state)
{
    const struct threshold_row *row = *state;
    struct buffered_cpu cpu;
    struct pmu *pmu;

    start(&cpu, row->model, row->select, AFTER_100);
    pmu = &cpu.one.cpu->pmu;
    pmu->debugctl = row->debugctl;
    buffered_cpu_limits(&cpu, BUFFER_BYTES, row->threshold);
    buffered_cpu_run(&cpu, row->cycles, 1, 1);

    assert_int_equal(pmu->global_status, row->want_status);
    assert_int_equal(pmu_value(pmu, 0), row->want_pmc0);
    assert_int_equal(pmu->global_ctrl, row->want_global_ctrl);
    assert_int_equal(cpu.one.taken_count, row->want_taken);
    assert_int_equal(traced(&cpu, SIM_EVENT_PMI_DROPPED), 0);
    if (row->want_taken > 0) {
        assert_int_equal(cpu.one.taken[0].time, row->want_time);
        assert_int_equal(cpu.one.taken[0].status, row->want_taken_status);
    }
    buffered_cpu_release(&cpu);
}

/* A driver's handler: takes what is there and makes room. */
static void drain(void *context, struct cpu *cpu, uint8_t vector)
{
    struct buffered_cpu *own = context;

    single_cpu_interrupt(&own->one, cpu, vector);
    area_store(own, DS_INDEX, (uint64_t)(uintptr_t)own->buffer);
    pmu_set_status(&cpu->pmu, cpu->pmu.global_status & ~BIT_62);
    cpu->lapic.lvtpc = 0xFE;
}

/* Records come every 51 cycles from 101 to 968, their PMIs 40 later. */
static void handler_that_drains_the_buffer_gets_every_pmi(void **state)
{
    struct buffered_cpu cpu;

    (void)state;
    start(&cpu, MODEL_SKYLAKE, USER, AFTER_100);
    machine_on_interrupt(&cpu.one.machine, drain, &cpu);
    buffered_cpu_limits(&cpu, 200, 200);
    buffered_cpu_run(&cpu, 1000, 1, 1);

    assert_int_equal(cpu.one.taken_count, 17);
    assert_int_equal(traced(&cpu, SIM_EVENT_PEBS_RECORD), 18);
    assert_int_equal(traced(&cpu, SIM_EVENT_PEBS_THRESHOLD), 18);
    buffered_cpu_release(&cpu);
}

/* Counters 0 and 1 count the same, and overflow after so many events.
 * PMU-PEBS-07a, PMU-PEBS-07b, PMU-PEBS-03e */
static struct pair_row {
    const char *name;
    unsigned format;
    uint64_t enable, pmc0, pmc1, cycles;
    uint64_t want_index, want_status, want_pmc1;
    size_t at[2];              /* of counters or status in the first records */
    uint64_t want_counters[2]; /* 0: no such record */
} pair_rows[] = {
    {"format_0_has_one_record_for_two_counters", 0, 0x3, AFTER_100, AFTER_100,
        101, 144, 0x0, AFTER_50, {0}, {0}},
    {"format_1_has_one_record_with_two_bits", 1, 0x3, AFTER_100, AFTER_100, 101,
        176, 0x0, AFTER_50, {0x90}, {0x3}},
    {"format_2_has_one_record_with_two_bits", 2, 0x3, AFTER_100, AFTER_100, 101,
        192, 0x0, AFTER_50, {0x90}, {0x3}},
    {"format_3_has_a_record_each", 3, 0x3, AFTER_100, AFTER_100, 101, 400, 0x0,
        AFTER_50, {0x90, 0x158}, {0x1, 0x2}},
    {"format_4_has_a_record_each", 4, 0x3, AFTER_100, AFTER_100, 101, 64, 0x0,
        AFTER_50, {0x10, 0x30}, {0x1, 0x2}},
    {"format_1_takes_a_counter_along_that_is_armed", 1, 0x3, AFTER_100,
        AFTER_101, 101, 176, 0x0, AFTER_50, {0x90}, {0x3}},
    {"which_gets_no_record_of_its_own", 1, 0x3, AFTER_100, AFTER_101, 102, 176,
        0x0, 0xFFFFFFFFFFCF, {0x90}, {0x3}},
    {"format_3_leaves_a_counter_armed_and_reloads_it", 3, 0x3, AFTER_100,
        AFTER_101, 101, 200, 0x2, AFTER_50, {0x90}, {0x1}},
    {"which_gets_its_record_with_its_event", 3, 0x3, AFTER_100, AFTER_101, 102,
        400, 0x0, AFTER_50, {0x90, 0x158}, {0x1, 0x2}},
    {"status_of_format_1_has_ordinary_overflows_too", 1, 0x1, AFTER_100,
        AFTER_50, 101, 176, 0x2, 51, {0x90}, {0x3}},
    {"counters_of_format_3_do_not", 3, 0x1, AFTER_100, AFTER_50, 101, 200, 0x2,
        51, {0x90}, {0x1}},
};

static void pair_row(void **state)
{
    const struct pair_row *row = *state;
    struct pmu_model model = pmu_models[MODEL_NEHALEM];
    struct buffered_cpu cpu;
    struct pmu *pmu;

    model.pebs_format = row->format;
    buffered_cpu_init(&cpu, &model);
    pmu = &cpu.one.cpu->pmu;
    pmu_set_pebs_enable(pmu, row->enable);
    pmu_set_select(pmu, 0, USER);
    pmu_set_select(pmu, 1, USER);
    pmu_set_value(pmu, 0, row->pmc0);
    pmu_set_value(pmu, 1, row->pmc1);
    buffered_cpu_run(&cpu, row->cycles, 1, 1);

    assert_int_equal(area_index(&cpu), row->want_index);
    assert_int_equal(pmu->global_status, row->want_status);
    assert_int_equal(pmu_value(pmu, 1), row->want_pmc1);
    for (int i = 0; i < 2 && row->want_counters[i] != 0; i++) {
        assert_int_equal(buffer_word(&cpu, row->at[i]), row->want_counters[i]);
    }
    buffered_cpu_release(&cpu);
}

/* Each WRMSR is one instruction of the kernel and 100 cycles. */
static void register_accesses_bring_an_armed_counter_its_event(void **state)
{
    struct buffered_cpu cpu;

    (void)state;
    start(&cpu, MODEL_SKYLAKE, KERNEL, AFTER_2);
    single_cpu_write(&cpu.one, IA32_DEBUGCTL, 0);
    single_cpu_write(&cpu.one, IA32_DEBUGCTL, 0);
    assert_int_equal(area_index(&cpu), 0);
    assert_int_equal(cpu.one.cpu->pmu.global_status, 0x1);
    single_cpu_write(&cpu.one, IA32_DEBUGCTL, 0);

    assert_int_equal(area_index(&cpu), 200);
    assert_int_equal(cpu.one.cpu->pmu.global_status, 0x0);
    assert_int_equal(buffer_word(&cpu, 0xB0), 0);   /* no IP is known */
    assert_int_equal(buffer_word(&cpu, 0xC0), 300); /* TSC */
    buffered_cpu_release(&cpu);
}

/* 19 records every 51 instructions, from 3 on. */
static void kernel_code_is_sampled_alike_in_any_pieces(void **state)
{
    static const uint64_t pieces[] = {1000, 500, 10, 1};

    (void)state;
    for (size_t i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++) {
        struct buffered_cpu cpu;

        start(&cpu, MODEL_SKYLAKE, KERNEL, AFTER_2);
        for (uint64_t n = 0; n < 1000; n += pieces[i]) {
            cpu_spend(cpu.one.cpu, pieces[i], pieces[i]);
        }
        assert_int_equal(area_index(&cpu), 4000);
        assert_int_equal(pmu_value(&cpu.one.cpu->pmu, 0), 0xFFFFFFFFFFEA);
        assert_int_equal(buffer_word(&cpu, 0xC0), 3);
        assert_int_equal(buffer_word(&cpu, 3800 + 0xC0), 972);
        buffered_cpu_release(&cpu);
    }
}

static void events_at_once_are_sampled(void **state)
{
    struct buffered_cpu cpu;

    (void)state;
    start(&cpu, MODEL_SKYLAKE, USER, AFTER_2);
    cpu_add_events(cpu.one.cpu, EVENT_INSTRUCTIONS, 2, RING_USER);
    assert_int_equal(area_index(&cpu), 0);
    cpu_add_events(cpu.one.cpu, EVENT_INSTRUCTIONS, 1, RING_KERNEL);
    assert_int_equal(area_index(&cpu), 0);
    cpu_add_events(cpu.one.cpu, EVENT_INSTRUCTIONS, 1, RING_USER);
    assert_int_equal(area_index(&cpu), 200);
    cpu_add_events(cpu.one.cpu, EVENT_INSTRUCTIONS, 51, RING_USER);
    assert_int_equal(area_index(&cpu), 400);
    assert_int_equal(buffer_word(&cpu, 0xB0), 0); /* no IP is known */
    buffered_cpu_release(&cpu);
}

static void tsc_of_a_record_goes_on_through_a_halt(void **state)
{
    struct buffered_cpu cpu;
    struct segment halt;

    (void)state;
    start(&cpu, MODEL_SKYLAKE, USER, AFTER_100);
    segment_init(&halt, cpu.one.cpu->pmu.model, 0, 500, RING_USER);
    halt.halted = true;
    cpu_run_segment(cpu.one.cpu, &halt);
    buffered_cpu_run(&cpu, 101, 1, 1);

    assert_int_equal(buffer_word(&cpu, 0xC0), 601);
    buffered_cpu_release(&cpu);
}

static void tsc_of_a_record_has_its_rate(void **state)
{
    struct buffered_cpu cpu;

    (void)state;
    start(&cpu, MODEL_SKYLAKE, USER, AFTER_100);
    cpu.one.machine.config.pmu.tsc = (struct rate){.p = 1, .q = 2};
    buffered_cpu_run(&cpu, 101, 1, 1);

    assert_int_equal(buffer_word(&cpu, 0xC0), 50);
    buffered_cpu_release(&cpu);
}

/* What happens to a counter between its overflow and its next event. [C] */
static struct armed_row {
    const char *name;
    uint32_t address;
    uint64_t value[2]; /* one WRMSR each */
    uint64_t want_index;
} armed_rows[] = {
    {"enables_switched_off_and_on_leave_it_armed", IA32_PERF_GLOBAL_CTRL,
        {0x0, 0xF}, 200},
    {"stopped_counter_gets_no_event", IA32_PERF_GLOBAL_CTRL, {0x0, 0x0}, 0},
    {"status_cleared_leaves_it_armed", IA32_PERF_GLOBAL_OVF_CTRL, {0x1, 0x0},
        200},
    {"counter_written_stays_armed", IA32_PMC0, {0x0, 0x1}, 200},
    {"pebs_switched_off_disarms_it", IA32_PEBS_ENABLE, {0x0, 0x1}, 0},
    {"select_that_does_not_suit_pebs_disarms_it", IA32_PERFEVTSEL0,
        {0x4500C0, USER}, 0},
    {"select_that_suits_it_leaves_it_armed", IA32_PERFEVTSEL0, {USER_INT, USER},
        200},
};

static void armed_row(void **state)
{
    const struct armed_row *row = *state;
    struct buffered_cpu cpu;

    start(&cpu, MODEL_SKYLAKE, USER, AFTER_100);
    buffered_cpu_run(&cpu, 100, 1, 1);
    single_cpu_write(&cpu.one, row->address, row->value[0]);
    single_cpu_write(&cpu.one, row->address, row->value[1]);
    buffered_cpu_run(&cpu, 10, 1, 1);

    assert_int_equal(area_index(&cpu), row->want_index);
    buffered_cpu_release(&cpu);
}

TEST_FILE(test_pebs)
{
    TEST_ADD_ROWS(list, flow_row, flow_rows);
    TEST_ADD_ROWS(list, threshold_row, threshold_rows);
    TEST_ADD_ROWS(list, pair_row, pair_rows);
    TEST_ADD_ROWS(list, armed_row, armed_rows);
    test_add(list, "handler_that_drains_the_buffer_gets_every_pmi",
        handler_that_drains_the_buffer_gets_every_pmi, NULL);
    test_add(list, "register_accesses_bring_an_armed_counter_its_event",
        register_accesses_bring_an_armed_counter_its_event, NULL);
    test_add(list, "kernel_code_is_sampled_alike_in_any_pieces",
        kernel_code_is_sampled_alike_in_any_pieces, NULL);
    test_add(
        list, "events_at_once_are_sampled", events_at_once_are_sampled, NULL);
    test_add(list, "tsc_of_a_record_goes_on_through_a_halt",
        tsc_of_a_record_goes_on_through_a_halt, NULL);
    test_add(list, "tsc_of_a_record_has_its_rate", tsc_of_a_record_has_its_rate,
        NULL);
}
