/* test_cpu_burst.c - events that happen at once: counted, filtered and
 * interrupting as those of a segment. */
#include <string.h>

#include "sim/base/trace.h"
#include "tests/sim/machine/single_cpu.h"

/* EN, INT, OS, USR, branch misses; the same in ring 3 only; with CMASK 5. */
enum {
    BRANCH_MISSES_INT = 0x5300C5,
    USER_BRANCH_MISSES = 0x4100C5,
    BRANCH_MISSES_CMASK_5 = 0x54300C5
};

/* Counter 0 with this select and value; then so many branch misses. */
static struct burst_row {
    const char *name;
    uint64_t select, pmc0, count;
    enum ring ring;
    uint64_t want_pmc0, want_status;
    unsigned want_taken;
} burst_rows[] = {
    {"burst_is_counted_at_once", BRANCH_MISSES_INT, 7, 100, RING_USER, 107, 0,
        0},
    {"burst_in_ring_0_is_not_counted_in_ring_3", USER_BRANCH_MISSES, 7, 100,
        RING_KERNEL, 7, 0, 0},
    {"burst_in_ring_3_is_counted_there", USER_BRANCH_MISSES, 7, 100, RING_USER,
        107, 0, 0},
    {"burst_that_fills_the_counter_overflows_it", BRANCH_MISSES_INT,
        0xFFFFFFFFFF9C, 100, RING_USER, 0, 1, 1},
    {"burst_past_the_wrap_goes_on_from_zero", BRANCH_MISSES_INT, 0xFFFFFFFFFF9D,
        100, RING_USER, 1, 1, 1},
    {"burst_one_short_of_the_wrap_does_not", BRANCH_MISSES_INT, 0xFFFFFFFFFF9B,
        100, RING_USER, 0xFFFFFFFFFFFF, 0, 0},
    {"burst_is_one_cycle_with_as_many_events", BRANCH_MISSES_CMASK_5, 0, 5,
        RING_USER, 1, 0, 0},
    {"smaller_burst_does_not_meet_cmask", BRANCH_MISSES_CMASK_5, 0, 4,
        RING_USER, 0, 0, 0},
    {"largest_burst_of_a_segment", BRANCH_MISSES_INT, 0, 0x1000000000000,
        RING_USER, 0, 1, 1},
};

static void burst_row(void **state)
{
    const struct burst_row *row = *state;
    struct single_cpu one;

    single_cpu_init(&one);
    one.cpu->lapic.lvtpc = 0xFE;
    pmu_set_value(&one.cpu->pmu, 0, row->pmc0);
    pmu_set_select(&one.cpu->pmu, 0, row->select);
    cpu_add_events(one.cpu, EVENT_BRANCH_MISSES, row->count, row->ring);
    assert_int_equal(one.cpu->time, 0);
    assert_int_equal(one.taken_count, 0); /* the request is on its way */
    assert_int_equal(single_cpu_peek(&one, IA32_PMC0), row->want_pmc0);
    assert_int_equal(
        single_cpu_peek(&one, IA32_PERF_GLOBAL_STATUS), row->want_status);
    single_cpu_run(&one, RING_USER, 1000, 1, 1);
    assert_int_equal(one.taken_count, row->want_taken);
    if (row->want_taken > 0) {
        assert_int_equal(one.taken[0].time, 40); /* latency, skid */
    }
    single_cpu_release(&one);
}

/* Where a request is on its way no longer than the overflow. */
static void burst_is_a_preemption_point(void **state)
{
    struct pmu_model model = pmu_models[MODEL_INTEL_V2];
    struct single_cpu one;

    (void)state;
    model.latency = 0;
    model.skid = 0;
    single_cpu_init_model(&one, &model);
    one.cpu->lapic.lvtpc = 0xFE;
    pmu_set_value(&one.cpu->pmu, 0, 0xFFFFFFFFFF9C);
    pmu_set_select(&one.cpu->pmu, 0, BRANCH_MISSES_INT);
    cpu_add_events(one.cpu, EVENT_BRANCH_MISSES, 99, RING_USER);
    assert_int_equal(one.taken_count, 0);
    cpu_add_events(one.cpu, EVENT_BRANCH_MISSES, 1, RING_USER);
    assert_int_equal(one.taken_count, 1);
    assert_int_equal(one.taken[0].time, 0);
    single_cpu_release(&one);
}

static void burst_is_traced_before_its_overflow(void **state)
{
    struct single_cpu one;
    char line[100];

    (void)state;
    single_cpu_init(&one);
    pmu_set_value(&one.cpu->pmu, 0, 0xFFFFFFFFFFFF);
    pmu_set_select(&one.cpu->pmu, 0, BRANCH_MISSES_INT);
    cpu_add_events(one.cpu, EVENT_BRANCH_MISSES, 3, RING_USER);
    assert_int_equal(one.machine.trace.count, 2);
    assert_ptr_equal(
        one.machine.trace.record[0].kind, &sim_events[SIM_EVENT_BURST]);
    trace_format(&one.machine.trace, 0, line, sizeof(line));
    assert_non_null(strstr(line, "of=branch_misses count=3 ring=user"));
    assert_ptr_equal(
        one.machine.trace.record[1].kind, &sim_events[SIM_EVENT_OVERFLOW]);
    single_cpu_release(&one);
}

TEST_FILE(test_cpu_burst)
{
    TEST_ADD_ROWS(list, burst_row, burst_rows);
    test_add(
        list, "burst_is_a_preemption_point", burst_is_a_preemption_point, NULL);
    test_add(list, "burst_is_traced_before_its_overflow",
        burst_is_traced_before_its_overflow, NULL);
}
