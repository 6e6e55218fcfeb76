/* armv8_cpu.h - a machine with one Armv8 processor, its registers by name, and
 * a handler that does what a driver's does. */
#ifndef TESTS_SIM_MACHINE_ARMV8_CPU_H
#define TESTS_SIM_MACHINE_ARMV8_CPU_H

#include <string.h>

#include "sim/machine/sysreg.h"
#include "tests/sim/machine/single_cpu.h"

/* A counter of 32 bits that overflows after so many events. */
#define AFTER_1000 0xFFFFFC18

enum { PMCR_E = 1, CYCLES = 0x11, INSTRUCTIONS = 0x08 };

struct armv8_cpu {
    struct single_cpu one;
    uint64_t clears; /* what the handler writes to PMOVSCLR_EL0 */
};

static inline enum armv8_result armv8_cpu_put_at(
    struct cpu *cpu, const char *name, unsigned el, uint64_t value)
{
    uint32_t reg = 0;

    assert_true(armv8_register_find(name, &reg));
    return sysreg_write(cpu, reg, el, value);
}

/* An MSR at EL1 that the processor must accept: 100 cycles, one instruction. */
static inline void armv8_cpu_put(
    struct armv8_cpu *arm, const char *name, uint64_t value)
{
    assert_int_equal(armv8_cpu_put_at(arm->one.cpu, name, 1, value), ARMV8_OK);
}

/* The register's value, at no cost. */
static inline uint64_t armv8_cpu_get(
    const struct armv8_cpu *arm, const char *name)
{
    uint64_t value = 0;
    uint32_t reg = 0;

    assert_true(armv8_register_find(name, &reg));
    assert_int_equal(sysreg_peek(arm->one.cpu, reg, 1, &value), ARMV8_OK);
    return value;
}

/* Clears overflow bits and ends the interrupt. The last interrupt that there is
 * room for clears them all, so that tests come to their end. */
static inline void armv8_cpu_interrupt(
    void *context, struct cpu *cpu, uint8_t vector)
{
    struct armv8_cpu *arm = context;
    struct single_cpu *one = &arm->one;

    assert_true(one->taken_count < TAKEN_MAX);
    one->taken[one->taken_count++] = (struct taken){
        .vector = vector, .time = cpu->time, .status = cpu->armv8->overflowed};
    assert_int_equal(
        armv8_cpu_put_at(cpu, "PMOVSCLR_EL0", 1,
            one->taken_count < TAKEN_MAX ? arm->clears : 0xFFFFFFFF),
        ARMV8_OK);
    lapic_eoi(&cpu->lapic);
}

/* 100 cycles for a register access, vector FEH, 10 of skid. */
static inline void armv8_cpu_init(
    struct armv8_cpu *arm, enum model model, uint32_t latency)
{
    struct pmu_model figures = pmu_models[model];

    figures.latency = latency;
    single_cpu_init_model(&arm->one, &figures);
    machine_on_interrupt(&arm->one.machine, armv8_cpu_interrupt, arm);
    arm->clears = 0xFFFFFFFF;
    lapic_set_lvtpc(&arm->one.cpu->lapic, 0xFE);
}

/* Counter 0 counts cycles, from time 500 on. */
static inline void armv8_cpu_start(
    struct armv8_cpu *arm, uint64_t preset, uint64_t interrupts)
{
    armv8_cpu_put(arm, "PMEVCNTR0_EL0", preset);
    armv8_cpu_put(arm, "PMEVTYPER0_EL0", CYCLES);
    armv8_cpu_put(arm, "PMINTENSET_EL1", interrupts);
    armv8_cpu_put(arm, "PMCNTENSET_EL0", 1);
    armv8_cpu_put(arm, "PMCR_EL0", PMCR_E);
}

/* User code, one instruction a cycle. */
static inline void armv8_cpu_run(struct armv8_cpu *arm, uint64_t cycles)
{
    single_cpu_run(&arm->one, RING_USER, cycles, 1, 1);
}

/* How many records of the trace begin like this, behind their time. */
static inline unsigned armv8_cpu_traced(
    const struct armv8_cpu *arm, const char *wanted)
{
    const struct trace *trace = &arm->one.machine.trace;
    unsigned found = 0;

    for (size_t i = 0; i < trace->count; i++) {
        char line[128];

        trace_format(trace, i, line, sizeof(line));
        found += strncmp(strchr(line, ' ') + 1, wanted, strlen(wanted)) == 0;
    }
    return found;
}

static inline void armv8_cpu_release(struct armv8_cpu *arm)
{
    single_cpu_release(&arm->one);
}

#endif
