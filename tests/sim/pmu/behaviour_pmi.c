/* behaviour_pmi.c - behaviours of pmu.md 2 that show in interrupts: 2, 6, 7, 8,
 * 11, 18. A request comes 30 cycles after its overflow, the interrupt 10 later;
 * LVTPC, counter and select are written in the first 300 cycles. */
#include "sim/machine/strand.h"
#include "tests/sim/pmu/behaviour.h"

static void start(struct single_cpu *one, const struct part *part)
{
    part_init(one, part);
    part_start(one, part, 0, part->cycles | USR | INT, AFTER_1000_EVENTS);
}

/* Two overflows whose handler does nothing, and a third one after LVTPC has
 * been opened. Returns how many were taken before that. */
static unsigned overflow_thrice(
    struct single_cpu *one, const struct part *part, uint64_t want_lvtpc)
{
    unsigned taken;

    start(one, part);
    part_run(one, 2000);
    assert_int_equal(one->taken_count, 1);
    single_cpu_write(one, part->counter, AFTER_1000_EVENTS);
    part_run(one, 2000);
    taken = one->taken_count;
    assert_int_equal(single_cpu_peek(one, IA32_X2APIC_LVT_PMI), want_lvtpc);

    single_cpu_write(one, IA32_X2APIC_LVT_PMI, 0xFE);
    single_cpu_write(one, part->counter, AFTER_1000_EVENTS);
    part_run(one, 2000);
    return taken;
}

/* 2 */
void second_pmi_waits_for_lvtpc(void **state)
{
    const struct part *part = part_of(state);
    struct single_cpu one;

    assert_int_equal(overflow_thrice(&one, part, 0x100FE), 1);
    assert_int_equal(one.taken_count, 2);
    single_cpu_release(&one);
}

/* 2 */
void second_pmi_does_not_wait_for_lvtpc(void **state)
{
    const struct part *part = part_of(state);
    struct single_cpu one;

    assert_int_equal(overflow_thrice(&one, part, 0xFE), 2);
    assert_int_equal(one.taken_count, 3);
    single_cpu_release(&one);
}

static void thousand_cycles(void *argument)
{
    part_run(argument, 1000);
}

/* 6. The last cycle of all overflows. */
void overflow_that_nothing_touches_interrupts(void **state)
{
    const struct part *part = part_of(state);
    struct single_cpu one;

    start(&one, part);
    assert_non_null(strand_spawn(one.cpu, thousand_cycles, &one, NULL));
    assert_int_equal(machine_run(&one.machine), MACHINE_IDLE);
    assert_int_equal(one.taken_count, 1);
    assert_int_equal(one.taken[0].time, 1340);
    single_cpu_release(&one);
}

static void reopen(void *context, struct cpu *cpu, uint8_t vector)
{
    cpu->lapic.lvtpc = 0xFE;
    single_cpu_interrupt(context, cpu, vector);
}

/* 7. Two bits where there is a status. */
void two_overflows_of_one_cycle_are_one_pmi(void **state)
{
    const struct part *part = part_of(state);
    struct single_cpu one;

    start(&one, part);
    machine_on_interrupt(&one.machine, reopen, &one);
    part_start(&one, part, 1, part->cycles | USR | INT, AFTER_1000_EVENTS);
    part_run(&one, 10000);
    assert_int_equal(one.taken_count, 1);
    assert_int_equal(one.taken[0].time, 1540);
    assert_int_equal(one.taken[0].pmc0, 40);
    assert_int_equal(one.taken[0].status, part->status == 0 ? 0 : 0x3);
    assert_int_equal(part_value(&one, part, 0), 9000);
    assert_int_equal(part_value(&one, part, 1), 9000);
    single_cpu_release(&one);
}

/* 7. Counter 1 overflows 20 cycles later, within the latency. */
void two_overflows_within_the_latency_are_one_pmi(void **state)
{
    const struct part *part = part_of(state);
    struct single_cpu one;

    start(&one, part);
    machine_on_interrupt(&one.machine, reopen, &one);
    part_start(&one, part, 1, part->cycles | USR | INT, 0xFFFFFFFFFC04);
    part_run(&one, 10000);
    assert_int_equal(one.taken_count, 1);
    assert_int_equal(one.taken[0].time, 1540);
    assert_int_equal(one.taken[0].status, part->status == 0 ? 0 : 0x3);
    assert_int_equal(part_value(&one, part, 1), 8980);
    single_cpu_release(&one);
}

