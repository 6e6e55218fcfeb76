/* pmu_count.c - how the PMU of an x86 processor counts: segments, events at
 * once, overflows and samples, in closed form (pmu.md section 3). */
#include <assert.h>

#include "sim/base/bits.h"
#include "sim/pmu/pmu.h"

/* The running slots that count anything in the segment. */
static uint32_t counting(const struct pmu *pmu, const struct segment *segment)
{
    return segment->halted ? 0 : pmu->running & pmu->counting[segment->ring];
}

/* As pmu_next_overflow(), of armed counters' next events, which is `first` when
 * none is earlier. */
__attribute__((noinline)) static uint64_t next_sample(const struct pmu *pmu,
    const struct segment *segment, uint64_t from, uint64_t first)
{
    for (uint32_t left = pmu->armed & counting(pmu, segment); left != 0;
         left &= left - 1) {
        const struct pmu_source *source = &pmu->source[bits_lowest(left)];
        uint64_t at = pulses_reach(&segment->rate[source->event],
            source->filter, from, 1, segment->cycles);

        first = at < first ? at : first;
    }
    return first;
}

/* Each is asked only whether it comes before those that were asked. */
uint64_t pmu_next_stop(const struct pmu *pmu, const struct segment *segment,
    uint64_t from, bool told)
{
    uint64_t first = segment->cycles + 1;
    uint32_t silent = told ? 0 : pmu->sampling & ~pmu->armed;
    uint64_t possible = (segment->cycles - from) * LIMIT_RATE_PER_CYCLE;
    uint32_t slots = counting(pmu, segment);

    assert(from <= segment->cycles);
    if (pmu->burst.slack >= possible / LIMIT_CLOCK_PER_CYCLE) {
        slots &= ~pmu->lazy; /* none of them can wrap */
    }
    for (uint32_t left = slots; left != 0; left &= left - 1) {
        unsigned slot = bits_lowest(left);
        const struct pmu_source *source = &pmu->source[slot];
        const struct rate *rate = &segment->rate[source->event];
        uint64_t headroom = pmu->most - pmu_value(pmu, slot) + 1;

        if (headroom > possible) {
            continue;
        }
        if ((silent >> slot & 1) != 0 && !source->interrupts) {
            headroom++; /* the event behind the overflow is the sample */
        }
        first =
            (pmu->plain >> slot & 1) != 0
                ? events_reach(rate, from, headroom, first - 1)
                : pulses_reach(rate, source->filter, from, headroom, first - 1);
    }
    return (pmu->armed & pmu->running) == 0
               ? first
               : next_sample(pmu, segment, from, first);
}

/* The status bit is set whether or not the counter interrupts (pmu.md 1.3);
 * without global registers there is none. */
static uint64_t latch(struct pmu *pmu, uint64_t wrapped)
{
    pmu->global_status |= wrapped & pmu->latches;
    return wrapped;
}

static uint64_t pulses_between(const struct segment *segment,
    const struct pmu_source *source, uint64_t from, uint64_t to)
{
    const struct rate *rate = &segment->rate[source->event];

    return pulses_until(rate, source->filter, to) -
           pulses_until(rate, source->filter, from);
}

/* A sampling counter has had events, and wrapped or not. The event behind the
 * overflow is a sample, also when several come in one cycle (pmu.md 1.4). */
static void slot_sample(struct pmu *pmu, unsigned slot, bool wrapped)
{
    uint32_t own = UINT32_C(1) << slot;

    assert((pmu->sampling & own) != 0);
    if ((pmu->armed & own) != 0 || (wrapped && pmu->counter[slot].value > 0)) {
        pmu->armed &= ~own;
        pmu->sampled |= own;
    } else if (wrapped) {
        pmu->armed |= own;
    }
}

/* Those of the lazy that have counted are at most at `highest`. Pulses and
 * samples are looked at in each burst. */
static void bound_slack(struct pmu *pmu, uint64_t highest)
{
    uint64_t slack = pmu_slack(pmu, highest);

    if (pmu->sampling != 0 || (pmu->running & pmu->filtered) != 0) {
        pmu->burst.slack = 0;
    } else if (slack < pmu->burst.slack) {
        pmu->burst.slack = slack;
    }
}

/* Adds what the lazy count to the totals, where all of them count it, none can
 * wrap and nobody looks at each. Returns those of the slots that are left. The
 * slack is that of bursts in which as much happens at the most. */
