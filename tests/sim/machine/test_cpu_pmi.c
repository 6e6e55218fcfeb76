/* test_cpu_pmi.c - which overflows become interrupts, and when: several
 * counters, a masked LVTPC, a late handler, a processor that idles. */
#include "sim/machine/strand.h"
#include "tests/sim/machine/single_cpu.h"

enum {
    CYCLES_INT = 0x53003C,      /* EN, INT, OS, USR, core cycles */
    USER_CYCLES_INT = 0x51003C, /* EN, INT, USR, core cycles */
};

/* Values of a counter that overflows after so many events. */
#define AFTER_990 0xFFFFFFFFFC22
#define AFTER_1000 0xFFFFFFFFFC18
#define AFTER_1100 0xFFFFFFFFFBB4
#define AFTER_2000 0xFFFFFFFFF830

/* Two GP counters of core cycles that start at T = 0 with these values. */
static void start(struct single_cpu *one, uint64_t pmc0, uint64_t pmc1)
{
    struct cpu *cpu = one->cpu;

    cpu->lapic.lvtpc = 0xFE;
    pmu_set_value(&cpu->pmu, 0, pmc0);
    pmu_set_value(&cpu->pmu, 1, pmc1);
    pmu_set_select(&cpu->pmu, 0, CYCLES_INT);
    pmu_set_select(&cpu->pmu, 1, CYCLES_INT);
}

static void run(struct single_cpu *one, uint64_t cycles)
{
    single_cpu_run(one, RING_USER, cycles, 1, 1);
}

/* Counts like single_cpu_interrupt(), and opens LVTPC again. */
static void unmask(void *context, struct cpu *cpu, uint8_t vector)
{
    cpu->lapic.lvtpc = 0xFE;
    single_cpu_interrupt(context, cpu, vector);
}

/* When counter 1 overflows, and what is seen in the first PMI and in all.
 * PMU-OVF-04a, PMU-OVF-07c, PMU-BEH-07 */
static struct pair_row {
    const char *name;
    uint64_t pmc0, pmc1;
    void (*handler)(void *context, struct cpu *cpu, uint8_t vector);
    unsigned want_taken;
    uint64_t want_status, want_last_time;
} pair_rows[] = {
    {"overflows_of_one_cycle_are_one_pmi_and_two_status_bits", AFTER_1000,
        AFTER_1000, unmask, 1, 0x3, 1040},
    {"overflows_within_the_skid_are_one_pmi", AFTER_990, AFTER_1000, unmask, 1,
        0x3, 1030},
    {"overflows_a_skid_apart_are_two_pmis", AFTER_1000, AFTER_1100, unmask, 2,
        0x1, 1140},
    {"second_pmi_is_blocked_until_lvtpc_is_unmasked", AFTER_1000, AFTER_2000,
        single_cpu_interrupt, 1, 0x1, 1040},
    {"handler_that_unmasks_lvtpc_gets_the_second_pmi", AFTER_1000, AFTER_2000,
        unmask, 2, 0x1, 2040},
};

static void pair_row(void **state)
{
    const struct pair_row *row = *state;
    struct single_cpu one;

    single_cpu_init(&one);
    machine_on_interrupt(&one.machine, row->handler, &one);
    start(&one, row->pmc0, row->pmc1);
    run(&one, 10000);

    assert_int_equal(one.taken_count, row->want_taken);
    assert_int_equal(one.taken[0].status, row->want_status);
    assert_int_equal(one.taken[row->want_taken - 1].time, row->want_last_time);
    assert_int_equal(single_cpu_peek(&one, IA32_PERF_GLOBAL_STATUS), 0x3);
    single_cpu_release(&one);
}

