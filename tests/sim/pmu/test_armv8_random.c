/* test_armv8_random.c - PMUv3 in closed form against counting cycle by cycle,
 * event by event. */
#include <inttypes.h>
#include <stdio.h>

#include "sim/base/splitmix.h"
#include "tests/sim/pmu/armv8_stage.h"

enum { CASES = 20000, SEED = 8190, CYCLES = ARMV8_CYCLES };

/* A PMU that is slow and simple: what the registers were given, and what came
 * of it. */
struct naive {
    uint8_t version;
    unsigned counters; /* PMCR_EL0.N */
    unsigned hpmn;
    uint64_t pmcr, mdcr;
    uint64_t type[32], value[32];
    uint32_t enabled, overflowed, interrupts;
    unsigned left; /* cycles of PMCR.D's 64 */
};

static bool flag(uint64_t value, unsigned n)
{
    return (value >> n & 1) != 0;
}

static bool naive_upper(const struct naive *naive, unsigned n)
{
    return n != CYCLES && n >= naive->hpmn;
}

static bool naive_frozen(const struct naive *naive, unsigned n)
{
    bool lower = false, upper = false;

    for (unsigned i = 0; i < naive->counters; i++) {
        if (flag(naive->overflowed, i) && i < naive->hpmn) {
            lower = true;
        } else if (flag(naive->overflowed, i)) {
            upper = true;
        }
    }
    if (naive->version < V3P7) {
        return false;
    }
    if (n == CYCLES) {
        return lower && flag(naive->pmcr, 9) && flag(naive->pmcr, 5);
    }
    return n < naive->hpmn ? lower && flag(naive->pmcr, 9)
                           : upper && flag(naive->mdcr, 29);
}

static bool naive_runs(const struct naive *naive, unsigned n, enum ring ring)
{
    uint64_t type = naive->type[n];
    bool on =
        naive_upper(naive, n) ? flag(naive->mdcr, 7) : flag(naive->pmcr, 0);
    bool here = ring == RING_USER ? flag(type, 30) == flag(type, 28)
                                  : flag(type, 31) == flag(type, 29);

    return on && here && flag(naive->enabled, n) && !naive_frozen(naive, n);
}

/* Whether it overflows at bit 63. */
static bool naive_is_wide(const struct naive *naive, unsigned n)
{
    if (n == CYCLES) {
        return flag(naive->pmcr, 6);
    }
    return naive->version >= V3P5 &&
           (naive_upper(naive, n) ? flag(naive->mdcr, 26)
                                  : flag(naive->pmcr, 7));
}

/* One event more. Returns whether the counter overflowed. */
static bool naive_tick(struct naive *naive, unsigned n)
{
    bool wide = naive_is_wide(naive, n);

    if (n == CYCLES && flag(naive->pmcr, 3) && !wide) {
        naive->left = (naive->left + 1) % 64;
        if (naive->left != 0) {
            return false;
        }
    }
    naive->value[n]++;
    if (n != CYCLES && naive->version < V3P5) {
        naive->value[n] &= 0xFFFFFFFF;
    }
    return wide ? naive->value[n] == 0 : (naive->value[n] & 0xFFFFFFFF) == 0;
}

/* Events of a counter that runs. Returns the bits that overflowed. */
static uint32_t naive_count(
    struct naive *naive, unsigned n, uint64_t events, uint32_t runs)
{
    uint32_t overflowed = 0;

    for (; events > 0; events--) {
        if (!naive_tick(naive, n)) {
            continue;
        }
        overflowed |= UINT32_C(1) << n;
        if (n != CYCLES && n % 2 == 0 && flag(runs, n + 1) &&
            (naive->type[n + 1] & 0xFFFF) == 0x1E && !naive_is_wide(naive, n) &&
            naive_tick(naive, n + 1)) {
            overflowed |= UINT32_C(2) << n;
        }
    }
    return overflowed;
}

static uint32_t naive_running(const struct naive *naive, enum ring ring)
{
    uint32_t runs = 0;

    for (unsigned n = 0; n < naive->counters; n++) {
        runs |= (uint32_t)naive_runs(naive, n, ring) << n;
    }
    return runs | (uint32_t)naive_runs(naive, CYCLES, ring) << CYCLES;
}

static enum event naive_event(const struct naive *naive, unsigned n)
{
    if (n == CYCLES) {
        return EVENT_CORE_CYCLES;
    }
    switch (naive->type[n] & 0xFFFF) {
    case 0x08:
        return EVENT_INSTRUCTIONS;
    case 0x11:
        return EVENT_CORE_CYCLES;
    case 0x21:
        return EVENT_BRANCHES;
    case 0x33:
        return EVENT_LLC_MISSES;
    default:
        return EVENT_COUNT;
    }
}

