/* pebs.c - samples of PEBS: records that go to a buffer in guest memory.
 *
 * A record is decoded first: the management area is read, and all that will be
 * touched is looked at. Then nothing can stop half done. */
#include "sim/pmu/pebs.h"

#include <assert.h>
#include <string.h>

#include "sim/base/bits.h"
#include "sim/pmu/pebs_record.h"

enum {
    /* Of the DS area (pmu.md 1.4). */
    AREA_PEBS = 0x20, /* base, index, absolute maximum, threshold */
    AREA_INDEX = 0x28,
    AREA_RESET = 0x40,
    RESET_FIXED = 8, /* the word of fixed counter 0, below format 5 */
    WORD_BYTES = 8,
    AREA_END = AREA_RESET + (RESET_FIXED + LIMIT_FIXED_COUNTERS) * WORD_BYTES,
    /* Adaptive bits: of a select, of fixed counter n at 32+4n. */
    SELECT_ADAPTIVE = 34,
    FIXED_ADAPTIVE = 32,
    FIXED_FIELD = 4,
    FORMAT_EXACT = 3, /* from here on a record has one counter */
};

/* The four words at AREA_PEBS. */
struct area {
    uint64_t base, index, maximum, threshold;
};

/* What the samples of one moment are about. */
struct sampler {
    struct pmu *pmu;
    struct memory *memory;
    const struct trace_point *now;
    const struct pebs_moment *moment;
    uint32_t sampled;                   /* slots whose event has come */
    struct code_place place[PMU_SLOTS]; /* of those */
};

static void record_event(const struct sampler *sampler, enum sim_event event,
    uint64_t first, uint64_t second)
{
    const struct trace_point *now = sampler->now;

    if (now->trace->off) {
        return;
    }
    trace_add(now->trace, now->time, now->processor, &sim_events[event],
        (const uint64_t[TRACE_VALUES]){first, second});
}

/* Whether both the guest and the host can write there now. */
static bool is_writable(
    const struct sampler *sampler, uint64_t address, size_t size)
{
    return memory_is_usable(
        sampler->memory, (const void *)(uintptr_t)address, size);
}

/* Where the counter's reset value stands. */
static uint64_t reset_address(const struct pmu *pmu, unsigned slot)
{
    unsigned word =
        slot < PMU_FIXED_SLOT ? slot : slot - PMU_FIXED_SLOT + RESET_FIXED;

    return pmu->pebs.ds_area + AREA_RESET + WORD_BYTES * word;
}

static uint64_t reset_value(const struct pmu *pmu, unsigned slot)
{
    uint64_t value;

    memcpy(&value, (const void *)(uintptr_t)reset_address(pmu, slot),
        sizeof(value));
    return value & bits_low(pmu->counter[slot].width_bits);
}

/* Which bytes the record of these counters has. */
static struct pebs_layout layout_of(const struct pmu *pmu, uint32_t slots)
{
    struct pebs_layout layout = {.format = pmu->model->pebs_format};
    bool adaptive = false;

    for (uint32_t left = slots; left != 0; left &= left - 1) {
        unsigned slot = bits_lowest(left);

        adaptive |=
            slot < PMU_FIXED_SLOT
                ? bit_is_set(pmu->select[slot], SELECT_ADAPTIVE)
                : bit_is_set(pmu->fixed_ctrl,
                      FIXED_ADAPTIVE + FIXED_FIELD * (slot - PMU_FIXED_SLOT));
    }
    layout.data_cfg = adaptive ? (uint32_t)pmu->pebs.data_cfg : 0;
    return layout;
}

static bool lose(
    const struct sampler *sampler, uint32_t slots, uint64_t address)
{
    sampler->pmu->lost++;
    record_event(sampler, SIM_EVENT_PEBS_LOST, pmu_bits(slots), address);
    return false;
}

/* Looks at all that a record of `size` bytes for `slots` touches when the
 * counters `reload` are loaded. Returns whether it can be written. */
static bool decode(const struct sampler *sampler, uint32_t slots,
    uint32_t reload, size_t size, struct area *area)
{
    uint64_t start = sampler->pmu->pebs.ds_area + AREA_PEBS;
    bool whole = is_writable(sampler, start, AREA_END - AREA_PEBS);

    if (!whole && !is_writable(sampler, start, sizeof(*area))) {
        return lose(sampler, slots, start);
    }
    memcpy(area, (const void *)(uintptr_t)start, sizeof(*area));
    if (area->index > area->maximum || area->maximum - area->index < size) {
        record_event(
            sampler, SIM_EVENT_PEBS_FULL, pmu_bits(slots), area->index);
        return false;
    }
    if (!is_writable(sampler, area->index, size)) {
        return lose(sampler, slots, area->index);
    }
    for (uint32_t left = whole ? 0 : reload; left != 0; left &= left - 1) {
        uint64_t reset = reset_address(sampler->pmu, bits_lowest(left));

        if (!is_writable(sampler, reset, WORD_BYTES)) {
            return lose(sampler, slots, reset);
        }
    }
    return true;
}