/* PMU-OVF-03a, PMU-OVF-07a */
static void gp_and_fixed_overflow_of_one_cycle_are_one_pmi(void **state)
{
    struct single_cpu one;

    (void)state;
    single_cpu_init(&one);
    single_cpu_write(&one, IA32_PERF_GLOBAL_CTRL, 0);
    single_cpu_write(&one, IA32_X2APIC_LVT_PMI, 0xFE);
    single_cpu_write(&one, IA32_PMC0, 0xFFFFFC18);
    single_cpu_write(&one, IA32_FIXED_CTR1, AFTER_1000);
    single_cpu_write(&one, IA32_PERFEVTSEL0, CYCLES_INT);
    single_cpu_write(&one, IA32_FIXED_CTR_CTRL, 0xB0);
    single_cpu_write(&one, IA32_PERF_GLOBAL_CTRL, 0x200000001);
    run(&one, 10000);

    assert_int_equal(one.taken_count, 1);
    assert_int_equal(one.taken[0].time, 1740);
    assert_int_equal(one.taken[0].status, 0x200000001);
    assert_int_equal(single_cpu_peek(&one, IA32_FIXED_CTR1), 9000);
    single_cpu_release(&one);
}

/* PMU-OVF-04b */
static void request_dropped_by_lvtpc_is_not_made_up_for(void **state)
{
    struct single_cpu one;

    (void)state;
    single_cpu_init(&one);
    start(&one, AFTER_1000, AFTER_2000);
    run(&one, 10000); /* the second is dropped */
    single_cpu_write(&one, IA32_X2APIC_LVT_PMI, 0xFE);
    run(&one, 10000);
    assert_int_equal(one.taken_count, 1);
    pmu_set_value(&one.cpu->pmu, 0, AFTER_1000);
    run(&one, 10000);
    assert_int_equal(one.taken_count, 2);
    single_cpu_release(&one);
}

/* 32 bits at 64 instructions a cycle overflow every 2^26 cycles. PMU-BEH-08 */
static void counter_that_overflows_twice_before_the_handler_is_one_pmi(
    void **state)
{
    struct pmu_model model = pmu_models[MODEL_INTEL_V2];
    struct single_cpu one;

    (void)state;
    model.width = 32;
    single_cpu_init_model(&one, &model);
    cpu_set_task_priority(one.cpu, 15);
    single_cpu_write(&one, IA32_X2APIC_LVT_PMI, 0xFE);
    single_cpu_write(&one, IA32_PMC0, 0xFFFFFFC0);
    single_cpu_write(&one, IA32_PERFEVTSEL0, 0x5100C0);
    single_cpu_run(&one, RING_USER, 0x4000010, 64, 1);
    assert_int_equal(one.taken_count, 0);
    cpu_set_task_priority(one.cpu, 0);

    assert_int_equal(one.taken_count, 1);
    assert_int_equal(one.taken[0].pmc0, 960); /* 15 cycles after the second */
    assert_int_equal(one.taken[0].status, 0x1);
    single_cpu_release(&one);
}

/* PMU-OVF-03b, PMU-BEH-18 */
static void pmi_stays_latched_after_status_is_cleared(void **state)
{
    struct single_cpu one;

    (void)state;
    single_cpu_init(&one);
    start(&one, AFTER_1000, 0);
    cpu_set_task_priority(one.cpu, 15);
    run(&one, 10000);
    single_cpu_write(&one, IA32_PERF_GLOBAL_OVF_CTRL, 0x1);
    assert_int_equal(single_cpu_peek(&one, IA32_PERF_GLOBAL_STATUS), 0x0);
    assert_int_equal(one.taken_count, 0);
    cpu_set_task_priority(one.cpu, 0);

    assert_int_equal(one.taken_count, 1);
    assert_int_equal(one.taken[0].time, 10100);
    assert_int_equal(one.taken[0].status, 0x0);
    single_cpu_release(&one);
}

static void status_cleared_during_the_skid_does_not_recall_the_pmi(void **state)
{
    struct single_cpu one;

    (void)state;
    single_cpu_init(&one);
    start(&one, AFTER_1000, 0);
    run(&one, 1000);
    pmu_set_status(&one.cpu->pmu, 0);
    run(&one, 1000);
    assert_int_equal(one.taken_count, 1);
    assert_int_equal(one.taken[0].time, 1040);
    single_cpu_release(&one);
}

