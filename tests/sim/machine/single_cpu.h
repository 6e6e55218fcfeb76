/* single_cpu.h - a machine with one processor, and the interrupts that it took.
 * Its handler costs no cycles, so that a test's sums stay the test's own. */
#ifndef TESTS_SIM_MACHINE_SINGLE_CPU_H
#define TESTS_SIM_MACHINE_SINGLE_CPU_H

#include "sim/machine/machine.h"
#include "sim/machine/msr.h"
#include "tests/rows.h"

/* Addresses as in the manual. */
enum {
    IA32_PMC0 = 0x0C1,
    IA32_PMC1 = 0x0C2,
    IA32_PERFEVTSEL0 = 0x186,
    IA32_PERFEVTSEL1 = 0x187,
    IA32_DEBUGCTL = 0x1D9,
    IA32_FIXED_CTR0 = 0x309,
    IA32_FIXED_CTR1 = 0x30A,
    IA32_FIXED_CTR_CTRL = 0x38D,
    IA32_PERF_GLOBAL_STATUS = 0x38E,
    IA32_PERF_GLOBAL_CTRL = 0x38F,
    IA32_PERF_GLOBAL_OVF_CTRL = 0x390,
    IA32_X2APIC_TPR = 0x808,
    IA32_X2APIC_EOI = 0x80B,
    IA32_X2APIC_LVT_PMI = 0x834,
};

enum { TAKEN_MAX = 8 };

/* An interrupt, as its handler found things. */
struct taken {
    uint8_t vector;
    uint64_t time;
    uint64_t pmc0;
    uint64_t status;
};

struct single_cpu {
    struct machine machine;
    struct cpu *cpu;
    struct taken taken[TAKEN_MAX];
    unsigned taken_count;
};

/* The register's value, at no cost. */
static inline uint64_t single_cpu_peek(
    const struct single_cpu *one, uint32_t address)
{
    uint64_t value = 0;

    assert_int_equal(msr_peek(one->cpu, address, &value), MSR_OK);
    return value;
}

/* A WRMSR that the processor must accept: 100 cycles, one instruction. */
static inline void single_cpu_write(
    struct single_cpu *one, uint32_t address, uint64_t value)
{
    assert_int_equal(msr_write(one->cpu, address, value), MSR_OK);
}

static inline void single_cpu_interrupt(
    void *context, struct cpu *cpu, uint8_t vector)
{
    struct single_cpu *one = context;

    if (one->taken_count < TAKEN_MAX) {
        one->taken[one->taken_count] = (struct taken){
            .vector = vector,
            .time = cpu->time,
            .pmc0 = pmu_value(&cpu->pmu, 0),
            .status = cpu->pmu.global_status,
        };
    }
    one->taken_count++;
    if (vector != VECTOR_NMI) {
        lapic_eoi(&cpu->lapic);
    }
}

static inline void single_cpu_init_model(
    struct single_cpu *one, const struct pmu_model *model)
{
    struct machine_config config = {
        .processors = 1, .groups = 1, .pmu = *model};

    one->taken_count = 0;
    assert_true(machine_reserve(&one->machine));
    machine_reset(&one->machine, &config);
    machine_on_interrupt(&one->machine, single_cpu_interrupt, one);
    one->cpu = machine_cpu(&one->machine, 0);
}

/* Version 2, 8 GP and 3 fixed counters of 48 bits, 100 cycles for a register
 * access, 30 of latency and 10 of skid. */
static inline void single_cpu_init(struct single_cpu *one)
{
    single_cpu_init_model(one, &pmu_models[MODEL_INTEL_V2]);
}

static inline void single_cpu_release(struct single_cpu *one)
{
    machine_release(&one->machine);
}

/* Runs `cycles` in which p/q instructions retire per cycle. */
static inline void single_cpu_run(struct single_cpu *one, enum ring ring,
    uint64_t cycles, uint64_t p, uint64_t q)
{
    struct cpu *cpu = one->cpu;
    struct segment segment;

    segment_init(&segment, cpu->pmu.model, cpu_unhalted(cpu), cycles, ring);
    segment.rate[EVENT_INSTRUCTIONS] = (struct rate){.p = p, .q = q};
    cpu_run_segment(cpu, &segment);
}

#endif
