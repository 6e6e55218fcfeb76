/* test_pulses_random.c - the closed forms of CMASK, INV and EDGE, and of the
 * next overflow, against counting cycle by cycle.
 *
 * A case is a rate, a filter and a stretch of up to 100 cycles anywhere in a
 * segment. A failure names its seed: NTPMU_SEED=n runs that case first. */
#include <inttypes.h>
#include <stdio.h>

#include "sim/base/limits.h"
#include "sim/base/splitmix.h"
#include "sim/pmu/pulses.h"
#include "tests/rows.h"
#include "tests/sim/pmu/seed.h"

__extension__ typedef unsigned __int128 uint128;

enum { CASES = 100000, CYCLES = 100, SEED = 16807 };

struct random_case {
    uint64_t seed;
    struct rate rate;
    struct pulse_filter filter;
    uint64_t from, to; /* at most CYCLES apart */
    uint64_t need;     /* pulses until the overflow; at least 1 */
};

/* The pulses of a case, one cycle after another. */
struct tally {
    uint64_t begin;                 /* position before the first of them */
    uint64_t total[2 * CYCLES + 1]; /* after so many cycles from there */
};

/* Few cycles in many, many in few, and about half of them. */
static uint64_t random_remainder(struct splitmix *stream, uint64_t q)
{
    switch (splitmix_below(stream, 6)) {
    case 0:
        return 0;
    case 1:
        return q > 1 ? 1 : 0;
    case 2:
        return q - 1;
    case 3:
        return q / 2;
    case 4:
        return (q + 1) / 2 % q;
    default:
        return splitmix_below(stream, q);
    }
}

static struct rate random_rate(struct splitmix *stream)
{
    static const uint64_t largest_q[] = {
        1, 2, 16, 16, 1000, 0xFFFFFFFF, LIMIT_SEGMENT_CYCLES};
    static const uint64_t largest_k[] = {1, 1, 5, LIMIT_RATE_PER_CYCLE};
    struct rate rate = {.phase = 0};
    uint64_t k = splitmix_below(stream, largest_k[splitmix_below(stream, 4)]);

    rate.q = 1 + splitmix_below(stream, largest_q[splitmix_below(stream, 7)]);
    rate.p = k * rate.q + random_remainder(stream, rate.q);
    if (!rate_is_possible(rate.p, rate.q)) {
        rate.p = rate.q * LIMIT_RATE_PER_CYCLE;
    }
    if (splitmix_below(stream, 3) > 0) {
        rate.phase = splitmix_below(stream, rate.q);
    }
    return rate;
}

/* Between "always" and "never" lie the thresholds k, k+1 and k+2. */
static uint8_t random_cmask(struct splitmix *stream, const struct rate *rate)
{
    uint64_t k = rate->p / rate->q;

    switch (splitmix_below(stream, 8)) {
    case 0:
        return 0;
    case 1:
        return (uint8_t)splitmix_below(stream, 256);
    case 2:
        return 255;
    case 3:
        return (uint8_t)k;
    case 4:
        return (uint8_t)(k + 2);
    default:
        return (uint8_t)(k + 1);
    }
}

static uint64_t random_position(struct splitmix *stream)
{
    switch (splitmix_below(stream, 3)) {
    case 0:
        return 0;
    case 1:
        return splitmix_below(stream, CYCLES + 1);
    default:
        return splitmix_below(stream, LIMIT_SEGMENT_CYCLES - CYCLES);
    }
}

static uint64_t random_need(struct splitmix *stream)
{
    switch (splitmix_below(stream, 8)) {
    case 0:
        return 1;
    case 1:
        return splitmix_next(stream) | 1;
    case 2:
        return UINT64_MAX;
    case 3:
    case 4:
        return 1 + splitmix_below(stream, 8);
    default:
        return 1 + splitmix_below(stream, UINT64_C(2) * CYCLES);
    }
}

static void random_case_make(struct random_case *c, uint64_t seed)
{
    struct splitmix stream = {.state = seed};

    c->seed = seed;
    c->rate = random_rate(&stream);
    c->filter.cmask = random_cmask(&stream, &c->rate);
    c->filter.invert = splitmix_below(&stream, 2) == 1;
    c->filter.edge = splitmix_below(&stream, 2) == 1;
    c->from = random_position(&stream);
    c->to = c->from + splitmix_below(&stream, CYCLES + 1);
    c->need = random_need(&stream);
}

/* Events of one cycle; `parts` of `q` are left over for the next. */
static uint64_t cycle_events(const struct rate *rate, uint64_t *parts)
{
    uint64_t events = 0;

    for (*parts += rate->p; *parts >= rate->q; *parts -= rate->q) {
        events++;
    }
    return events;
}