static void kernel_code_is_interrupted_at_its_next_preemption_point(
    void **state)
{
    struct single_cpu one;

    (void)state;
    single_cpu_init(&one);
    start(&one, AFTER_1000, 0);
    cpu_spend(one.cpu, 5000, 100);
    assert_int_equal(one.taken_count, 0);
    cpu_checkpoint(one.cpu);
    assert_int_equal(one.taken_count, 1);
    assert_int_equal(one.taken[0].time, 5000);
    assert_int_equal(one.taken[0].pmc0, 4000);
    single_cpu_release(&one);
}

static void without_a_handler_the_interrupt_stays_pending(void **state)
{
    struct single_cpu one;

    (void)state;
    single_cpu_init(&one);
    machine_on_interrupt(&one.machine, NULL, NULL);
    start(&one, AFTER_1000, 0);
    run(&one, 2000);
    machine_on_interrupt(&one.machine, single_cpu_interrupt, &one);
    cpu_checkpoint(one.cpu);
    assert_int_equal(one.taken_count, 1);
    assert_int_equal(one.taken[0].time, 2000);
    single_cpu_release(&one);
}

static void idle_processor_takes_what_was_left_pending(void **state)
{
    struct single_cpu one;

    (void)state;
    single_cpu_init(&one);
    machine_on_interrupt(&one.machine, NULL, NULL);
    start(&one, AFTER_1000, 0);
    run(&one, 2000);
    machine_on_interrupt(&one.machine, single_cpu_interrupt, &one);
    assert_int_equal(cpu_interrupt_time(one.cpu), 2000);
    assert_int_equal(machine_run(&one.machine), MACHINE_IDLE);
    assert_int_equal(one.taken_count, 1);
    assert_int_equal(one.taken[0].time, 2000);
    single_cpu_release(&one);
}

static void open_nmi(void *context, struct cpu *cpu, uint8_t vector)
{
    cpu->lapic.lvtpc = 0x400;
    single_cpu_interrupt(context, cpu, vector);
}

static void nmi_may_follow_when_the_first_has_returned(void **state)
{
    struct single_cpu one;

    (void)state;
    single_cpu_init(&one);
    machine_on_interrupt(&one.machine, open_nmi, &one);
    start(&one, AFTER_1000, AFTER_2000);
    one.cpu->lapic.lvtpc = 0x400;
    run(&one, 10000);
    assert_int_equal(one.taken_count, 2);
    assert_int_equal(one.taken[0].vector, 2);
    assert_int_equal(one.taken[1].vector, 2);
    assert_int_equal(one.taken[1].time, 2040);
    single_cpu_release(&one);
}

static void settled_processor_idles_until_its_pmi(void **state)
{
    struct single_cpu one;

    (void)state;
    single_cpu_init(&one);
    start(&one, AFTER_1000, 0);
    run(&one, 1000);
    assert_int_equal(one.taken_count, 0);
    cpu_settle(one.cpu);
    assert_int_equal(one.taken_count, 1);
    assert_int_equal(one.taken[0].time, 1040);
    assert_int_equal(one.taken[0].pmc0, 0); /* an idle core does not count */
    assert_int_equal(cpu_unhalted(one.cpu), 1000);
    single_cpu_release(&one);
}

static void processor_without_a_request_is_settled(void **state)
{
    struct single_cpu one;

    (void)state;
    single_cpu_init(&one);
    run(&one, 1000);
    cpu_settle(one.cpu);
    assert_int_equal(one.cpu->time, 1000);
    single_cpu_release(&one);
}

static struct next_row {
    const char *name;
    uint64_t cycles;
    unsigned task_class;
    uint64_t want;
} next_rows[] = {
    {"no_request_has_no_time", 999, 0, 0xFFFFFFFFFFFFFFFF},
    {"request_on_its_way_has_its_raise", 1000, 0, 1030},
    {"raised_interrupt_has_its_arrival", 1030, 0, 1040},
    {"interrupt_that_was_taken_has_no_time", 1040, 0, 0xFFFFFFFFFFFFFFFF},
    {"interrupt_that_must_wait_has_no_time", 1040, 15, 0xFFFFFFFFFFFFFFFF},
};

static void next_row(void **state)
{
    const struct next_row *row = *state;
    struct single_cpu one;

    single_cpu_init(&one);
    start(&one, AFTER_1000, 0);
    cpu_set_task_priority(one.cpu, row->task_class);
    run(&one, row->cycles);
    assert_int_equal(cpu_interrupt_time(one.cpu), row->want);
    single_cpu_release(&one);
}