/* One cycle of the segment. `parts` is what each rate has left over. */
static uint32_t naive_cycle(struct naive *naive, const struct segment *segment,
    uint64_t parts[EVENT_COUNT])
{
    uint64_t events[EVENT_COUNT] = {0};
    uint32_t overflowed = 0;
    uint32_t runs;

    if (segment->halted) {
        return 0;
    }
    runs = naive_running(naive, segment->ring);
    for (unsigned i = 0; i < EVENT_COUNT; i++) {
        for (parts[i] += segment->rate[i].p; parts[i] >= segment->rate[i].q;
             parts[i] -= segment->rate[i].q) {
            events[i]++;
        }
    }
    for (unsigned n = 0; n < 32; n++) {
        enum event event = naive_event(naive, n);

        if (flag(runs, n) && event != EVENT_COUNT) {
            overflowed |= naive_count(naive, n, events[event], runs);
        }
    }
    naive->overflowed |= overflowed;
    return overflowed;
}

static bool naive_interrupt(const struct naive *naive)
{
    for (unsigned n = 0; n < 32; n++) {
        bool on =
            naive_upper(naive, n) ? flag(naive->mdcr, 7) : flag(naive->pmcr, 0);

        if (on && flag(naive->overflowed, n) && flag(naive->interrupts, n)) {
            return true;
        }
    }
    return false;
}

static uint64_t any_of(
    struct splitmix *stream, const uint64_t *of, size_t count)
{
    return of[splitmix_below(stream, count)];
}

/* Bits of the counters that there are. */
static uint32_t naive_mask(const struct naive *naive)
{
    return UINT32_C(0x80000000) | ((UINT32_C(1) << naive->counters) - 1);
}

/* HPME, HLP and HPMFZO, and HPMN: some above all counters, which stands for all
 * of them (docs/fidelity.md). Returns what is written to MDCR_EL2. */
static uint64_t any_partition(struct naive *naive, struct splitmix *stream)
{
    static const uint64_t hpmns[] = {6, 6, 6, 31, 5, 4, 3, 2, 1, 0};
    uint64_t hpmn = any_of(stream, hpmns, 10);

    naive->mdcr = splitmix_next(stream) & 0x24000080;
    naive->hpmn = hpmn > naive->counters ? naive->counters : (unsigned)hpmn;
    return naive->mdcr | hpmn;
}

/* Soon to overflow, at bit 31 or at bit 63 or at both. */
static uint64_t any_value(struct splitmix *stream)
{
    static const uint64_t upper[] = {0, 0xFFFFFFFF00000000, 0x700000000};
    uint64_t low = UINT64_C(0x100000000) - splitmix_below(stream, 60);

    return any_of(stream, upper, 3) | (low & 0xFFFFFFFF);
}

static void any_setting(struct naive *naive, struct splitmix *stream)
{
    static const uint64_t versions[] = {V3, V3P1, V3P4, V3P5, V3P7};
    static const uint64_t events[] = {
        0x08, 0x08, 0x11, 0x11, 0x21, 0x33, 0x1E, 0x1E, 0x1E, 0x00, 0x2A};
    static const uint64_t filters[] = {
        0, 0, 0, 0, 0x80000000, 0x40000000, 0xA0000000, 0x10000000};
    static const uint64_t counters[] = {6, 6, 6, 5, 2, 1, 0};

    *naive = (struct naive){
        .version = (uint8_t)any_of(stream, versions, 5),
        .counters = (unsigned)any_of(stream, counters, 7),
        /* E most of the time; D, DP, LC, LP, FZO */
        .pmcr =
            (splitmix_next(stream) & 0x2E8) | (splitmix_below(stream, 8) != 0),
    };
    naive->hpmn = naive->counters; /* reset; changed by any_partition() */
    naive->enabled = (uint32_t)(splitmix_next(stream) | splitmix_next(stream)) &
                     naive_mask(naive);
    naive->interrupts = (uint32_t)splitmix_next(stream) & naive_mask(naive);
    for (unsigned n = 0; n < naive->counters; n++) {
        naive->type[n] =
            any_of(stream, filters, 8) | any_of(stream, events, 11);
        naive->value[n] = any_value(stream);
        if (naive->version < V3P5) {
            naive->value[n] &= 0xFFFFFFFF;
        }
    }
    naive->type[CYCLES] = any_of(stream, filters, 8);
    naive->value[CYCLES] = any_value(stream);
}

/* Gives the PMU the same through its registers. */
static void write_setting(struct armv8_stage *stage, const struct naive *naive)
{
    uint32_t counter = ARMV8_ENCODE(3, 3, 14, 8, 0);
    uint32_t type = ARMV8_ENCODE(3, 3, 14, 12, 0);

    stage_init(stage, naive->version);
    stage->features.counters = (uint8_t)naive->counters;
    armv8_init(&stage->pmu, &stage->features);
    for (unsigned n = 0; n < naive->counters; n++) {
        armv8_write(&stage->pmu, counter + n, 1, naive->value[n]);
        armv8_write(&stage->pmu, type + n, 1, naive->type[n]);
    }
    armv8_write(
        &stage->pmu, ARMV8_ENCODE(3, 3, 9, 13, 0), 1, naive->value[CYCLES]);
    armv8_write(
        &stage->pmu, ARMV8_ENCODE(3, 3, 14, 15, 7), 1, naive->type[CYCLES]);
    armv8_write(&stage->pmu, ARMV8_ENCODE(3, 3, 9, 12, 1), 1, naive->enabled);
    armv8_write(
        &stage->pmu, ARMV8_ENCODE(3, 0, 9, 14, 1), 1, naive->interrupts);
    armv8_write(&stage->pmu, ARMV8_ENCODE(3, 3, 9, 12, 0), 1, naive->pmcr);
}

