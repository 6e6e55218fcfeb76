/* behaviour_register.c - behaviours of pmu.md 2 that show in registers and in
 * memory: 12, 13, 14, 17. */
#include "tests/sim/pmu/behaviour.h"
#include "tests/sim/pmu/buffered_cpu.h"

/* 12. None of it is an overflow. */
void status_set_sets_bits(void **state)
{
    const struct part *part = part_of(state);
    struct single_cpu one;

    part_init(&one, part);
    single_cpu_write(&one, part->status_set, 0x1);
    single_cpu_write(&one, part->status_set, 0x0800000000000006);
    assert_int_equal(single_cpu_peek(&one, part->status_set), 0);
    assert_int_equal(single_cpu_peek(&one, part->status), 0x0800000000000007);
    part_start(&one, part, 0, part->cycles | USR, 0);
    part_run(&one, 1000);
    assert_int_equal(part_value(&one, part, 0), 0); /* bit 59 is a freeze */

    single_cpu_write(&one, part->status_clear, 0x0800000000000002);
    assert_int_equal(single_cpu_peek(&one, part->status), 0x5);
    part_run(&one, 1000);
    assert_int_equal(part_value(&one, part, 0), 1000);
    assert_int_equal(one.taken_count, 0);
    single_cpu_release(&one);
}

/* 12. Bit 63 is the PMI's [C]. */
void in_use_shows_what_is_programmed(void **state)
{
    const struct part *part = part_of(state);
    struct single_cpu one;

    part_init(&one, part);
    assert_int_equal(single_cpu_peek(&one, 0x392), 0);
    single_cpu_write(&one, 0x187, 0x00003C); /* an event, and not enabled */
    assert_int_equal(single_cpu_peek(&one, 0x392), 0x2);
    single_cpu_write(&one, 0x38D, 0x20); /* fixed counter 1 */
    assert_int_equal(single_cpu_peek(&one, 0x392), 0x200000002);
    single_cpu_write(&one, 0x187, 0x10003C);
    assert_int_equal(single_cpu_peek(&one, 0x392), 0x8000000200000002);
    single_cpu_write(&one, 0x187, 0);
    single_cpu_write(&one, 0x38D, 0);
    assert_int_equal(single_cpu_peek(&one, 0x392), 0);
    single_cpu_release(&one);
}

/* Counter 0 overflows after 100 user instructions and is sampled; INT is
 * clear. Every reset value is 50 below the wrap. */
static void sample(struct buffered_cpu *cpu, const struct part *part,
    uint64_t maximum, uint64_t threshold)
{
    buffered_cpu_init(cpu, &pmu_models[part->model]);
    buffered_cpu_limits(cpu, maximum, threshold);
    single_cpu_write(&cpu->one, IA32_PEBS_ENABLE, 0x1);
    part_start(&cpu->one, part, 0, INSTRUCTIONS | USR, AFTER_100);
}

/* 13. The overflow arms, the next event writes, clears and reloads. */
void pebs_record_comes_at_the_event_after_the_overflow(void **state)
{
    const struct part *part = part_of(state);
    struct buffered_cpu cpu;

    sample(&cpu, part, 8000, 8000);
    buffered_cpu_run(&cpu, 100, 1, 1);
    assert_int_equal(area_index(&cpu), 0);
    assert_int_equal(single_cpu_peek(&cpu.one, part->status), 0x1);
    assert_int_equal(part_value(&cpu.one, part, 0), 0);

    buffered_cpu_run(&cpu, 1, 1, 1);
    assert_int_equal(area_index(&cpu), part->record);
    assert_int_equal(single_cpu_peek(&cpu.one, part->status), 0);
    assert_int_equal(part_value(&cpu.one, part, 0), AFTER_50);
    assert_int_equal(cpu.one.taken_count, 0);
    buffered_cpu_release(&cpu);
}