/* The whole of a strand: 1,000 cycles, the last of which overflows.
 * PMU-BEH-06 */
static void thousand_cycles(void *argument)
{
    run(argument, 1000);
}

static void overflow_that_no_access_follows_interrupts_the_idle_processor(
    void **state)
{
    struct single_cpu one;

    (void)state;
    single_cpu_init(&one);
    start(&one, AFTER_1000, 0);
    assert_non_null(strand_spawn(one.cpu, thousand_cycles, &one, NULL));
    assert_int_equal(machine_run(&one.machine), MACHINE_IDLE);
    assert_int_equal(one.taken_count, 1);
    assert_int_equal(one.taken[0].time, 1040);
    single_cpu_release(&one);
}

/* Reads a register twice, 200 cycles, and closes counting of its own time. */
static void read_twice(void *context, struct cpu *cpu, uint8_t vector)
{
    uint64_t value;

    single_cpu_interrupt(context, cpu, vector);
    msr_read(cpu, IA32_PERF_GLOBAL_STATUS, &value);
    msr_read(cpu, IA32_PERF_GLOBAL_STATUS, &value);
}

static void handler_s_time_delays_the_segment_and_is_not_part_of_it(
    void **state)
{
    struct single_cpu one;

    (void)state;
    single_cpu_init(&one);
    machine_on_interrupt(&one.machine, read_twice, &one);
    start(&one, AFTER_1000, 0);
    pmu_set_select(&one.cpu->pmu, 0, USER_CYCLES_INT);
    run(&one, 10000);
    assert_int_equal(one.taken_count, 1);
    assert_int_equal(one.cpu->time, 10200);
    assert_int_equal(single_cpu_peek(&one, IA32_PMC0), 9000);
    assert_int_equal(single_cpu_peek(&one, IA32_PMC1), 10200);
    single_cpu_release(&one);
}

TEST_FILE(test_cpu_pmi)
{
    TEST_ADD_ROWS(list, pair_row, pair_rows);
    TEST_ADD_ROWS(list, next_row, next_rows);
    test_add(list, "gp_and_fixed_overflow_of_one_cycle_are_one_pmi",
        gp_and_fixed_overflow_of_one_cycle_are_one_pmi, NULL);
    test_add(list, "request_dropped_by_lvtpc_is_not_made_up_for",
        request_dropped_by_lvtpc_is_not_made_up_for, NULL);
    test_add(list, "counter_that_overflows_twice_before_the_handler_is_one_pmi",
        counter_that_overflows_twice_before_the_handler_is_one_pmi, NULL);
    test_add(list, "pmi_stays_latched_after_status_is_cleared",
        pmi_stays_latched_after_status_is_cleared, NULL);
    test_add(list, "status_cleared_during_the_skid_does_not_recall_the_pmi",
        status_cleared_during_the_skid_does_not_recall_the_pmi, NULL);
    test_add(list, "kernel_code_is_interrupted_at_its_next_preemption_point",
        kernel_code_is_interrupted_at_its_next_preemption_point, NULL);
    test_add(list, "without_a_handler_the_interrupt_stays_pending",
        without_a_handler_the_interrupt_stays_pending, NULL);
    test_add(list, "idle_processor_takes_what_was_left_pending",
        idle_processor_takes_what_was_left_pending, NULL);
    test_add(list, "nmi_may_follow_when_the_first_has_returned",
        nmi_may_follow_when_the_first_has_returned, NULL);
    test_add(list, "settled_processor_idles_until_its_pmi",
        settled_processor_idles_until_its_pmi, NULL);
    test_add(list, "processor_without_a_request_is_settled",
        processor_without_a_request_is_settled, NULL);
    test_add(list,
        "overflow_that_no_access_follows_interrupts_the_idle_processor",
        overflow_that_no_access_follows_interrupts_the_idle_processor, NULL);
    test_add(list, "handler_s_time_delays_the_segment_and_is_not_part_of_it",
        handler_s_time_delays_the_segment_and_is_not_part_of_it, NULL);
}