static struct segment any_segment(
    const struct armv8_stage *stage, struct splitmix *stream)
{
    static const enum event driven[] = {
        EVENT_INSTRUCTIONS, EVENT_BRANCHES, EVENT_LLC_MISSES};
    struct segment segment =
        stage_segment(stage, 1 + splitmix_below(stream, 50),
            splitmix_below(stream, 2) == 0 ? RING_USER : RING_KERNEL);

    segment.halted = splitmix_below(stream, 10) == 0;
    for (size_t i = 0; i < 3; i++) {
        struct rate *rate = &segment.rate[driven[i]];

        rate->q = 1 + splitmix_below(stream, 9);
        rate->p = splitmix_below(stream, 3 * rate->q);
        rate->phase = splitmix_below(stream, rate->q);
    }
    return segment;
}

static void differ(uint64_t seed, const char *what, uint64_t got, uint64_t want)
{
    if (got != want) {
        fail_msg("seed %" PRIu64 ": %s is 0x%" PRIx64 ", not 0x%" PRIx64, seed,
            what, got, want);
    }
}

/* Runs a segment both ways: the slow one overflows in the cycles that the
 * closed form names and in no others. */
static void run_both(uint64_t seed, struct armv8_stage *stage,
    struct naive *naive, const struct segment *segment)
{
    uint64_t parts[EVENT_COUNT];
    uint64_t from = 0;

    for (unsigned i = 0; i < EVENT_COUNT; i++) {
        parts[i] = segment->rate[i].phase;
    }
    while (from < segment->cycles) {
        uint64_t next = armv8_next_overflow(&stage->pmu, segment, from);
        uint64_t to = next > segment->cycles ? segment->cycles : next;
        uint32_t got = armv8_advance(&stage->pmu, segment, from, to);
        uint32_t want = 0;

        assert_true(armv8_check(&stage->pmu));
        differ(seed, "whether there was an overflow", got != 0, next == to);
        while (from < to) {
            differ(seed, "an overflow that was not foreseen", want, 0);
            want = naive_cycle(naive, segment, parts);
            from++;
        }
        differ(seed, "what overflowed", got, want);
        differ(seed, "the interrupt", armv8_interrupt(&stage->pmu),
            naive_interrupt(naive));
    }
    stage->unhalted += segment->halted ? 0 : segment->cycles;
}

static void compare(
    uint64_t seed, const struct armv8_stage *stage, const struct naive *naive)
{
    char name[32];

    for (unsigned n = 0; n < naive->counters; n++) {
        snprintf(name, sizeof(name), "PMEVCNTR%u_EL0@2", n);
        differ(seed, name, stage->pmu.counter[n], naive->value[n]);
    }
    differ(
        seed, "PMCCNTR_EL0", stage->pmu.counter[CYCLES], naive->value[CYCLES]);
    differ(seed, "PMOVSSET_EL0@2", stage->pmu.overflowed, naive->overflowed);
}

static void check_case(uint64_t seed)
{
    struct splitmix stream = {.state = seed};
    struct armv8_stage stage;
    struct naive naive;
    uint64_t segments;

    any_setting(&naive, &stream);
    write_setting(&stage, &naive);
    segments = 1 + splitmix_below(&stream, 4);
    for (uint64_t i = 0; i < segments; i++) {
        struct segment segment = any_segment(&stage, &stream);
        uint32_t clear = (uint32_t)splitmix_next(&stream) & naive_mask(&naive);

        if (i == 0 || splitmix_below(&stream, 3) == 0) {
            armv8_write(&stage.pmu, ARMV8_ENCODE(3, 4, 1, 1, 1), 2,
                any_partition(&naive, &stream));
        }
        run_both(seed, &stage, &naive, &segment);
        compare(seed, &stage, &naive);
        armv8_write(&stage.pmu, ARMV8_ENCODE(3, 3, 9, 12, 3), 2, clear);
        naive.overflowed &= ~clear;
    }
}

static void random_cases_match_counting_by_cycle(void **state)
{
    (void)state;
    print_message("seeds %d to %d\n", SEED, SEED + CASES - 1);
    for (uint64_t i = 0; i < CASES; i++) {
        check_case(SEED + i);
    }
}

TEST_FILE(test_armv8_random)
{
    test_add(list, "twenty_thousand_random_cases_match_counting_by_cycle",
        random_cases_match_counting_by_cycle, NULL);
}
