/* pmu.c - counting in closed form, and the overflow bits. */
#include "sim/pmu/pmu.h"

#include <assert.h>

#include "sim/bits.h"

enum {
    /* IA32_PERFEVTSELx (pmu.md 1.2) */
    SELECT_USR = 16,
    SELECT_OS = 17,
    SELECT_EDGE = 18,
    SELECT_INT = 20,
    SELECT_EN = 22,
    SELECT_INV = 23,
    SELECT_CMASK = 24,
    /* a field of IA32_FIXED_CTR_CTRL */
    FIXED_OS = 0,
    FIXED_USR = 1,
    FIXED_PMI = 3,
    DEBUGCTL_FREEZE_PERFMON_ON_PMI = 12,
};

static const enum event fixed_events[LIMIT_FIXED_COUNTERS] = {
    EVENT_INSTRUCTIONS, EVENT_CORE_CYCLES, EVENT_TSC_CYCLES};

void pmu_init(struct pmu *pmu, const struct pmu_model *model)
{
    *pmu = (struct pmu){.model = model};
    for (unsigned slot = 0; slot < PMU_SLOTS; slot++) {
        pmc_init(&pmu->counter[slot], model->width_bits);
    }
    /* RESET enables the GP counters (pmu.md 1.2). */
    pmu->global_ctrl = bits_low(model->general);
    pmu_decode(pmu);
}

unsigned pmu_bit(unsigned slot)
{
    assert(slot < PMU_SLOTS);
    return slot < PMU_FIXED_SLOT ? slot : slot - PMU_FIXED_SLOT + 32;
}

enum event pmu_fixed_event(unsigned n)
{
    assert(n < LIMIT_FIXED_COUNTERS);
    return fixed_events[n];
}

static struct pmu_source decode_select(uint64_t select)
{
    return (struct pmu_source){
        .event = event_of_select(
            (uint8_t)bits_get(select, 0, 8), (uint8_t)bits_get(select, 8, 8)),
        .filter = {.cmask = (uint8_t)bits_get(select, SELECT_CMASK, 8),
            .invert = bit_is_set(select, SELECT_INV),
            .edge = bit_is_set(select, SELECT_EDGE)},
        .in_ring = {[RING_KERNEL] = bit_is_set(select, SELECT_OS),
            [RING_USER] = bit_is_set(select, SELECT_USR)},
        .interrupts = bit_is_set(select, SELECT_INT),
    };
}

static struct pmu_source decode_fixed(unsigned n, uint64_t field)
{
    return (struct pmu_source){
        .event = fixed_events[n],
        .in_ring = {[RING_KERNEL] = bit_is_set(field, FIXED_OS),
            [RING_USER] = bit_is_set(field, FIXED_USR)},
        .interrupts = bit_is_set(field, FIXED_PMI),
    };
}

/* Counting condition of version 2: enabled in its own control register and in
 * GLOBAL_CTRL (pmu.md 1.2); the ring is compared while counting. */
static bool slot_is_enabled(const struct pmu *pmu, unsigned slot)
{
    const struct pmu_source *source = &pmu->source[slot];
    bool enabled =
        slot < PMU_FIXED_SLOT ? bit_is_set(pmu->select[slot], SELECT_EN) : true;

    return enabled && bit_is_set(pmu->global_ctrl, pmu_bit(slot)) &&
           (source->in_ring[RING_KERNEL] || source->in_ring[RING_USER]);
}

uint64_t pmu_enabled(const struct pmu *pmu)
{
    uint64_t enabled = 0;

    for (unsigned slot = 0; slot < PMU_SLOTS; slot++) {
        if (slot_is_enabled(pmu, slot)) {
            enabled |= bit(pmu_bit(slot));
        }
    }
    return enabled;
}

void pmu_decode(struct pmu *pmu)
{
    pmu->running = 0;
    for (unsigned slot = 0; slot < PMU_SLOTS; slot++) {
        unsigned n = slot - PMU_FIXED_SLOT;

        pmu->source[slot] =
            slot < PMU_FIXED_SLOT
                ? decode_select(pmu->select[slot])
                : decode_fixed(n, bits_get(pmu->fixed_ctrl, 4 * n, 4));
        if (slot_is_enabled(pmu, slot) &&
            pmu->source[slot].event != EVENT_COUNT) {
            pmu->running |= UINT32_C(1) << slot;
        }
    }
}

/* Whether this running slot counts anything in the segment. */
static bool slot_counts(
    const struct pmu *pmu, const struct segment *segment, unsigned slot)
{
    return !segment->halted && pmu->source[slot].in_ring[segment->ring];
}

uint64_t pmu_next_overflow(
    const struct pmu *pmu, const struct segment *segment, uint64_t from)
{
    uint64_t first = segment->cycles + 1;

    assert(from <= segment->cycles);
    for (uint32_t left = pmu->running; left != 0; left &= left - 1) {
        unsigned slot = bits_lowest(left);
        const struct pmu_source *source = &pmu->source[slot];
        uint64_t at;

        if (!slot_counts(pmu, segment, slot)) {
            continue;
        }
        at = pulses_reach(&segment->rate[source->event], source->filter, from,
            pmc_headroom(&pmu->counter[slot]), segment->cycles);
        first = at < first ? at : first;
    }
    return first;
}

uint64_t pmu_advance(
    struct pmu *pmu, const struct segment *segment, uint64_t from, uint64_t to)
{
    uint64_t wrapped = 0;

    assert(from <= to && to <= segment->cycles);
    for (uint32_t left = pmu->running; left != 0; left &= left - 1) {
        unsigned slot = bits_lowest(left);
        const struct pmu_source *source = &pmu->source[slot];
        const struct rate *rate;
        uint64_t pulses;

        if (!slot_counts(pmu, segment, slot)) {
            continue;
        }
        rate = &segment->rate[source->event];
        pulses = pulses_until(rate, source->filter, to) -
                 pulses_until(rate, source->filter, from);
        if (pmc_add(&pmu->counter[slot], pulses) > 0) {
            wrapped |= bit(pmu_bit(slot));
        }
    }
    /* The bit is set whether or not the counter interrupts (pmu.md 1.3). */
    pmu->global_status |= wrapped;
    return wrapped;
}

uint64_t pmu_interrupting(const struct pmu *pmu, uint64_t bits)
{
    uint64_t interrupting = 0;

    for (unsigned slot = 0; slot < PMU_SLOTS; slot++) {
        if (pmu->source[slot].interrupts) {
            interrupting |= bits & bit(pmu_bit(slot));
        }
    }
    return interrupting;
}

void pmu_freeze(struct pmu *pmu)
{
    if (bit_is_set(pmu->debugctl, DEBUGCTL_FREEZE_PERFMON_ON_PMI)) {
        pmu->global_ctrl = 0;
        pmu_decode(pmu);
    }
}