/* 8. CR8 keeps the handler out meanwhile. */
void two_overflows_before_the_handler(void **state)
{
    const struct part *part = part_of(state);
    struct single_cpu one;

    start(&one, part);
    cpu_set_task_priority(one.cpu, 15);
    part_run(&one, 1500);
    part_run(&one, part->round);
    assert_int_equal(one.taken_count, 0);
    cpu_set_task_priority(one.cpu, 0);

    part_run(&one, 100);
    assert_int_equal(one.taken_count, 1);
    assert_int_equal(one.taken[0].pmc0, 500);
    assert_int_equal(one.taken[0].status, part->status == 0 ? 0 : 0x1);
    single_cpu_release(&one);
}

static void freeze(struct single_cpu *one, const struct part *part)
{
    part_init(one, part);
    single_cpu_write(one, IA32_DEBUGCTL, 0x1000);
    part_start(one, part, 0, part->cycles | USR | INT, AFTER_1000_EVENTS);
    part_run(one, 2000);
    assert_int_equal(one->taken_count, 1);
    assert_int_equal(part_value(one, part, 0), 30); /* the latency */
}

/* 11. Versions 2 and 3. */
void freeze_clears_the_enables(void **state)
{
    const struct part *part = part_of(state);
    struct single_cpu one;

    freeze(&one, part);
    assert_int_equal(single_cpu_peek(&one, part->global_ctrl), 0);
    assert_int_equal(single_cpu_peek(&one, part->status), 0x1);
    single_cpu_write(&one, part->status_clear, 0x1);
    part_run(&one, 100);
    assert_int_equal(part_value(&one, part, 0), 30);

    single_cpu_write(&one, part->global_ctrl, 0x1);
    part_run(&one, 100);
    assert_int_equal(part_value(&one, part, 0), 130);
    single_cpu_release(&one);
}

/* 11. Version 4 and on, and PerfMonV2. */
void freeze_sets_a_status_bit(void **state)
{
    const struct part *part = part_of(state);
    struct single_cpu one;

    freeze(&one, part);
    assert_int_equal(
        single_cpu_peek(&one, part->global_ctrl), part->want_reset);
    assert_int_equal(single_cpu_peek(&one, part->status), 0x0800000000000001);
    single_cpu_write(&one, part->status_clear, 0x1);
    part_run(&one, 100);
    assert_int_equal(part_value(&one, part, 0), 30);

    single_cpu_write(&one, part->status_clear, 0x0800000000000000);
    assert_int_equal(single_cpu_peek(&one, part->status), 0);
    part_run(&one, 100);
    assert_int_equal(part_value(&one, part, 0), 130);
    single_cpu_release(&one);
}

/* 11 */
void nothing_freezes_without_global_registers(void **state)
{
    const struct part *part = part_of(state);
    struct single_cpu one;

    start(&one, part);
    assert_int_equal(msr_write(one.cpu, IA32_DEBUGCTL, 0x1000), MSR_GP_FAULT);
    part_run(&one, 2000);
    assert_int_equal(one.taken_count, 1);
    assert_int_equal(part_value(&one, part, 0), 1000);
    single_cpu_release(&one);
}

/* 18. CR8 keeps the handler out until the status is clear: at 2400. */
void pmi_stays_latched_after_status_is_cleared(void **state)
{
    const struct part *part = part_of(state);
    struct single_cpu one;

    start(&one, part);
    cpu_set_task_priority(one.cpu, 15);
    part_run(&one, 2000);
    assert_int_equal(single_cpu_peek(&one, part->status), 0x1);
    single_cpu_write(&one, part->status_clear, 0x1);
    assert_int_equal(single_cpu_peek(&one, part->status), 0);
    assert_int_equal(one.taken_count, 0);
    cpu_set_task_priority(one.cpu, 0);

    assert_int_equal(one.taken_count, 1);
    assert_int_equal(one.taken[0].time, 2400);
    assert_int_equal(one.taken[0].status, 0);
    single_cpu_release(&one);
}

/* 18. Without a status the cause is the counter: stopped and loaded again. */
void pmi_stays_latched_after_the_counter_is_reset(void **state)
{
    const struct part *part = part_of(state);
    struct single_cpu one;

    start(&one, part);
    cpu_set_task_priority(one.cpu, 15);
    part_run(&one, 2000);
    single_cpu_write(&one, part->select, 0);
    single_cpu_write(&one, part->counter, AFTER_1000_EVENTS);
    assert_int_equal(one.taken_count, 0);
    cpu_set_task_priority(one.cpu, 0);

    assert_int_equal(one.taken_count, 1);
    assert_int_equal(one.taken[0].time, 2500);
    single_cpu_release(&one);
}
