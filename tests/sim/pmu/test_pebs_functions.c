/* test_pebs_functions.c - the places that PEBS records have when a workload has
 * functions: the sampled event's own, and so their shares. */
#include "tests/sim/pmu/buffered_cpu.h"

enum { SAMPLES = 10000 };

/* Half, three tenths, a fifth: 64 instructions of 4 bytes each. */
static const struct code_function functions[] = {
    {.ip = 0x1000,
        .instructions = 64,
        .share = 5,
        .branch_to = 0x1000,
        .step = 4},
    {.ip = 0x2000,
        .instructions = 64,
        .share = 3,
        .branch_to = 0x2000,
        .step = 4},
    {.ip = 0x3000,
        .instructions = 64,
        .share = 2,
        .branch_to = 0x3000,
        .step = 4},
};

static const struct code code = {functions, 3, 10};

struct profile {
    struct buffered_cpu cpu;
    size_t ip_at; /* in a record */
    unsigned samples;
    unsigned in[4]; /* by function; the last: anywhere else */
};

/* A driver's handler that attributes one record and makes room. */
static void attribute(void *context, struct cpu *cpu, uint8_t vector)
{
    struct profile *profile = context;
    uint64_t ip = buffer_word(&profile->cpu, profile->ip_at);

    (void)vector;
    if (profile->samples < SAMPLES) {
        profile->samples++;
        profile->in[ip >= 0x1000 && ip < 0x1100   ? 0
                    : ip >= 0x2000 && ip < 0x2100 ? 1
                    : ip >= 0x3000 && ip < 0x3100 ? 2
                                                  : 3]++;
    }
    area_store(
        &profile->cpu, DS_INDEX, (uint64_t)(uintptr_t)profile->cpu.buffer);
    pmu_set_status(&cpu->pmu, cpu->pmu.global_status & ~BIT_62);
    cpu->lapic.lvtpc = 0xFE;
    lapic_eoi(&cpu->lapic);
}

/* Every model with PEBS; the prime period 1009, and one that is not prime; one
 * event a cycle, several, and one in several. IPs as pmu.md 1.4 has them. */
static struct profile_row {
    const char *name;
    enum model model;
    size_t ip_at;
    uint64_t select;
    uint64_t period, p, q;
} profile_rows[] = {
    {"nehalem", MODEL_NEHALEM, 0x08, 0x4100C0, 1009, 1, 1},
    {"skylake", MODEL_SKYLAKE, 0xB0, 0x4100C0, 1009, 1, 1},
    {"skylake_three_a_cycle", MODEL_SKYLAKE, 0xB0, 0x4100C0, 1009, 3, 1},
    {"skylake_one_in_three_cycles", MODEL_SKYLAKE, 0xB0, 0x4100C0, 1009, 1, 3},
    {"skylake_period_1000", MODEL_SKYLAKE, 0xB0, 0x4100C0, 1000, 1, 1},
    {"skylake_round_meets_the_period", MODEL_SKYLAKE, 0xB0, 0x4100C0, 999, 1,
        1},
    {"ice_lake", MODEL_ICE_LAKE, 0x08, 0x4100C0, 1009, 1, 1},
    {"sapphire_rapids", MODEL_SAPPHIRE_RAPIDS, 0x08, 0x4100C0, 1009, 1, 1},
};

static void profile_row(void **state)
{
    const struct profile_row *row = *state;
    struct profile profile = {.ip_at = row->ip_at};
    struct cpu *cpu;
    struct segment segment;

    buffered_cpu_init(&profile.cpu, &pmu_models[row->model]);
    cpu = profile.cpu.one.cpu;
    machine_on_interrupt(&profile.cpu.one.machine, attribute, &profile);
    buffered_cpu_limits(&profile.cpu, 200, 1);
    area_store(&profile.cpu, DS_RESET, 0x1000000000000 - row->period);
    pmu_set_pebs_enable(&cpu->pmu, 0x1);
    pmu_set_select(&cpu->pmu, 0, row->select);
    pmu_set_value(&cpu->pmu, 0, 0x1000000000000 - row->period);
    segment_init(&segment, cpu->pmu.model, cpu_unhalted(cpu),
        (row->period + 3) * SAMPLES * row->q / row->p + 100, RING_USER);
    segment.rate[EVENT_INSTRUCTIONS] = (struct rate){.p = row->p, .q = row->q};
    segment.code = &code;
    cpu_run_segment(cpu, &segment);

    assert_int_equal(profile.samples, SAMPLES);
    assert_in_range(profile.in[0], 4850, 5150);
    assert_in_range(profile.in[1], 2863, 3137);
    assert_in_range(profile.in[2], 1880, 2120);
    assert_int_equal(profile.in[3], 0);
    buffered_cpu_release(&profile.cpu);
}

/* The n-th instruction of this code is at 1000H + n, the branch goes to 10H:
 * with one function of as many instructions as its share the round begins
 * somewhere, and then they follow one another. */
static struct number_row {
    const char *name;
    uint64_t preset, p, q;
    uint64_t cycles, before;
    uint64_t want; /* the number of the sampled event, from 0 */
} number_rows[] = {
    {"event_behind_the_overflow", AFTER_100, 1, 1, 101, 0, 100},
    {"event_behind_it_in_the_same_cycle", AFTER_100, 3, 1, 34, 0, 100},
    {"first_of_the_next_cycle", AFTER_99, 3, 1, 34, 0, 99},
    {"one_in_seven_cycles", AFTER_2, 1, 7, 21, 0, 2},
    {"events_of_earlier_rounds_are_counted", AFTER_100, 1, 1, 101, 5000, 5100},
};

