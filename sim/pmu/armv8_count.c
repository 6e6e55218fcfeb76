/* armv8_count.c - how the PMU of an Armv8 processor counts: segments, events at
 * once, increments, overflows, chains (pmu.md 1.7, section 3). */
#include <assert.h>

#include "sim/base/bits.h"
#include "sim/base/limits.h"
#include "sim/pmu/armv8.h"
#include "sim/pmu/pulses.h"

/* What `count` cycles add to a counter that may be divided. */
static uint64_t ticks(struct armv8_pmu *pmu, unsigned n, uint64_t count)
{
    uint64_t total = pmu->divided + count;

    if (!armv8_divides(pmu, n)) {
        return count;
    }
    pmu->divided = (uint8_t)(total % ARMV8_DIVIDER);
    return total / ARMV8_DIVIDER;
}

/* The only place where a counter wraps. Returns how many times it overflowed.
 * A counter of 64 bits increments as a whole, wherever it overflows. */
static uint64_t value_add(struct armv8_pmu *pmu, unsigned n, uint64_t count)
{
    uint64_t old = pmu->counter[n];
    uint64_t sum = old + count;
    bool has_64_bits =
        n == ARMV8_CYCLES || armv8_has_long_counters(pmu->features);

    assert(count <= bits_low(63)); /* totals stay below 2^63, see limits.h */
    pmu->counter[n] = has_64_bits ? sum : sum & bits_low(ARMV8_NARROW_BITS);
    if ((pmu->wide & armv8_mask(n)) != 0) {
        return sum < old;
    }
    return ((old & bits_low(ARMV8_NARROW_BITS)) + count) >> ARMV8_NARROW_BITS;
}

/* Whether counter n + 1 counts the overflows of n: an even one, that overflows
 * at bit 31. Its own enable and filter hold for the odd one (pmu.md 1.7). Where
 * HPMN parts the two, LP or HLP of the even one decides [C]. The type of the
 * cycle counter has no event, so it is never chained to counter 30. */
static bool is_chained(const struct armv8_pmu *pmu, unsigned n, unsigned el)
{
    return n % 2 == 0 && (pmu->wide & armv8_mask(n)) == 0 &&
           (pmu->running[el] & armv8_mask(n + 1)) != 0 &&
           armv8_event_number(pmu, n + 1) == ARMV8_EVENT_CHAIN;
}

/* Adds to a running counter and the one chained to it. Returns the bits of
 * those that overflowed. */
static uint32_t counter_add(
    struct armv8_pmu *pmu, unsigned n, uint64_t count, unsigned el)
{
    uint64_t overflows = value_add(pmu, n, ticks(pmu, n, count));

    if (overflows == 0) {
        return 0;
    }
    if (is_chained(pmu, n, el) && value_add(pmu, n + 1, overflows) > 0) {
        return armv8_mask(n) | armv8_mask(n + 1);
    }
    return armv8_mask(n);
}

/* Events until a counter at this value overflows, which is behind by so many; 0
 * stands for 2^64, which never come. */
static inline uint64_t headroom_at(
    const struct armv8_pmu *pmu, unsigned n, uint64_t value, uint64_t behind)
{
    uint64_t narrow =
        bits_low(ARMV8_NARROW_BITS) - (value & bits_low(ARMV8_NARROW_BITS)) + 1;

    if ((pmu->wide & armv8_mask(n)) != 0) {
        return 0 - value;
    }
    return armv8_divides(pmu, n) ? narrow * ARMV8_DIVIDER -
                                       (pmu->divided + behind) % ARMV8_DIVIDER
                                 : narrow;
}

static uint64_t headroom(const struct armv8_pmu *pmu, unsigned n)
{
    return headroom_at(pmu, n, armv8_value(pmu, n), armv8_behind(pmu, n));
}

/* Cycles of bursts in which a counter at this value that is not behind does not
 * overflow. 2^64 are as good as none. */
static uint64_t slack_at(
    const struct armv8_pmu *pmu, unsigned n, uint64_t value)
{
    return headroom_at(pmu, n, value, 0) - 1;
}

static void bound_slack(struct armv8_pmu *pmu, unsigned n)
{
    uint64_t slack = slack_at(pmu, n, pmu->counter[n]);

    assert(armv8_behind(pmu, n) == 0);
    pmu->burst.slack = slack < pmu->burst.slack ? slack : pmu->burst.slack;
}

void armv8_set_value(struct armv8_pmu *pmu, unsigned n, uint64_t value)
{
    assert(n < ARMV8_COUNTERS);
    if (n == ARMV8_CYCLES) {
        pmu->divided = 0;
    }
    pmu->counter[n] = value;
    if ((pmu->lazy & armv8_mask(n)) != 0) {
        uint64_t slack = slack_at(pmu, n, value);

        pmu->included[n] = armv8_happened(pmu, n);
        pmu->burst.slack = slack < pmu->burst.slack ? slack : pmu->burst.slack;
    }
}

/* No burst lets a counter overflow. */
void armv8_settle(struct armv8_pmu *pmu)
{
    uint64_t slack = UINT64_MAX;

    for (uint32_t left = pmu->lazy; left != 0; left &= left - 1) {
        unsigned n = bits_lowest(left);
        uint64_t count = armv8_behind(pmu, n);
        uint64_t own;

        pmu->included[n] += count;
        if (value_add(pmu, n, ticks(pmu, n, count)) > 0) {
            assert(false && "a counter overflowed in a burst");
        }
        own = slack_at(pmu, n, pmu->counter[n]);
        slack = own < slack ? own : slack;
    }
    pmu->burst.slack = slack;
}

