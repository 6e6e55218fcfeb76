/* buffered_cpu.h - a processor with PEBS, its DS area and a buffer. The area is
 * written as driver code would, word by word. */
#ifndef TESTS_SIM_PMU_BUFFERED_CPU_H
#define TESTS_SIM_PMU_BUFFERED_CPU_H

#include <string.h>

#include "sim/base/trace.h"
#include "tests/sim/machine/single_cpu.h"

/* Addresses and offsets as in the manual. */
enum {
    IA32_PEBS_ENABLE = 0x3F1,
    MSR_PEBS_DATA_CFG = 0x3F2,
    IA32_DS_AREA = 0x600,
    DS_BASE = 0x20,
    DS_INDEX = 0x28,
    DS_MAXIMUM = 0x30,
    DS_THRESHOLD = 0x38,
    DS_RESET = 0x40,
    DS_BYTES = 0xA0,
    BUFFER_BYTES = 8000,
};

/* Values of a counter of 48 bits that overflows after so many events. */
#define AFTER_2 0xFFFFFFFFFFFE
#define AFTER_50 0xFFFFFFFFFFCE
#define AFTER_99 0xFFFFFFFFFF9D
#define AFTER_100 0xFFFFFFFFFF9C
#define AFTER_101 0xFFFFFFFFFF9B

#define BIT_62 UINT64_C(0x4000000000000000)

struct buffered_cpu {
    struct single_cpu one;
    uint8_t *area, *buffer;
};

static inline void area_store(
    struct buffered_cpu *cpu, size_t offset, uint64_t value)
{
    memcpy(cpu->area + offset, &value, sizeof(value));
}

/* How far the index has come from the beginning of the buffer. */
static inline uint64_t area_index(const struct buffered_cpu *cpu)
{
    uint64_t index;

    memcpy(&index, cpu->area + DS_INDEX, sizeof(index));
    return index - (uint64_t)(uintptr_t)cpu->buffer;
}

static inline uint64_t buffer_word(
    const struct buffered_cpu *cpu, size_t offset)
{
    uint64_t value;

    memcpy(&value, cpu->buffer + offset, sizeof(value));
    return value;
}

/* `maximum` and `threshold` are counted from the beginning of the buffer. */
static inline void buffered_cpu_limits(
    struct buffered_cpu *cpu, uint64_t maximum, uint64_t threshold)
{
    uint64_t base = (uint64_t)(uintptr_t)cpu->buffer;

    area_store(cpu, DS_MAXIMUM, base + maximum);
    area_store(cpu, DS_THRESHOLD, base + threshold);
}

/* At T = 0, LVTPC is open; no counter counts. The index is at the beginning of
 * a buffer in which nothing reaches the threshold, and every reset value is
 * such that 50 events overflow. */
static inline void buffered_cpu_init(
    struct buffered_cpu *cpu, const struct pmu_model *model)
{
    struct memory *memory;
    uint64_t base;

    single_cpu_init_model(&cpu->one, model);
    memory = &cpu->one.machine.memory;
    cpu->area = memory_alloc(memory, DS_BYTES, 0xA5);
    cpu->buffer = memory_alloc(memory, BUFFER_BYTES, 0xA5);
    base = (uint64_t)(uintptr_t)cpu->buffer;
    area_store(cpu, DS_BASE, base);
    area_store(cpu, DS_INDEX, base);
    buffered_cpu_limits(cpu, BUFFER_BYTES, 1000000);
    for (size_t i = DS_RESET; i < DS_BYTES; i += 8) {
        area_store(cpu, i, AFTER_50);
    }
    cpu->one.cpu->lapic.lvtpc = 0xFE;
    cpu->one.cpu->pmu.pebs.ds_area = (uint64_t)(uintptr_t)cpu->area;
}

static inline void buffered_cpu_release(struct buffered_cpu *cpu)
{
    single_cpu_release(&cpu->one);
}

/* User code of instructions at 1111H with 2222H behind them, p/q a cycle. */
static inline void buffered_cpu_run(
    struct buffered_cpu *cpu, uint64_t cycles, uint64_t p, uint64_t q)
{
    struct cpu *own = cpu->one.cpu;
    struct segment segment;

    segment_init(
        &segment, own->pmu.model, cpu_unhalted(own), cycles, RING_USER);
    segment.rate[EVENT_INSTRUCTIONS] = (struct rate){.p = p, .q = q};
    segment.place = (struct code_place){0x1111, 0x2222};
    cpu_run_segment(own, &segment);
}

/* How many records of the trace are of that kind. */
static inline size_t traced(
    const struct buffered_cpu *cpu, enum sim_event event)
{
    const struct trace *trace = &cpu->one.machine.trace;
    size_t count = 0;

    for (size_t i = 0; i < trace->count; i++) {
        count += trace->record[i].kind == &sim_events[event];
    }
    return count;
}

/* The last one of that kind, which there is. */
static inline const struct trace_record *last_traced(
    const struct buffered_cpu *cpu, enum sim_event event)
{
    const struct trace *trace = &cpu->one.machine.trace;
    size_t i = trace->count;

    while (i > 0 && trace->record[i - 1].kind != &sim_events[event]) {
        i--;
    }
    assert_true(i > 0);
    return &trace->record[i - 1];
}

#endif
