/* pebs.c - registers of PEBS, and its records in guest memory.
 *
 * A record is decoded first: the management area is read, and all that will be
 * touched is looked at. Then nothing can stop half done. */
#include "sim/pmu/pebs.h"

#include <string.h>

#include "sim/base/bits.h"
#include "sim/base/trace_events.h"
#include "sim/machine/machine.h"
#include "sim/machine/msr_rows.h"
#include "sim/pmu/pebs_record.h"

enum {
    /* Of the DS area (pmu.md 1.4). */
    AREA_PEBS = 0x20, /* base, index, absolute maximum, threshold */
    AREA_INDEX = 0x28,
    AREA_RESET = 0x40,
    RESET_FIXED = 8, /* the word of fixed counter 0, below format 5 */
    WORD_BYTES = 8,
    /* Adaptive bits: of a select, of fixed counter n at 32+4n. */
    SELECT_ADAPTIVE = 34,
    FIXED_ADAPTIVE = 32,
    FIXED_FIELD = 4,
    FORMAT_EXACT = 3, /* from here on a record has one counter */
    LINEAR_BITS = 48,
};

/* The four words at AREA_PEBS. */
struct area {
    uint64_t base, index, maximum, threshold;
};

static const struct pmu_model *model_of(const struct cpu *cpu)
{
    return cpu->pmu.model;
}

bool msr_exists_pebs(const struct cpu *cpu, unsigned n)
{
    (void)n;
    return model_of(cpu)->pebs;
}

bool msr_exists_pebs_adaptive(const struct cpu *cpu, unsigned n)
{
    (void)n;
    return model_of(cpu)->pebs_baseline;
}

/* General counters; with the baseline every counter (pmu.md 1.2). */
uint64_t msr_reserved_pebs_enable(
    const struct cpu *cpu, unsigned n, uint64_t value)
{
    const struct pmu_model *model = model_of(cpu);

    (void)n;
    return value & ~(model->pebs_baseline ? model_counters(model)
                                          : bits_low(model->general));
}

uint64_t msr_reserved_pebs_data_cfg(
    const struct cpu *cpu, unsigned n, uint64_t value)
{
    (void)cpu;
    (void)n;
    return value & ~UINT64_C(0xFF00000F);
}

/* An address whose high bits do not all repeat bit 47 is refused whole. */
uint64_t msr_reserved_canonical(
    const struct cpu *cpu, unsigned n, uint64_t value)
{
    uint64_t high = value >> (LINEAR_BITS - 1);

    (void)cpu;
    (void)n;
    return high == 0 || high == bits_low(64 - LINEAR_BITS + 1) ? 0 : value;
}

uint64_t msr_read_pebs_enable(const struct cpu *cpu, unsigned n)
{
    (void)n;
    return cpu->pmu.pebs.enable;
}

uint64_t msr_read_pebs_data_cfg(const struct cpu *cpu, unsigned n)
{
    (void)n;
    return cpu->pmu.pebs.data_cfg;
}

uint64_t msr_read_ds_area(const struct cpu *cpu, unsigned n)
{
    (void)n;
    return cpu->pmu.pebs.ds_area;
}

void msr_write_pebs_enable(struct cpu *cpu, unsigned n, uint64_t value)
{
    (void)n;
    pmu_set_pebs_enable(&cpu->pmu, value);
}

void msr_write_pebs_data_cfg(struct cpu *cpu, unsigned n, uint64_t value)
{
    (void)n;
    cpu->pmu.pebs.data_cfg = value;
}

void msr_write_ds_area(struct cpu *cpu, unsigned n, uint64_t value)
{
    (void)n;
    cpu->pmu.pebs.ds_area = value;
}

/* Whether both the guest and the host can write there now. */
static bool is_there(const struct cpu *cpu, uint64_t address, size_t size)
{
    const struct memory *memory = &cpu->machine->memory;
    const void *start = (const void *)(uintptr_t)address;

    return memory_is_open(memory, start, size) &&
           memory_is_resident(memory, start, size);
}

/* Where the counter's reset value stands. */
static uint64_t reset_address(const struct cpu *cpu, unsigned slot)
{
    unsigned word =
        slot < PMU_FIXED_SLOT ? slot : slot - PMU_FIXED_SLOT + RESET_FIXED;

    return cpu->pmu.pebs.ds_area + AREA_RESET + WORD_BYTES * word;
}

