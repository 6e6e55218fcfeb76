/* test_cpu_spin.c - a processor that spins: what it counts, when something
 * happens to it, and its own overflows in the middle of a wait. */
#include "sim/machine/strand.h"
#include "tests/sim/machine/single_cpu.h"

enum {
    CYCLES = 0x43003C,          /* EN, OS, USR, core cycles */
    CYCLES_INT = 0x53003C,      /* and INT */
    USER_CYCLES_INT = 0x51003C, /* of ring 3 alone */
    INSTRUCTIONS = 0x4300C0,    /* EN, OS, USR, instructions */
};

#define AFTER_10 UINT64_C(0xFFFFFFFFFFF6)
#define AFTER_1000 UINT64_C(0xFFFFFFFFFC18)

static void count(struct cpu *cpu, uint64_t select, uint64_t value)
{
    cpu->lapic.lvtpc = 0xFE;
    pmu_set_value(&cpu->pmu, 0, value);
    pmu_set_select(&cpu->pmu, 0, select);
}

/* When something happens to a processor that spins from its time on. */
static struct time_row {
    const char *name;
    uint64_t select, value;
    uint64_t time, pmi_due;
    uint64_t want;
} time_rows[] = {
    {"nothing_counts_and_nothing_is_due", 0, 0, 0, 0xFFFFFFFFFFFFFFFF,
        0xFFFFFFFFFFFFFFFF},
    {"request_that_is_due", 0, 0, 0, 500, 500},
    {"cycles_overflow_by_the_spinning", CYCLES_INT, AFTER_1000, 0,
        0xFFFFFFFFFFFFFFFF, 1000},
    {"cycles_overflow_from_its_time_on", CYCLES_INT, AFTER_1000, 300,
        0xFFFFFFFFFFFFFFFF, 1300},
    {"one_instruction_in_40_cycles_retires", INSTRUCTIONS, AFTER_10, 0,
        0xFFFFFFFFFFFFFFFF, 400},
    {"overflow_without_int_is_something_too", CYCLES, AFTER_1000, 0,
        0xFFFFFFFFFFFFFFFF, 1000},
    {"request_before_the_overflow", CYCLES_INT, AFTER_1000, 0, 500, 500},
    {"overflow_before_the_request", CYCLES_INT, AFTER_1000, 0, 1500, 1000},
    {"counter_of_ring_3_does_not_count", USER_CYCLES_INT, AFTER_1000, 0,
        0xFFFFFFFFFFFFFFFF, 0xFFFFFFFFFFFFFFFF},
};

static void time_row(void **state)
{
    const struct time_row *row = *state;
    struct single_cpu one;

    single_cpu_init(&one);
    count(one.cpu, row->select, row->value);
    cpu_halt_until(one.cpu, row->time);
    one.cpu->pmi_due = row->pmi_due;
    assert_int_equal(cpu_spin_time(one.cpu), row->want);
    single_cpu_release(&one);
}

/* Two stretches of spinning with counters of instructions and cycles. */
static struct count_row {
    const char *name;
    uint64_t first, second;
    uint64_t want_instructions, want_cycles;
} count_rows[] = {
    {"no_cycles_count_nothing", 0, 0, 0, 0},
    {"instruction_retires_at_the_40th_cycle", 40, 0, 1, 40},
    {"no_instruction_retires_before", 39, 0, 0, 39},
    {"stretch_goes_on_where_the_last_one_ended", 30, 10, 1, 40},
    {"one_cycle_and_then_the_rest", 1, 39, 1, 40},
    {"thousand_cycles_retire_25", 123, 877, 25, 1000},
};

static void count_row(void **state)
{
    const struct count_row *row = *state;
    struct single_cpu one;

    single_cpu_init(&one);
    pmu_set_select(&one.cpu->pmu, 0, INSTRUCTIONS);
    pmu_set_select(&one.cpu->pmu, 1, CYCLES);
    cpu_spin(one.cpu, row->first);
    cpu_spin(one.cpu, row->second);
    assert_int_equal(pmu_value(&one.cpu->pmu, 0), row->want_instructions);
    assert_int_equal(pmu_value(&one.cpu->pmu, 1), row->want_cycles);
    assert_int_equal(one.cpu->time, row->want_cycles);
    assert_int_equal(cpu_unhalted(one.cpu), row->want_cycles);
    single_cpu_release(&one);
}

