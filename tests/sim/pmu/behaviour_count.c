/* behaviour_count.c - behaviours of pmu.md 2 that show in a counter's value:
 * 1, 4, 5, 9, 10, 15, 16, 19, 20. Counters of user code do not count WRMSRs. */
#include "tests/sim/pmu/behaviour.h"

/* 1 */
void not_enabled_globally_does_not_move(void **state)
{
    const struct part *part = part_of(state);
    struct single_cpu one;

    part_init(&one, part);
    single_cpu_write(&one, part->global_ctrl, 0x2);
    part_start(&one, part, 0, part->cycles | USR, 0);
    part_start(&one, part, 1, part->cycles | USR, 0);
    part_run(&one, 1000);
    assert_int_equal(part_value(&one, part, 0), 0);
    assert_int_equal(part_value(&one, part, 1), 1000);

    single_cpu_write(&one, part->global_ctrl, 0x3);
    part_run(&one, 10);
    assert_int_equal(part_value(&one, part, 0), 10);
    assert_int_equal(part_value(&one, part, 1), 1010);
    single_cpu_release(&one);
}

/* 4 */
void global_ctrl_after_reset(void **state)
{
    const struct part *part = part_of(state);
    struct single_cpu one;
    uint64_t value = 0;

    part_init(&one, part);
    assert_int_equal(msr_read(one.cpu, part->global_ctrl, &value), MSR_OK);
    assert_int_equal(value, part->want_reset);
    part_start(&one, part, 0, part->cycles | USR, 0);
    part_run(&one, 1000);
    assert_int_equal(part_value(&one, part, 0), 1000);
    single_cpu_release(&one);
}

/* 5 */
void stopped_by_its_select_holds_its_value(void **state)
{
    const struct part *part = part_of(state);
    struct single_cpu one;

    part_init(&one, part);
    part_start(&one, part, 0, part->cycles | USR, 0);
    part_start(&one, part, 1, part->cycles | USR, 0);
    part_run(&one, 1000);
    single_cpu_write(&one, part_select(part, 0), 0x010000 | part->cycles);
    part_run(&one, 500);
    assert_int_equal(part_value(&one, part, 0), 1000);
    assert_int_equal(part_value(&one, part, 1), 1500);

    single_cpu_write(&one, part_select(part, 0), part->cycles | USR);
    part_run(&one, 100);
    assert_int_equal(part_value(&one, part, 0), 1100);
    assert_int_equal(part_value(&one, part, 1), 1600);
    single_cpu_release(&one);
}

/* 5 */
void stopped_globally_holds_its_value(void **state)
{
    const struct part *part = part_of(state);
    struct single_cpu one;

    part_init(&one, part);
    part_start(&one, part, 0, part->cycles | USR, 0);
    part_start(&one, part, 1, part->cycles | USR, 0);
    part_run(&one, 1000);
    single_cpu_write(&one, part->global_ctrl, 0x2);
    part_run(&one, 500);
    assert_int_equal(part_value(&one, part, 0), 1000);
    assert_int_equal(part_value(&one, part, 1), 1500);

    single_cpu_write(&one, part->global_ctrl, 0x3);
    part_run(&one, 100);
    assert_int_equal(part_value(&one, part, 0), 1100);
    assert_int_equal(part_value(&one, part, 1), 1600);
    single_cpu_release(&one);
}

/* 9. User code runs for 1,000 cycles, the kernel for 300. */
void ring_filters(void **state)
{
    static const struct {
        uint64_t bits, want;
    } rings[] = {
        {0x410000, 1000}, {0x420000, 300}, {0x430000, 1300}, {0x400000, 0}};
    const struct part *part = part_of(state);

    for (size_t i = 0; i < 4; i++) {
        struct single_cpu one;

        part_init(&one, part);
        part_start(&one, part, 0, part->cycles | rings[i].bits, 0);
        single_cpu_run(&one, RING_USER, 1000, 1, 1);
        single_cpu_run(&one, RING_KERNEL, 300, 1, 1);
        assert_int_equal(part_value(&one, part, 0), rings[i].want);
        single_cpu_release(&one);
    }
}