static uint64_t reset_value(const struct cpu *cpu, unsigned slot)
{
    uint64_t value;

    memcpy(&value, (const void *)(uintptr_t)reset_address(cpu, slot),
        sizeof(value));
    return value & bits_low(cpu->pmu.counter[slot].width_bits);
}

/* Which bytes the record of these counters has. */
static struct pebs_layout layout_of(const struct cpu *cpu, uint32_t slots)
{
    const struct pmu *pmu = &cpu->pmu;
    struct pebs_layout layout = {.format = model_of(cpu)->pebs_format};
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

static bool lose(struct cpu *cpu, uint32_t slots, uint64_t address)
{
    cpu_trace(cpu, &sim_events[SIM_EVENT_PEBS_LOST], pmu_bits(slots), address);
    return false;
}

/* Looks at all that a record of `size` bytes for `slots` touches when the
 * counters `reload` are loaded. Returns whether it can be written. */
static bool decode(struct cpu *cpu, uint32_t slots, uint32_t reload,
    size_t size, struct area *area)
{
    uint64_t start = cpu->pmu.pebs.ds_area + AREA_PEBS;

    if (!is_there(cpu, start, sizeof(*area))) {
        return lose(cpu, slots, start);
    }
    memcpy(area, (const void *)(uintptr_t)start, sizeof(*area));
    if (area->index > area->maximum || area->maximum - area->index < size) {
        cpu_trace(cpu, &sim_events[SIM_EVENT_PEBS_FULL], pmu_bits(slots),
            area->index);
        return false;
    }
    if (!is_there(cpu, area->index, size)) {
        return lose(cpu, slots, area->index);
    }
    for (uint32_t left = reload; left != 0; left &= left - 1) {
        uint64_t reset = reset_address(cpu, bits_lowest(left));

        if (!is_there(cpu, reset, WORD_BYTES)) {
            return lose(cpu, slots, reset);
        }
    }
    return true;
}

/* Bit 62 with the record that reaches the threshold. Whether it was clear. */
static bool tell_threshold(struct cpu *cpu, uint64_t index)
{
    struct pmu *pmu = &cpu->pmu;
    bool told = bit_is_set(pmu->global_status, STATUS_DS_BUFFER);

    cpu_trace(cpu, &sim_events[SIM_EVENT_PEBS_THRESHOLD], index);
    pmu_set_status(pmu, pmu->global_status | bit(STATUS_DS_BUFFER));
    return !told;
}

/* The record of `slots`; `waiting` have overflowed, too. Returns whether it
 * reaches the threshold with bit 62 clear. */
static bool write_record(struct cpu *cpu, uint32_t slots, uint32_t waiting,
    const struct code_place *place)
{
    struct pmu *pmu = &cpu->pmu;
    struct pebs_layout layout = layout_of(cpu, slots);
    struct pebs_sample sample = {.place = *place,
        .counters = pmu_bits(slots),
        .status = pmu->global_status | pmu_bits(slots),
        .tsc = cpu->time}; /* as RDTSC */
    size_t size = pebs_record_size(&layout);
    struct area area;
    uint64_t end;

    if (!decode(cpu, slots, slots | waiting, size, &area)) {
        return false;
    }
    end = area.index + size;
    pebs_record_write(&layout, &sample, (uint8_t *)(uintptr_t)area.index);
    memcpy(
        (void *)(uintptr_t)(pmu->pebs.ds_area + AREA_INDEX), &end, sizeof(end));
    cpu_trace(
        cpu, &sim_events[SIM_EVENT_PEBS_RECORD], sample.counters, area.index);
    pmu_set_status(pmu, pmu->global_status & ~sample.counters);
    for (uint32_t left = slots | waiting; left != 0; left &= left - 1) {
        unsigned slot = bits_lowest(left);

        pmu_set_value(pmu, slot, reset_value(cpu, slot));
    }
    return end >= area.threshold && tell_threshold(cpu, end);
}

bool pebs_take(struct cpu *cpu, const struct code_place *place)
{
    struct pmu *pmu = &cpu->pmu;
    uint32_t left = pmu->sampled;
    bool asks = false;

    pmu->sampled = 0;
    if (model_of(cpu)->pebs_format < FORMAT_EXACT) {
        left |= pmu->armed;
        pmu->armed = 0;
        return write_record(cpu, left, 0, place);
    }
    for (; left != 0; left &= left - 1) {
        uint32_t own = left & -left;

        asks |= write_record(cpu, own, (left & ~own) | pmu->armed, place);
    }
    return asks;
}
