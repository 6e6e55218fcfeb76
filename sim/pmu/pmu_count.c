/* pmu_count.c - counting in closed form (pmu.md section 3). */
#include <assert.h>

#include "sim/base/bits.h"
#include "sim/pmu/pmu.h"

/* What bursts have added to a counter that does not know it yet. */
static uint64_t slot_behind(const struct pmu *pmu, unsigned slot)
{
    return (pmu->lazy & UINT32_C(1) << slot) == 0
               ? 0
               : pmu->happened[pmu->source[slot].event] - pmu->seen[slot];
}

/* Cycles of bursts in which no counter that is at most at `value` wraps. */
static uint64_t slack_of(const struct pmu *pmu, uint64_t value)
{
    return (bits_low(pmu->model->width) - value) / LIMIT_CLOCK_PER_CYCLE;
}

uint64_t pmu_value(const struct pmu *pmu, unsigned slot)
{
    assert(slot < PMU_SLOTS);
    return pmu->counter[slot].value + slot_behind(pmu, slot);
}

void pmu_set_value(struct pmu *pmu, unsigned slot, uint64_t value)
{
    assert(value <= bits_low(pmu->counter[slot].width_bits));
    pmu->counter[slot].value = value;
    if ((pmu->lazy & UINT32_C(1) << slot) != 0) {
        uint64_t slack = slack_of(pmu, value);

        pmu->seen[slot] = pmu->happened[pmu->source[slot].event];
        pmu->slack = slack < pmu->slack ? slack : pmu->slack;
    }
}

/* No burst lets a counter wrap. */
void pmu_settle(struct pmu *pmu)
{
    uint64_t highest = 0;

    for (uint32_t left = pmu->lazy; left != 0; left &= left - 1) {
        unsigned slot = bits_lowest(left);
        uint64_t happened = pmu->happened[pmu->source[slot].event];
        uint64_t value =
            pmu->counter[slot].value + (happened - pmu->seen[slot]);

        pmu->counter[slot].value = value;
        pmu->seen[slot] = happened;
        highest = value > highest ? value : highest;
    }
    if ((pmu->running & (pmu->filtered | pmu->armed)) != 0) {
        /* Pulses are no function of what happened, and the next event of an
         * armed counter is to be seen at its cycle. */
        pmu->slack = 0;
    } else {
        pmu->slack = pmu->lazy == 0 ? UINT64_MAX : slack_of(pmu, highest);
    }
}

void pmu_burst_clocks(struct pmu *pmu, uint64_t unhalted, uint64_t cycles)
{
    const struct pmu_model *model = pmu->model;

    pmu->happened[EVENT_TSC_CYCLES] +=
        rate_events(&model->tsc, unhalted + cycles) -
        rate_events(&model->tsc, unhalted);
    pmu->happened[EVENT_REF_CYCLES] +=
        rate_events(&model->ref, unhalted + cycles) -
        rate_events(&model->ref, unhalted);
    pmu->happened[EVENT_SLOTS] += cycles * model->slots;
}

/* Whether this running slot counts anything in the segment. */
static bool slot_counts(
    const struct pmu *pmu, const struct segment *segment, unsigned slot)
{
    return !segment->halted && pmu->source[slot].in_ring[segment->ring];
}

/* As pmu_next_overflow(), of armed counters' next events, which is `first` when
 * none is earlier. */
__attribute__((noinline)) static uint64_t next_sample(const struct pmu *pmu,
    const struct segment *segment, uint64_t from, uint64_t first)
{
    for (uint32_t left = pmu->armed & pmu->running; left != 0;
         left &= left - 1) {
        unsigned slot = bits_lowest(left);
        const struct pmu_source *source = &pmu->source[slot];
        uint64_t at;

        if (slot_counts(pmu, segment, slot)) {
            at = pulses_reach(&segment->rate[source->event], source->filter,
                from, 1, segment->cycles);
            first = at < first ? at : first;
        }
    }
    return first;
}

static bool is_filtered(const struct pmu_source *source)
{
    return source->filter.cmask != 0 || source->filter.edge;
}

/* Of several counters of one event the one that is nearest to its wrap is the
 * first, so that an event is looked at once. */