static uint32_t advance_totals(struct pmu *pmu, const struct segment *segment,
    uint64_t from, uint64_t to, uint32_t slots)
{
    uint64_t bursts =
        (to - from) * (LIMIT_RATE_PER_CYCLE / LIMIT_CLOCK_PER_CYCLE);

    if (pmu->burst.slack <= bursts || pmu->lazy == 0 ||
        (pmu->lazy & ~slots) != 0 || pmu->sampling != 0) {
        return slots;
    }
    pmu->burst.slack -= bursts;
    for (uint32_t left = pmu->totals; left != 0; left &= left - 1) {
        unsigned event = bits_lowest(left);

        pmu->burst.happened[event] +=
            rate_between(&segment->rate[event], from, to);
    }
    return slots & ~pmu->lazy;
}

/* Advances the one slot that is left, which counts nothing in bursts: nearly
 * always the one that is to overflow. */
static uint64_t advance_one(struct pmu *pmu, const struct segment *segment,
    uint64_t from, uint64_t to, unsigned slot)
{
    uint64_t sum =
        pmu->counter[slot].value +
        rate_between(&segment->rate[pmu->source[slot].event], from, to);

    pmu->counter[slot].value = sum & pmu->most;
    return sum > pmu->most ? latch(pmu, bit(pmu_bit(slot))) : 0;
}

/* Apart, as nearly always it is one. */
__attribute__((noinline)) static uint64_t advance_slots(struct pmu *pmu,
    const struct segment *segment, uint64_t from, uint64_t to, uint32_t slots)
{
    uint64_t wrapped = 0, highest = 0;
    uint64_t happened[EVENT_COUNT]; /* of those in `events`, bit by event */
    uint32_t events = 0;

    for (uint32_t left = slots; left != 0; left &= left - 1) {
        unsigned slot = bits_lowest(left);
        const struct pmu_source *source = &pmu->source[slot];
        enum event event = source->event;
        bool plain = (pmu->plain >> slot & 1) != 0;
        uint64_t pulses, sum;

        if (!plain) {
            pulses = pulses_between(segment, source, from, to);
        } else {
            if ((events >> event & 1) == 0) {
                happened[event] = rate_between(&segment->rate[event], from, to);
                events |= UINT32_C(1) << event;
            }
            pulses = happened[event] + pmu_behind(pmu, slot);
        }
        pmu->included[slot] = pmu->burst.happened[event];
        sum = pmu->counter[slot].value + pulses;
        pmu->counter[slot].value = sum & pmu->most;
        if (sum > pmu->most) {
            wrapped |= bit(pmu_bit(slot));
        }
        if ((pmu->sampling >> slot & 1) != 0 && plain && happened[event] > 0) {
            slot_sample(pmu, slot, sum > pmu->most);
        }
        if ((pmu->lazy >> slot & 1) != 0 && (sum & pmu->most) > highest) {
            highest = sum & pmu->most;
        }
    }
    bound_slack(pmu, highest);
    return latch(pmu, wrapped);
}

uint64_t pmu_advance(
    struct pmu *pmu, const struct segment *segment, uint64_t from, uint64_t to)
{
    uint32_t slots = counting(pmu, segment);

    assert(from <= to);
    assert(to <= segment->cycles);
    slots = advance_totals(pmu, segment, from, to, slots);
    return (slots & (slots - 1)) == 0 && pmu->sampling == 0 &&
                   (slots & pmu->plain & ~pmu->lazy) != 0
               ? advance_one(pmu, segment, from, to, bits_lowest(slots))
               : advance_slots(pmu, segment, from, to, slots);
}

uint64_t pmu_add(
    struct pmu *pmu, enum event event, uint64_t count, enum ring ring)
{
    uint64_t wrapped = 0;

    assert(event < EVENT_COUNT);
    assert(ring < RING_COUNT);
    assert(count <= bits_low(63));
    assert(pmu_check(pmu));
    pmu_settle(pmu);
    for (uint32_t left = pmu->running; left != 0; left &= left - 1) {
        unsigned slot = bits_lowest(left);
        const struct pmu_source *source = &pmu->source[slot];

        if (source->event != event || !source->in_ring[ring]) {
            continue;
        }
        if (pmc_add(&pmu->counter[slot],
                pulses_at_once(source->filter, count)) > 0) {
            wrapped |= bit(pmu_bit(slot));
        }
        if ((pmu->sampling >> slot & 1) != 0 && count > 0) {
            slot_sample(pmu, slot, bit_is_set(wrapped, pmu_bit(slot)));
        }
    }
    pmu->burst.slack = 0;
    return latch(pmu, wrapped);
}