uint64_t armv8_next_overflow(
    const struct armv8_pmu *pmu, const struct segment *segment, uint64_t from)
{
    uint64_t first = segment->cycles + 1;
    uint64_t possible = (segment->cycles - from) * LIMIT_RATE_PER_CYCLE;
    uint32_t counters;

    assert(from <= segment->cycles);
    assert(segment->ring < RING_COUNT);
    if (segment->halted) {
        return first;
    }
    counters = pmu->running[armv8_el(segment->ring)];
    if (pmu->burst.slack >= possible) {
        counters &= ~pmu->lazy; /* none of them can overflow */
    }
    for (uint32_t left = counters; left != 0; left &= left - 1) {
        unsigned n = bits_lowest(left);
        uint64_t need = headroom(pmu, n);

        if (pmu->event[n] == EVENT_COUNT || need == 0 || need > possible) {
            continue;
        }
        first =
            events_reach(&segment->rate[pmu->event[n]], from, need, first - 1);
    }
    return first;
}

/* Adds what the lazy count to the totals, where all of them count it and none
 * can overflow. Returns those of the counters that are left. */
static uint32_t advance_totals(struct armv8_pmu *pmu,
    const struct segment *segment, uint64_t from, uint64_t to,
    uint32_t counters)
{
    const struct rate *cycles = &segment->rate[EVENT_CORE_CYCLES];
    const struct rate *instructions = &segment->rate[EVENT_INSTRUCTIONS];
    uint64_t passed, retired, most;

    if (pmu->burst.slack == 0 || pmu->lazy == 0 ||
        (pmu->lazy & ~counters) != 0) {
        return counters;
    }
    passed = rate_between(cycles, from, to);
    retired = rate_between(instructions, from, to);
    most = passed > retired ? passed : retired;
    if (most > pmu->burst.slack) {
        return counters;
    }
    pmu->burst.happened[EVENT_CORE_CYCLES] += passed;
    pmu->burst.happened[EVENT_INSTRUCTIONS] += retired;
    pmu->burst.slack -= most;
    return counters & ~pmu->lazy;
}

/* Apart, as nearly always it is one. */
__attribute__((noinline)) static uint32_t advance_counters(
    struct armv8_pmu *pmu, const struct segment *segment, uint64_t from,
    uint64_t to, uint32_t counters)
{
    unsigned el = armv8_el(segment->ring);
    uint32_t overflowed = 0;

    for (uint32_t left = counters; left != 0; left &= left - 1) {
        unsigned n = bits_lowest(left);
        const struct rate *rate;
        uint64_t count;

        if (pmu->event[n] == EVENT_COUNT) {
            continue;
        }
        rate = &segment->rate[pmu->event[n]];
        count = rate_between(rate, from, to);
        if ((pmu->lazy & armv8_mask(n)) == 0) {
            overflowed |= counter_add(pmu, n, count, el);
            continue;
        }
        count += armv8_behind(pmu, n);
        pmu->included[n] = armv8_happened(pmu, n);
        overflowed |= counter_add(pmu, n, count, el);
        bound_slack(pmu, n);
    }
    return overflowed;
}

/* Advances the one counter that is left, which counts nothing in bursts: nearly
 * always the one that is to overflow. */
static uint32_t advance_one(struct armv8_pmu *pmu,
    const struct segment *segment, uint64_t from, uint64_t to, unsigned n)
{
    enum event event = pmu->event[n];

    return event == EVENT_COUNT
               ? 0
               : counter_add(pmu, n,
                     rate_between(&segment->rate[event], from, to),
                     armv8_el(segment->ring));
}

/* Apart from whoever runs a segment, whose stack it would make larger: there is
 * one for each processor. */
__attribute__((noinline)) uint32_t armv8_advance(struct armv8_pmu *pmu,
    const struct segment *segment, uint64_t from, uint64_t to)
{
    uint32_t counters = pmu->running[armv8_el(segment->ring)];
    uint32_t overflowed = 0;

    assert(from <= to);
    assert(to <= segment->cycles);
    if (segment->halted) {
        return 0;
    }
    counters = advance_totals(pmu, segment, from, to, counters);
    if (counters != 0 && (counters & (counters - 1)) == 0 &&
        (counters & pmu->lazy) == 0) {
        overflowed = advance_one(pmu, segment, from, to, bits_lowest(counters));
    } else {
        overflowed = advance_counters(pmu, segment, from, to, counters);
    }
    armv8_latch(pmu, overflowed);
    return overflowed;
}

uint32_t armv8_add(
    struct armv8_pmu *pmu, enum event event, uint64_t count, unsigned el)
{
    uint32_t overflowed = 0;

    assert(event < EVENT_COUNT);
    assert(el < ARMV8_ELS);
    assert(count <= bits_low(63));
    armv8_settle(pmu);
    for (uint32_t left = pmu->running[el]; left != 0; left &= left - 1) {
        unsigned n = bits_lowest(left);

        if (pmu->event[n] == event) {
            overflowed |= counter_add(pmu, n, count, el);
        }
    }
    pmu->burst.slack = 0;
    armv8_latch(pmu, overflowed);
    return overflowed;
}

uint32_t armv8_increment(struct armv8_pmu *pmu, uint32_t counters, unsigned el)
{
    uint32_t overflowed = 0;

    assert(el < ARMV8_ELS);
    counters &= pmu->running[el] & ~armv8_mask(ARMV8_CYCLES);
    for (uint32_t left = counters; left != 0; left &= left - 1) {
        unsigned n = bits_lowest(left);

        if (armv8_event_number(pmu, n) == ARMV8_EVENT_SW_INCR) {
            overflowed |= counter_add(pmu, n, 1, el);
        }
    }
    armv8_latch(pmu, overflowed);
    return overflowed;
}