/* 13. Two records but for a byte: the second one does not fit. */
void pebs_keeps_to_its_buffer(void **state)
{
    const struct part *part = part_of(state);
    struct buffered_cpu cpu;

    sample(&cpu, part, 2 * part->record - 1, 8000);
    buffered_cpu_run(&cpu, 1000, 1, 1);
    assert_int_equal(area_index(&cpu), part->record);
    assert_int_equal(cpu.buffer[part->record], 0xA5);
    assert_int_equal(single_cpu_peek(&cpu.one, part->status), 0x1);
    buffered_cpu_release(&cpu);
}

/* 13. The record is written at 401: four WRMSRs but one are 300 cycles. */
void pebs_threshold_is_bit_62_and_a_pmi(void **state)
{
    const struct part *part = part_of(state);
    struct buffered_cpu cpu;

    sample(&cpu, part, 8000, part->record);
    buffered_cpu_run(&cpu, 101, 1, 1);
    assert_int_equal(single_cpu_peek(&cpu.one, part->status), BIT_62);
    assert_int_equal(cpu.one.taken_count, 0);
    buffered_cpu_run(&cpu, 40, 1, 1);
    assert_int_equal(cpu.one.taken_count, 1);
    assert_int_equal(cpu.one.taken[0].time, 441);
    assert_int_equal(cpu.one.taken[0].status, BIT_62);
    single_cpu_write(&cpu.one, part->status_clear, BIT_62);
    assert_int_equal(single_cpu_peek(&cpu.one, part->status), 0);
    buffered_cpu_release(&cpu);
}

/* 14. Sixteen processors in each of four groups. */
void one_msr_on_64_processors_is_64_registers(void **state)
{
    const struct part *part = part_of(state);
    struct machine machine;
    struct machine_config config = {
        .processors = 64, .groups = 4, .pmu = pmu_models[part->model]};

    assert_true(machine_reserve(&machine));
    machine_reset(&machine, &config);
    for (uint32_t i = 0; i < 64; i++) {
        struct cpu *cpu = machine_cpu(&machine, i);

        assert_int_equal(msr_write(cpu, part->counter, 1000 + i), MSR_OK);
        assert_int_equal(msr_write(cpu, part->select, 0x010000 + i), MSR_OK);
    }
    for (uint32_t i = 0; i < 64; i++) {
        struct cpu *cpu = machine_cpu(&machine, i);
        uint64_t value = 0;

        assert_int_equal(cpu->group, i / 16);
        assert_int_equal(msr_read(cpu, part->counter, &value), MSR_OK);
        assert_int_equal(value, 1000 + i);
        assert_int_equal(msr_read(cpu, part->select, &value), MSR_OK);
        assert_int_equal(value, 0x010000 + i);
    }
    machine_release(&machine);
}

/* 17. Counters 0 to 3, written by one address and read by the other. */
void registers_of_k7_and_the_core_extension_are_one(void **state)
{
    const struct part *part = part_of(state);
    struct single_cpu one;

    part_init(&one, part);
    for (uint32_t n = 0; n < 4; n++) {
        uint32_t select = 0xC0010000 + n, core_select = 0xC0010200 + 2 * n;
        uint32_t counter = 0xC0010004 + n, core_counter = 0xC0010201 + 2 * n;

        single_cpu_write(&one, select, 0x0100C0 + n);
        assert_int_equal(single_cpu_peek(&one, core_select), 0x0100C0 + n);
        single_cpu_write(&one, core_select, 0x020076 + n);
        assert_int_equal(single_cpu_peek(&one, select), 0x020076 + n);
        single_cpu_write(&one, counter, 0xFEDCBA987650 + n);
        assert_int_equal(
            single_cpu_peek(&one, core_counter), 0xFEDCBA987650 + n);
        single_cpu_write(&one, core_counter, 0x123456789AB0 + n);
        assert_int_equal(single_cpu_peek(&one, counter), 0x123456789AB0 + n);
    }
    single_cpu_release(&one);
}