static bool cycle_meets(struct pulse_filter filter, uint64_t events)
{
    if (filter.cmask == 0) {
        return events >= 1;
    }
    return filter.invert ? events < filter.cmask : events >= filter.cmask;
}

/* Counts from the segment's beginning, or when that is far away from the cycle
 * before `from`, which tells EDGE what the condition was. */
static void tally_make(struct tally *tally, const struct random_case *c)
{
    bool met_before = false;
    uint64_t parts;

    tally->begin = c->from <= CYCLES ? 0 : c->from - 1;
    tally->total[0] = 0;
    parts = (uint64_t)(((uint128)c->rate.p * tally->begin + c->rate.phase) %
                       c->rate.q);
    for (uint64_t n = 1; n <= c->to - tally->begin; n++) {
        uint64_t events = cycle_events(&c->rate, &parts);
        bool met = cycle_meets(c->filter, events);
        uint64_t pulses = events;

        if (c->filter.edge) {
            pulses = met && !met_before;
        } else if (c->filter.cmask != 0) {
            pulses = met;
        }
        tally->total[n] = tally->total[n - 1] + pulses;
        met_before = met;
    }
}

/* Pulses from `from` to this position. */
static uint64_t tally_since(
    const struct tally *tally, const struct random_case *c, uint64_t position)
{
    return tally->total[position - tally->begin] -
           tally->total[c->from - tally->begin];
}

static void fail_case(const struct random_case *c, const char *what,
    uint64_t at, uint64_t got, uint64_t want)
{
    fail_msg("NTPMU_SEED=%" PRIu64 ": p=%" PRIu64 " q=%" PRIu64
             " phase=%" PRIu64 " cmask=%u inv=%d edge=%d from=%" PRIu64
             " to=%" PRIu64 " need=%" PRIu64 ": %s %" PRIu64 " gave %" PRIu64
             ", not %" PRIu64,
        c->seed, c->rate.p, c->rate.q, c->rate.phase, c->filter.cmask,
        c->filter.invert, c->filter.edge, c->from, c->to, c->need, what, at,
        got, want);
}

static void check_counts(const struct random_case *c, const struct tally *tally)
{
    uint64_t before = pulses_until(&c->rate, c->filter, c->from);

    if (tally->begin == 0 && before != tally->total[c->from]) {
        fail_case(c, "pulses until", c->from, before, tally->total[c->from]);
    }
    for (uint64_t at = c->from; at <= c->to; at++) {
        uint64_t got = pulses_until(&c->rate, c->filter, at) - before;
        uint64_t want = tally_since(tally, c, at);

        if (got != want) {
            fail_case(c, "pulses from `from` to", at, got, want);
        }
    }
}

/* The cycle in which the counter overflows, found by looking at each. */
static void check_reach(
    const struct random_case *c, const struct tally *tally, uint64_t need)
{
    uint64_t got = pulses_reach(&c->rate, c->filter, c->from, need, c->to);
    uint64_t want = c->from + 1;

    while (want <= c->to && tally_since(tally, c, want) < need) {
        want++;
    }
    if (want > c->to) {
        want = c->to + 1;
    }
    if (got != want) {
        fail_case(c, "overflow after pulses:", need, got, want);
    }
}

static void random_filters_match_counting_by_cycle(void **state)
{
    uint64_t seed = seed_first(SEED);

    (void)state;
    for (uint64_t i = 0; i < CASES; i++) {
        struct random_case c;
        struct tally tally;

        random_case_make(&c, seed + i);
        tally_make(&tally, &c);
        check_counts(&c, &tally);
    }
}

static void random_overflows_match_counting_by_cycle(void **state)
{
    uint64_t seed = seed_first(SEED);

    (void)state;
    for (uint64_t i = 0; i < CASES; i++) {
        struct random_case c;
        struct tally tally;
        uint64_t all;

        random_case_make(&c, seed + i);
        tally_make(&tally, &c);
        all = tally_since(&tally, &c, c.to);
        check_reach(&c, &tally, c.need);
        check_reach(&c, &tally, all + 1);
        if (all > 0) {
            check_reach(&c, &tally, all);
        }
    }
}

TEST_FILE(test_pulses_random)
{
    test_add(list, "hundred_thousand_random_filters_match_counting_by_cycle",
        random_filters_match_counting_by_cycle, NULL);
    test_add(list, "hundred_thousand_random_overflows_match_counting_by_cycle",
        random_overflows_match_counting_by_cycle, NULL);
}