uint64_t pmu_next_overflow(
    const struct pmu *pmu, const struct segment *segment, uint64_t from)
{
    const struct pulse_filter none = {.cmask = 0};
    uint64_t first = segment->cycles + 1;
    uint64_t need[EVENT_COUNT]; /* of those in `events`, bit by event */
    uint32_t events = 0;

    assert(from <= segment->cycles);
    for (uint32_t left = pmu->running; left != 0; left &= left - 1) {
        unsigned slot = bits_lowest(left);
        const struct pmu_source *source = &pmu->source[slot];
        uint32_t own = UINT32_C(1) << source->event;
        struct pmc pmc = pmu->counter[slot];
        uint64_t headroom, at;

        if (!slot_counts(pmu, segment, slot)) {
            continue;
        }
        pmc.value += slot_behind(pmu, slot);
        headroom = pmc_headroom(&pmc);
        if (is_filtered(source)) {
            at = pulses_reach(&segment->rate[source->event], source->filter,
                from, headroom, segment->cycles);
            first = at < first ? at : first;
        } else if ((events & own) == 0 || headroom < need[source->event]) {
            need[source->event] = headroom;
            events |= own;
        }
    }
    for (; events != 0; events &= events - 1) {
        unsigned event = bits_lowest(events);
        uint64_t at = pulses_reach(
            &segment->rate[event], none, from, need[event], segment->cycles);

        first = at < first ? at : first;
    }
    return (pmu->armed & pmu->running) == 0
               ? first
               : next_sample(pmu, segment, from, first);
}

/* The status bit is set whether or not the counter interrupts (pmu.md 1.3);
 * without global registers there is none. */
static uint64_t latch(struct pmu *pmu, uint64_t wrapped)
{
    if (pmu_has_global(pmu->model)) {
        pmu->global_status |= wrapped;
    }
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

    if ((pmu->armed & own) != 0 || (wrapped && pmu->counter[slot].value > 0)) {
        pmu->armed &= ~own;
        pmu->sampled |= own;
    } else if (wrapped) {
        pmu->armed |= own;
    }
}

/* What pmu_advance() has to do besides for PEBS. */
__attribute__((noinline)) static void sample(struct pmu *pmu,
    const struct segment *segment, uint64_t from, uint64_t to, uint64_t wrapped)
{
    for (uint32_t left = pmu->sampling & pmu->running; left != 0;
         left &= left - 1) {
        unsigned slot = bits_lowest(left);
        const struct rate *rate = &segment->rate[pmu->source[slot].event];

        if (slot_counts(pmu, segment, slot) &&
            rate_events(rate, to) > rate_events(rate, from)) {
            slot_sample(pmu, slot, bit_is_set(wrapped, pmu_bit(slot)));
        }
    }
}

uint64_t pmu_advance(
    struct pmu *pmu, const struct segment *segment, uint64_t from, uint64_t to)
{
    uint64_t wrapped = 0;
    uint64_t happened[EVENT_COUNT]; /* of those in `events`, bit by event */
    uint32_t events = 0;

    assert(from <= to && to <= segment->cycles);
    for (uint32_t left = pmu->running; left != 0; left &= left - 1) {
        unsigned slot = bits_lowest(left);
        const struct pmu_source *source = &pmu->source[slot];
        uint32_t own = UINT32_C(1) << source->event;
        uint64_t pulses;

        if (!slot_counts(pmu, segment, slot)) {
            continue;
        }
        if (is_filtered(source)) {
            pulses = pulses_between(segment, source, from, to);
        } else {
            if ((events & own) == 0) {
                happened[source->event] =
                    pulses_between(segment, source, from, to);
                events |= own;
            }
            pulses = happened[source->event] + slot_behind(pmu, slot);
        }
        pmu->seen[slot] = pmu->happened[source->event];
        if (pmc_add(&pmu->counter[slot], pulses) > 0) {
            wrapped |= bit(pmu_bit(slot));
        }
    }
    if ((pmu->sampling & pmu->running) != 0) {
        sample(pmu, segment, from, to, wrapped);
    }
    pmu->slack = 0; /* to be worked out when it is needed */
    return latch(pmu, wrapped);
}

/* What a counter makes of `count` events in one cycle. */
static uint64_t pulses_at_once(struct pulse_filter filter, uint64_t count)
{
    bool meets;

    if (filter.cmask == 0 && !filter.edge) {
        return count;
    }
    meets = count >= (filter.cmask == 0 ? 1 : filter.cmask);
    return filter.invert && filter.cmask != 0 ? !meets : meets;
}

uint64_t pmu_add(
    struct pmu *pmu, enum event event, uint64_t count, enum ring ring)
{
    uint64_t wrapped = 0;

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
    pmu->slack = 0;
    return latch(pmu, wrapped);
}
