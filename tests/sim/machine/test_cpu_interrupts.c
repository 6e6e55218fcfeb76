/* test_cpu_interrupts.c - CLI and STI: what a processor that refuses interrupts
 * takes all the same, what an interrupt finds and leaves behind, and the clocks
 * that run on through it. */
#include "tests/sim/machine/single_cpu.h"

enum { VECTOR = 0xFE, NMI = 0x400 };

/* A request that LVTPC accepts. */
static void request(struct single_cpu *one, uint32_t lvtpc)
{
    one->cpu->lapic.lvtpc = lvtpc;
    lapic_pend_pmi(&one->cpu->lapic, lapic_request_pmi(&one->cpu->lapic));
}

/* At a preemption point with a request that is pending. */
static struct off_row {
    const char *name;
    uint32_t lvtpc;
    bool off;
    unsigned want_taken;
} off_rows[] = {
    {"vector_waits_after_cli", VECTOR, true, 0},
    {"vector_is_taken_without_cli", VECTOR, false, 1},
    {"nmi_is_taken_after_cli", NMI, true, 1},
    {"nmi_is_taken_without_cli", NMI, false, 1},
};

static void off_row(void **state)
{
    const struct off_row *row = *state;
    struct single_cpu one;

    single_cpu_init(&one);
    if (row->off) {
        cpu_disable_interrupts(one.cpu);
    }
    request(&one, row->lvtpc);
    cpu_checkpoint(one.cpu);
    assert_int_equal(one.taken_count, row->want_taken);
    assert_int_equal(one.cpu->interrupts_off, row->off);
    single_cpu_release(&one);
}

/* When there is something to take on an idle processor at 700. */
static struct time_row {
    const char *name;
    uint32_t lvtpc;
    bool off;
    uint64_t want;
} time_rows[] = {
    {"vector_is_taken_now", VECTOR, false, 700},
    {"vector_after_cli_has_no_time", VECTOR, true, 0xFFFFFFFFFFFFFFFF},
    {"nmi_after_cli_is_taken_now", NMI, true, 700},
};

static void time_row(void **state)
{
    const struct time_row *row = *state;
    struct single_cpu one;

    single_cpu_init(&one);
    cpu_halt_until(one.cpu, 700);
    one.cpu->interrupts_off = row->off;
    request(&one, row->lvtpc);
    assert_int_equal(cpu_interrupt_time(one.cpu), row->want);
    single_cpu_release(&one);
}

static void sti_lets_the_next_preemption_point_deliver(void **state)
{
    struct single_cpu one;

    (void)state;
    single_cpu_init(&one);
    cpu_disable_interrupts(one.cpu);
    request(&one, VECTOR);
    cpu_checkpoint(one.cpu);
    cpu_enable_interrupts(one.cpu);
    assert_int_equal(one.taken_count, 0);
    cpu_checkpoint(one.cpu);
    assert_int_equal(one.taken_count, 1);
    single_cpu_release(&one);
}

static void nmi_leaves_the_vector_pending_after_cli(void **state)
{
    struct single_cpu one;

    (void)state;
    single_cpu_init(&one);
    cpu_disable_interrupts(one.cpu);
    request(&one, VECTOR);
    request(&one, NMI);
    cpu_checkpoint(one.cpu);
    assert_int_equal(one.taken_count, 1);
    assert_int_equal(one.taken[0].vector, 2);
    cpu_enable_interrupts(one.cpu);
    cpu_checkpoint(one.cpu);
    assert_int_equal(one.taken_count, 2);
    assert_int_equal(one.taken[1].vector, 0xFE);
    single_cpu_release(&one);
}

/* A handler that ends its interrupt at once, lowers the task priority and asks
 * for the same one again. */
struct nest {
    struct single_cpu one;
    bool enable; /* it executes STI, too */
    bool found_off;
    unsigned entered, depth, deepest;
};

static void ask_again(void *context, struct cpu *cpu, uint8_t vector)
{
    struct nest *nest = context;

    (void)vector;
    nest->found_off = cpu->interrupts_off;
    nest->entered++;
    nest->depth++;
    if (nest->depth > nest->deepest) {
        nest->deepest = nest->depth;
    }
    if (nest->enable) {
        cpu_enable_interrupts(cpu);
    }
    lapic_eoi(&cpu->lapic);
    if (nest->entered == 1) {
        cpu->lapic.lvtpc = VECTOR;
        lapic_pend_pmi(&cpu->lapic, lapic_request_pmi(&cpu->lapic));
    }
    cpu_set_task_priority(cpu, 0);
    nest->depth--;
}

static struct nest_row {
    const char *name;
    bool enable;
    unsigned want_deepest;
} nest_rows[] = {
    {"same_interrupt_waits_for_iret", false, 1},
    {"same_interrupt_nests_after_sti", true, 2},
};