/* Bit 62 with the record that reaches the threshold. Whether it was clear. */
static bool tell_threshold(const struct sampler *sampler, uint64_t index)
{
    struct pmu *pmu = sampler->pmu;
    bool told = bit_is_set(pmu->global_status, STATUS_DS_BUFFER);

    record_event(sampler, SIM_EVENT_PEBS_THRESHOLD, index, 0);
    pmu_set_status(pmu, pmu->global_status | bit(STATUS_DS_BUFFER));
    return !told;
}

/* The number of the slot's sample among the segment's events of its kind, from
 * 0: the first one that has come, or the one behind the overflow. */
static uint64_t event_number(
    const struct pmu *pmu, const struct pebs_moment *moment, unsigned slot)
{
    const struct segment *segment = moment->segment;
    enum event event = pmu->source[slot].event;
    uint64_t before = segment->before == NULL ? 0 : segment->before[event];

    if ((moment->armed >> slot & 1) != 0) {
        return before + rate_events(&segment->rate[event], moment->from);
    }
    assert(pmu_value(pmu, slot) > 0); /* the overflow left it at 0 */
    return before + rate_events(&segment->rate[event], moment->to) -
           pmu_value(pmu, slot);
}

static struct code_place place_of(const struct sampler *sampler, unsigned slot)
{
    const struct segment *segment = sampler->moment->segment;

    if (segment == NULL) {
        return (struct code_place){0};
    }
    return segment->code == NULL
               ? segment->place
               : code_place(segment->code, sampler->pmu->source[slot].event,
                     event_number(sampler->pmu, sampler->moment, slot));
}

/* Where the events are from that slots have sampled; before any is loaded. */
static void find_places(struct sampler *sampler)
{
    for (uint32_t left = sampler->sampled; left != 0; left &= left - 1) {
        unsigned slot = bits_lowest(left);

        sampler->place[slot] = place_of(sampler, slot);
    }
}

/* The record of `slots`; `waiting` have overflowed, too. Returns whether it
 * reaches the threshold with bit 62 clear. */
static bool write_record(
    const struct sampler *sampler, uint32_t slots, uint32_t waiting)
{
    struct pmu *pmu = sampler->pmu;
    struct pebs_layout layout = layout_of(pmu, slots);
    struct pebs_sample sample = {
        .place = sampler->place[bits_lowest(slots & sampler->sampled)],
        .counters = pmu_bits(slots),
        .status = pmu->global_status | pmu_bits(slots),
        .tsc = rate_events(&pmu->model->tsc, sampler->now->time)};
    size_t size = pebs_record_size(&layout);
    struct area area;
    uint64_t end;

    assert(slots != 0);
    assert((slots & waiting) == 0);
    if (!decode(sampler, slots, slots | waiting, size, &area)) {
        return false;
    }
    end = area.index + size;
    pebs_record_write(&layout, size, &sample, (uint8_t *)(uintptr_t)area.index);
    memcpy(
        (void *)(uintptr_t)(pmu->pebs.ds_area + AREA_INDEX), &end, sizeof(end));
    record_event(sampler, SIM_EVENT_PEBS_RECORD, sample.counters, area.index);
    pmu_set_status(pmu, pmu->global_status & ~sample.counters);
    for (uint32_t left = slots | waiting; left != 0; left &= left - 1) {
        unsigned slot = bits_lowest(left);

        pmu_set_value(pmu, slot, reset_value(pmu, slot));
    }
    return end >= area.threshold && tell_threshold(sampler, end);
}

bool pebs_take(struct pmu *pmu, struct memory *memory,
    const struct trace_point *now, const struct pebs_moment *moment)
{
    struct sampler sampler; /* not zeroed: most places are never looked at */
    uint32_t left = pmu->sampled;
    bool asks = false;

    assert(pmu->model->pebs);
    assert(left != 0);
    sampler.pmu = pmu;
    sampler.memory = memory;
    sampler.now = now;
    sampler.moment = moment;
    sampler.sampled = left;
    find_places(&sampler);
    pmu->sampled = 0;
    if (pmu->model->pebs_format < FORMAT_EXACT) {
        left |= pmu->armed;
        pmu->armed = 0;
        return write_record(&sampler, left, 0);
    }
    for (; left != 0; left &= left - 1) {
        uint32_t own = left & -left;

        asks |= write_record(&sampler, own, (left & ~own) | pmu->armed);
    }
    return asks;
}
