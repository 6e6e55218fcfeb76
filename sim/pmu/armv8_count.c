/* armv8_count.c - counting in closed form, chains, and where counters wrap. */
#include "sim/pmu/armv8_count.h"

#include <assert.h>

#include "sim/base/bits.h"
#include "sim/pmu/pulses.h"

enum {
    NARROW_BITS = 32,
    DIVIDER = 64, /* cycles a tick of PMCCNTR_EL0 with PMCR_EL0.D */
};

/* PMCR_EL0.D divides only as long as LC is 0. */
static bool divides(const struct armv8_pmu *pmu, unsigned n)
{
    return n == ARMV8_CYCLES && bit_is_set(pmu->pmcr, ARMV8_PMCR_D) &&
           !bit_is_set(pmu->pmcr, ARMV8_PMCR_LC);
}

/* What `count` cycles add to a counter that may be divided. */
static uint64_t ticks(struct armv8_pmu *pmu, unsigned n, uint64_t count)
{
    uint64_t total = pmu->divided + count;

    if (!divides(pmu, n)) {
        return count;
    }
    pmu->divided = (uint8_t)(total % DIVIDER);
    return total / DIVIDER;
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
    pmu->counter[n] = has_64_bits ? sum : sum & bits_low(NARROW_BITS);
    if ((pmu->wide & armv8_mask(n)) != 0) {
        return sum < old;
    }
    return ((old & bits_low(NARROW_BITS)) + count) >> NARROW_BITS;
}

/* Whether counter n + 1 counts the overflows of n: an even one, that overflows
 * at bit 31. Its own enable and filter hold for the odd one (pmu.md 1.7). Where
 * HPMN parts the two, LP or HLP of the even one decides [C]. The type of the
 * cycle counter has no event, so it is never chained to counter 30. */
static bool is_chained(const struct armv8_pmu *pmu, unsigned n, unsigned el)
{
    return n % 2 == 0 && (pmu->wide & armv8_mask(n)) == 0 &&
           (pmu->running[el] & armv8_mask(n + 1)) != 0 &&
           armv8_counts_number(pmu, n + 1, ARMV8_EVENT_CHAIN);
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

/* Events until the counter overflows; 0 stands for 2^64, which never come. */
static uint64_t headroom(const struct armv8_pmu *pmu, unsigned n)
{
    uint64_t value = pmu->counter[n];
    uint64_t narrow =
        bits_low(NARROW_BITS) - (value & bits_low(NARROW_BITS)) + 1;

    if ((pmu->wide & armv8_mask(n)) != 0) {
        return 0 - value;
    }
    return divides(pmu, n) ? narrow * DIVIDER - pmu->divided : narrow;
}

uint64_t armv8_next_overflow(
    const struct armv8_pmu *pmu, const struct segment *segment, uint64_t from)
{
    static const struct pulse_filter every_event = {.cmask = 0};
    uint64_t first = segment->cycles + 1;

    assert(from <= segment->cycles);
    if (segment->halted) {
        return first;
    }
    for (uint32_t left = pmu->running[armv8_el(segment->ring)]; left != 0;
         left &= left - 1) {
        unsigned n = bits_lowest(left);
        uint64_t need = headroom(pmu, n);
        uint64_t at;

        if (pmu->event[n] == EVENT_COUNT || need == 0) {
            continue;
        }
        at = pulses_reach(&segment->rate[pmu->event[n]], every_event, from,
            need, segment->cycles);
        first = at < first ? at : first;
    }
    return first;
}

uint32_t armv8_advance(struct armv8_pmu *pmu, const struct segment *segment,
    uint64_t from, uint64_t to)
{
    unsigned el = armv8_el(segment->ring);
    uint32_t overflowed = 0;

    assert(from <= to && to <= segment->cycles);
    if (segment->halted) {
        return 0;
    }
    for (uint32_t left = pmu->running[el]; left != 0; left &= left - 1) {
        unsigned n = bits_lowest(left);
        const struct rate *rate;

        if (pmu->event[n] == EVENT_COUNT) {
            continue;
        }
        rate = &segment->rate[pmu->event[n]];
        overflowed |= counter_add(
            pmu, n, rate_events(rate, to) - rate_events(rate, from), el);
    }
    armv8_latch(pmu, overflowed);
    return overflowed;
}

uint32_t armv8_burst(
    struct armv8_pmu *pmu, enum event event, uint64_t count, unsigned el)
{
    uint32_t overflowed = 0;

    assert(event < EVENT_COUNT && el < ARMV8_ELS);
    for (uint32_t left = pmu->running[el]; left != 0; left &= left - 1) {
        unsigned n = bits_lowest(left);

        if (pmu->event[n] == event) {
            overflowed |= counter_add(pmu, n, count, el);
        }
    }
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

        if (armv8_counts_number(pmu, n, ARMV8_EVENT_SW_INCR)) {
            overflowed |= counter_add(pmu, n, 1, el);
        }
    }
    armv8_latch(pmu, overflowed);
    return overflowed;
}