static void nest_row(void **state)
{
    const struct nest_row *row = *state;
    struct nest nest = {.enable = row->enable};

    single_cpu_init(&nest.one);
    machine_on_interrupt(&nest.one.machine, ask_again, &nest);
    request(&nest.one, VECTOR);
    cpu_checkpoint(nest.one.cpu);
    assert_int_equal(nest.entered, 2);
    assert_int_equal(nest.deepest, row->want_deepest);
    assert_true(nest.found_off);
    assert_false(nest.one.cpu->interrupts_off);
    single_cpu_release(&nest.one);
}

static void note_return(void *context, struct cpu *cpu)
{
    unsigned *returns = context;

    assert_int_equal(cpu->interrupts, 0);
    assert_false(cpu->interrupts_off);
    ++*returns;
}

/* What is pending, at a preemption point of code or on an idle processor. */
static struct return_row {
    const char *name;
    bool idle;
    uint32_t first, second; /* LVTPC's; 0: none */
    unsigned want_taken, want_returns;
} return_rows[] = {
    {"code_that_takes_nothing_returns_from_nothing", false, 0, 0, 0, 0},
    {"code_returns_from_a_vector", false, VECTOR, 0, 1, 1},
    {"code_returns_from_an_nmi", false, NMI, 0, 1, 1},
    {"code_returns_from_two_at_once", false, VECTOR, NMI, 2, 1},
    {"idle_processor_returns_from_a_vector", true, VECTOR, 0, 1, 1},
    {"idle_processor_returns_from_an_nmi", true, NMI, 0, 1, 1},
    {"idle_processor_returns_from_two_at_once", true, VECTOR, NMI, 2, 1},
};

static void return_row(void **state)
{
    const struct return_row *row = *state;
    unsigned returns = 0;
    struct single_cpu one;

    single_cpu_init(&one);
    machine_on_return(&one.machine, note_return, &returns);
    if (row->first != 0) {
        request(&one, row->first);
    }
    if (row->second != 0) {
        request(&one, row->second);
    }
    if (row->idle) {
        assert_int_equal(machine_run(&one.machine), MACHINE_IDLE);
    } else {
        cpu_checkpoint(one.cpu);
    }
    assert_int_equal(one.taken_count, row->want_taken);
    assert_int_equal(returns, row->want_returns);
    single_cpu_release(&one);
}

/* A handler of 30 cycles. */
static void take_time(void *context, struct cpu *cpu, uint8_t vector)
{
    cpu_spend(cpu, 30, 3);
    single_cpu_interrupt(context, cpu, vector);
}

/* 3CH/01H ticks every 25th core cycle (models.def): of a segment that is
 * interrupted after 50 cycles for 30. */
static struct clock_row {
    const char *name;
    unsigned clock; /* the counter that has it; the other of two overflows */
    uint64_t cycles, want_ticks;
} clock_rows[] = {
    {"clock_ticks_in_the_handler", 1, 50, 3},
    {"clock_is_not_due_19_cycles_after_the_handler", 1, 69, 3},
    {"clock_is_due_20_cycles_after_the_handler", 1, 70, 4},
    {"clock_is_due_again_25_cycles_later", 1, 95, 5},
    {"clock_of_the_first_counter_is_not_due_a_cycle_early", 0, 69, 3},
    {"clock_of_the_first_counter_is_due_as_well", 0, 70, 4},
};

static void clock_row(void **state)
{
    const struct clock_row *row = *state;
    unsigned other = 1 - row->clock;
    struct single_cpu one;
    struct pmu *pmu;

    single_cpu_init(&one);
    pmu = &one.cpu->pmu;
    machine_on_interrupt(&one.machine, take_time, &one);
    one.cpu->lapic.lvtpc = VECTOR;
    pmu_set_value(pmu, other, 0xFFFFFFFFFFF6); /* 10 cycles, and 40 until it is
                                                  taken */
    pmu_set_select(pmu, other, 0x53003C);
    pmu_set_select(pmu, row->clock, 0x43013C);
    single_cpu_run(&one, RING_USER, row->cycles, 1, 1);

    assert_int_equal(one.taken[0].time, 80);
    assert_int_equal(pmu_value(pmu, row->clock), row->want_ticks);
    single_cpu_release(&one);
}

TEST_FILE(test_cpu_interrupts)
{
    TEST_ADD_ROWS(list, off_row, off_rows);
    TEST_ADD_ROWS(list, time_row, time_rows);
    TEST_ADD_ROWS(list, nest_row, nest_rows);
    TEST_ADD_ROWS(list, return_row, return_rows);
    TEST_ADD_ROWS(list, clock_row, clock_rows);
    test_add(list, "sti_lets_the_next_preemption_point_deliver",
        sti_lets_the_next_preemption_point_deliver, NULL);
    test_add(list, "nmi_leaves_the_vector_pending_after_cli",
        nmi_leaves_the_vector_pending_after_cli, NULL);
}