/* 10. In each of 1,000 cycles there are two instructions, in every second a
 * branch, in three of four a wrong one. */
static uint64_t pulses(const struct part *part, uint64_t select)
{
    struct single_cpu one;
    struct segment segment;
    uint64_t value;

    part_init(&one, part);
    part_start(&one, part, 0, select | USR, 0);
    segment_init(
        &segment, one.cpu->pmu.model, cpu_unhalted(one.cpu), 1000, RING_USER);
    segment.rate[EVENT_INSTRUCTIONS] = (struct rate){.p = 2, .q = 1};
    segment.rate[EVENT_BRANCHES] = (struct rate){.p = 1, .q = 2};
    segment.rate[EVENT_BRANCH_MISSES] = (struct rate){.p = 3, .q = 4};
    cpu_run_segment(one.cpu, &segment);
    value = part_value(&one, part, 0);
    single_cpu_release(&one);
    return value;
}

void edge_inv_and_cmask_count_exactly(void **state)
{
    const struct part *part = part_of(state);
    const uint64_t half = part->branches, most = part->branch_misses;

    assert_int_equal(pulses(part, INSTRUCTIONS), 2000);
    assert_int_equal(pulses(part, INSTRUCTIONS | CMASK_1), 1000);
    assert_int_equal(pulses(part, INSTRUCTIONS | CMASK_2), 1000);
    assert_int_equal(pulses(part, INSTRUCTIONS | CMASK_3), 0);
    assert_int_equal(pulses(part, INSTRUCTIONS | CMASK_2 | INV), 0);
    assert_int_equal(pulses(part, INSTRUCTIONS | CMASK_3 | INV), 1000);
    assert_int_equal(pulses(part, INSTRUCTIONS | CMASK_4), 0);
    assert_int_equal(pulses(part, INSTRUCTIONS | CMASK_4 | INV), 1000);
    assert_int_equal(pulses(part, INSTRUCTIONS | INV), 2000); /* ignored */
    assert_int_equal(pulses(part, half | CMASK_1), 500);
    assert_int_equal(pulses(part, half | CMASK_1 | INV), 500);
    assert_int_equal(pulses(part, half | CMASK_1 | EDGE), 500);
    assert_int_equal(pulses(part, most | CMASK_1), 750);
    assert_int_equal(pulses(part, most | CMASK_1 | INV), 250);
    assert_int_equal(pulses(part, most | CMASK_1 | EDGE), 250);
    assert_int_equal(pulses(part, most | CMASK_1 | EDGE | INV), 250);
}

/* Counter 0 wraps after 1,000 cycles and not after 999. */
static void wraps(
    const struct part *part, const struct pmu_model *model, uint64_t last)
{
    struct single_cpu one;

    single_cpu_init_model(&one, model);
    part_start(&one, part, 0, part->cycles | USR, AFTER_1000_EVENTS);
    part_run(&one, 999);
    assert_int_equal(part_value(&one, part, 0), last);
    assert_int_equal(one.cpu->pmu.global_status, 0);
    part_run(&one, 1);
    assert_int_equal(part_value(&one, part, 0), 0);
    if (part->status != 0) {
        assert_int_equal(single_cpu_peek(&one, part->status), 0x1);
    }
    single_cpu_release(&one);
}

/* 15 */
void widths_of_32_40_48_and_57_bits(void **state)
{
    static const struct {
        uint32_t bits;
        uint64_t last;
    } widths[] = {{32, 0xFFFFFFFF}, {40, 0xFFFFFFFFFF}, {48, 0xFFFFFFFFFFFF},
        {57, 0x1FFFFFFFFFFFFFF}};
    const struct part *part = part_of(state);

    for (size_t i = 0; i < 4; i++) {
        struct pmu_model model = pmu_models[part->model];

        model.width = widths[i].bits;
        wraps(part, &model, widths[i].last);
    }
}

/* 15. AMD has one width. */
void width_of_48_bits(void **state)
{
    const struct part *part = part_of(state);

    wraps(part, &pmu_models[part->model], 0xFFFFFFFFFFFF);
}