/* A stall takes its cycles and spins, however short it is. */
static void count_stall_row(void **state)
{
    const struct count_row *row = *state;
    struct single_cpu one;

    single_cpu_init(&one);
    pmu_set_select(&one.cpu->pmu, 0, INSTRUCTIONS);
    pmu_set_select(&one.cpu->pmu, 1, CYCLES);
    cpu_stall(one.cpu, row->first);
    cpu_stall(one.cpu, row->second);
    assert_int_equal(pmu_value(&one.cpu->pmu, 0), row->want_instructions);
    assert_int_equal(pmu_value(&one.cpu->pmu, 1), row->want_cycles);
    assert_int_equal(one.cpu->time, row->want_cycles);
    assert_int_equal(cpu_unhalted(one.cpu), row->want_cycles);
    single_cpu_release(&one);
}

static void spin_longer_than_a_segment_passes_its_time(void **state)
{
    struct single_cpu one;

    (void)state;
    single_cpu_init(&one);
    cpu_spin(one.cpu, 0x2000000000007);
    assert_int_equal(one.cpu->time, 0x2000000000007);
    single_cpu_release(&one);
}

/* Processor 0 spins until processor 1 has run 10,000 cycles. */
struct wait {
    struct machine machine;
    bool flag;
    bool reload; /* the handler starts a new period */
    unsigned taken;
    uint64_t first, last; /* when */
};

static bool flag_is_set(void *context)
{
    return *(const bool *)context;
}

static void spin(void *argument)
{
    struct wait *wait = argument;

    strand_wait(&wait->machine, STRAND_SPINNING, flag_is_set, &wait->flag);
}

static void run_and_set(void *argument)
{
    struct wait *wait = argument;
    struct cpu *cpu = machine_cpu(&wait->machine, 1);
    struct segment segment;

    segment_init(&segment, cpu->pmu.model, cpu_unhalted(cpu), 10000, RING_USER);
    cpu_run_segment(cpu, &segment);
    wait->flag = true;
}

static void take(void *context, struct cpu *cpu, uint8_t vector)
{
    struct wait *wait = context;

    (void)vector;
    wait->taken++;
    wait->last = cpu->time;
    wait->first = wait->taken == 1 ? cpu->time : wait->first;
    cpu->lapic.lvtpc = 0xFE;
    lapic_eoi(&cpu->lapic);
    if (wait->reload) {
        pmu_set_value(&cpu->pmu, 0, AFTER_1000);
    }
}

static struct period_row {
    const char *name;
    uint64_t select;
    uint32_t skid;
    bool reload;
    unsigned want_taken;
    uint64_t want_first, want_last;
} period_rows[] = {
    {"period_of_1000_without_skid", CYCLES_INT, 0, true, 10, 1000, 10000},
    {"period_of_1000_and_40_of_skid", CYCLES_INT, 40, true, 9, 1040, 9360},
    {"counter_that_is_not_reloaded_overflows_once", CYCLES_INT, 40, false, 1,
        1040, 1040},
    {"counter_without_int_is_not_taken", CYCLES, 40, true, 0, 0, 0},
    {"counter_of_ring_3_is_not_taken", USER_CYCLES_INT, 40, true, 0, 0, 0},
};

static void period_row(void **state)
{
    const struct period_row *row = *state;
    struct machine_config config = {
        .processors = 2, .groups = 1, .pmu = pmu_models[MODEL_INTEL_V2]};
    struct wait wait = {.reload = row->reload};
    const struct cpu *cpu;

    config.pmu.latency = row->skid;
    config.pmu.skid = 0;
    assert_true(machine_reserve(&wait.machine));
    machine_reset(&wait.machine, &config);
    machine_on_interrupt(&wait.machine, take, &wait);
    cpu = machine_cpu(&wait.machine, 0);
    count(machine_cpu(&wait.machine, 0), row->select, AFTER_1000);
    strand_spawn(machine_cpu(&wait.machine, 0), spin, &wait, NULL);
    strand_spawn(machine_cpu(&wait.machine, 1), run_and_set, &wait, NULL);
    assert_int_equal(machine_run(&wait.machine), MACHINE_IDLE);
    assert_int_equal(wait.taken, row->want_taken);
    assert_int_equal(wait.first, row->want_first);
    assert_int_equal(wait.last, row->want_last);
    assert_int_equal(cpu->time, 10000);
    assert_int_equal(cpu_unhalted(cpu), 10000);
    machine_release(&wait.machine);
}

TEST_FILE(test_cpu_spin)
{
    TEST_ADD_ROWS(list, time_row, time_rows);
    TEST_ADD_ROWS(list, count_row, count_rows);
    TEST_ADD_GROUP(list, "stall", count_stall_row, count_rows);
    TEST_ADD_ROWS(list, period_row, period_rows);
    test_add(list, "spin_longer_than_a_segment_passes_its_time",
        spin_longer_than_a_segment_passes_its_time, NULL);
}