static void number_row(void **state)
{
    const struct number_row *row = *state;
    const struct code_function line = {.ip = 0x1000,
        .instructions = 10000,
        .share = 1000000,
        .branch_to = 0x10,
        .step = 1};
    const struct code numbered = {&line, 1, 1000000};
    uint64_t before[EVENT_COUNT] = {[EVENT_INSTRUCTIONS] = row->before};
    struct buffered_cpu cpu;
    struct segment segment;
    uint64_t first, ip;

    buffered_cpu_init(&cpu, &pmu_models[MODEL_SKYLAKE]);
    pmu_set_pebs_enable(&cpu.one.cpu->pmu, 0x1);
    pmu_set_select(&cpu.one.cpu->pmu, 0, 0x4100C0);
    pmu_set_value(&cpu.one.cpu->pmu, 0, row->preset);
    segment_init(&segment, cpu.one.cpu->pmu.model, 0, row->cycles, RING_USER);
    segment.rate[EVENT_INSTRUCTIONS] = (struct rate){.p = row->p, .q = row->q};
    segment.code = &numbered;
    segment.before = before;
    cpu_run_segment(cpu.one.cpu, &segment);

    assert_int_equal(area_index(&cpu), 200);
    first = code_place(&numbered, EVENT_INSTRUCTIONS, 0).ip - 0x1000;
    ip = buffer_word(&cpu, 0xB0);
    assert_int_equal((ip - 0x1000 + 10000 - first) % 10000, row->want % 10000);
    assert_int_equal(
        buffer_word(&cpu, 0x08), ip == 0x1000 + 9999 ? 0x10 : ip + 1);
    buffered_cpu_release(&cpu);
}

/* Counter 0 is sampled with instructions, counter 1 with branches in the same
 * cycle: each record has the place of its own event, though the first one loads
 * both counters. */
static void records_of_one_moment_have_places_of_their_own(void **state)
{
    const struct code_function one = {.ip = 0x1000,
        .instructions = 4,
        .share = 1,
        .branch_to = 0x5000,
        .step = 4};
    const struct code single = {&one, 1, 1};
    struct buffered_cpu cpu;
    struct segment segment;
    struct pmu *pmu;
    uint64_t ip;

    (void)state;
    buffered_cpu_init(&cpu, &pmu_models[MODEL_SKYLAKE]);
    pmu = &cpu.one.cpu->pmu;
    pmu_set_pebs_enable(pmu, 0x3);
    pmu_set_select(pmu, 0, 0x4100C0);
    pmu_set_select(pmu, 1, 0x4100C4);
    pmu_set_value(pmu, 0, AFTER_100);
    pmu_set_value(pmu, 1, AFTER_100);
    segment_init(&segment, pmu->model, 0, 101, RING_USER);
    segment.rate[EVENT_INSTRUCTIONS] = (struct rate){.p = 1, .q = 1};
    segment.rate[EVENT_BRANCHES] = (struct rate){.p = 1, .q = 1};
    segment.code = &single;
    cpu_run_segment(cpu.one.cpu, &segment);

    assert_int_equal(area_index(&cpu), 400);
    ip = code_place(&single, EVENT_INSTRUCTIONS, 100).ip;
    assert_int_equal(buffer_word(&cpu, 0x90), 0x1);
    assert_int_equal(buffer_word(&cpu, 0xB0), ip);
    assert_int_equal(buffer_word(&cpu, 200 + 0x90), 0x2);
    assert_int_equal(buffer_word(&cpu, 200 + 0xB0), 0x100C);
    assert_int_equal(buffer_word(&cpu, 200 + 0x08), 0x5000);
    buffered_cpu_release(&cpu);
}

/* Below format 3 a record of two counters is placed by the one that has had its
 * event, not by the one that is armed meanwhile. */
static void armed_counter_has_no_say_in_the_place(void **state)
{
    const struct code_function one = {.ip = 0x1000,
        .instructions = 4,
        .share = 1,
        .branch_to = 0x5000,
        .step = 4};
    const struct code single = {&one, 1, 1};
    struct buffered_cpu cpu;
    struct segment segment;
    struct pmu *pmu;

    (void)state;
    buffered_cpu_init(&cpu, &pmu_models[MODEL_NEHALEM]);
    pmu = &cpu.one.cpu->pmu;
    pmu_set_global_ctrl(pmu, 0x3);
    pmu_set_pebs_enable(pmu, 0x3);
    pmu_set_select(pmu, 0, 0x4100C0);
    pmu_set_select(pmu, 1, 0x4100C4);
    pmu_set_value(pmu, 0, AFTER_101);
    pmu_set_value(pmu, 1, AFTER_100);
    segment_init(&segment, pmu->model, 0, 101, RING_USER);
    segment.rate[EVENT_INSTRUCTIONS] = (struct rate){.p = 1, .q = 1};
    segment.rate[EVENT_BRANCHES] = (struct rate){.p = 1, .q = 1};
    segment.code = &single;
    cpu_run_segment(cpu.one.cpu, &segment);

    assert_int_equal(area_index(&cpu), 176);
    assert_int_equal(buffer_word(&cpu, 0x90), 0x3);
    assert_int_equal(buffer_word(&cpu, 0x08), 0x5000);
    buffered_cpu_release(&cpu);
}

TEST_FILE(test_pebs_functions)
{
    TEST_ADD_GROUP(list, "shares_are_sampled_on", profile_row, profile_rows);
    TEST_ADD_GROUP(list, "sample_is_the", number_row, number_rows);
    test_add(list, "records_of_one_moment_have_places_of_their_own",
        records_of_one_moment_have_places_of_their_own, NULL);
    test_add(list, "armed_counter_has_no_say_in_the_place",
        armed_counter_has_no_say_in_the_place, NULL);
}