/* 16. First up to the last value and one more, then in one go and beyond, two
 * events a cycle: 40 cycles after the overflow is the interrupt. */
void preset_of_0_overflows_after_a_round(void **state)
{
    const struct part *part = part_of(state);
    struct single_cpu one;

    part_init(&one, part);
    part_start(&one, part, 0, part->cycles | USR | INT, 0);
    part_run(&one, part->last);
    assert_int_equal(part_value(&one, part, 0), part->last);
    assert_int_equal(one.cpu->pmu.global_status, 0);
    assert_int_equal(one.taken_count, 0);

    part_run(&one, 1);
    cpu_settle(one.cpu);
    assert_int_equal(part_value(&one, part, 0), 0);
    assert_int_equal(one.taken_count, 1);

    single_cpu_write(&one, IA32_X2APIC_LVT_PMI, 0xFE);
    part_start(&one, part, 0, INSTRUCTIONS | USR | INT, 0);
    single_cpu_run(&one, RING_USER, part->round / 2 + 1000, 2, 1);
    assert_int_equal(part_value(&one, part, 0), 2000);
    assert_int_equal(one.taken_count, 2);
    assert_int_equal(one.taken[1].pmc0, 80);
    single_cpu_release(&one);
}

/* 19 */
void accesses_retire_one_instruction_each(void **state)
{
    const struct part *part = part_of(state);
    struct single_cpu one;
    uint64_t value = 0;

    part_init(&one, part);
    part_start(&one, part, 0, INSTRUCTIONS | OS, 0);
    assert_int_equal(part_value(&one, part, 0), 0); /* not itself */
    for (unsigned i = 1; i <= 3; i++) {
        assert_int_equal(msr_read(one.cpu, part->counter, &value), MSR_OK);
        assert_int_equal(value, i); /* with itself */
    }
    /* What faults takes its time and does not retire. */
    assert_int_equal(msr_read(one.cpu, 0x391F, &value), MSR_GP_FAULT);
    assert_int_equal(msr_write(one.cpu, 0x391F, 0), MSR_GP_FAULT);
    assert_int_equal(
        msr_rdpmc(one.cpu, 0x1000, RING_KERNEL, true, &value), MSR_GP_FAULT);
    assert_int_equal(part_value(&one, part, 0), 3);
    single_cpu_write(&one, part->counter, 100);
    assert_int_equal(part_value(&one, part, 0), 100);
    single_cpu_write(&one, part->select, 0);
    single_cpu_write(&one, part_select(part, 1), 0); /* no longer counted */
    assert_int_equal(part_value(&one, part, 0), 101);
    single_cpu_release(&one);
}

/* 19 */
void global_ctrl_counts_the_write_that_stops(void **state)
{
    const struct part *part = part_of(state);
    struct single_cpu one;

    part_init(&one, part);
    single_cpu_write(&one, part->global_ctrl, 0);
    part_start(&one, part, 0, INSTRUCTIONS | OS, 0);
    single_cpu_write(&one, part->global_ctrl, 0x1);
    assert_int_equal(part_value(&one, part, 0), 0);
    single_cpu_write(&one, part->global_ctrl, 0);
    assert_int_equal(part_value(&one, part, 0), 1);
    single_cpu_release(&one);
}

/* 20. 100 events from 1 - 100 on: one a cycle, then two. */
void preset_of_1_minus_k_reads_1(void **state)
{
    const struct part *part = part_of(state);
    struct single_cpu one;

    part_init(&one, part);
    part_start(&one, part, 0, INSTRUCTIONS | USR, 0xFFFFFFFFFF9D);
    part_run(&one, 99);
    assert_int_equal(part_value(&one, part, 0), 0);
    part_run(&one, 1);
    assert_int_equal(part_value(&one, part, 0), 1);
    if (part->status != 0) {
        assert_int_equal(single_cpu_peek(&one, part->status), 0x1);
    }
    single_cpu_write(&one, part->counter, 0xFFFFFFFFFF9D);
    single_cpu_run(&one, RING_USER, 50, 2, 1);
    assert_int_equal(part_value(&one, part, 0), 1);
    single_cpu_release(&one);
}
