/* sysreg.h - MRS and MSR as code on an Armv8 processor executes them: the way
 * to the system registers of its PMU, and to no other. An x86 processor has
 * none, so that all are undefined there. A refusal changes nothing. */
#ifndef SIM_MACHINE_SYSREG_H
#define SIM_MACHINE_SYSREG_H

#include <stdint.h>

#include "sim/pmu/armv8_registers.h"

struct cpu;

/* MRS and MSR at exception level `el`, 0 to 2, of a register by its encoding
 * (ARMV8_ENCODE). Each costs the model's msr_cycles and retires one instruction
 * at EL1 [C] before it takes effect, and is a preemption point afterwards.
 * `*value` is written on ARMV8_OK only. */
enum armv8_result sysreg_read(
    struct cpu *cpu, uint32_t reg, unsigned el, uint64_t *value);
enum armv8_result sysreg_write(
    struct cpu *cpu, uint32_t reg, unsigned el, uint64_t value);

/* MRS at EL1 by code that knows the register to be there, and to be read: any
 * other asserts. */
uint64_t sysreg_read_known(struct cpu *cpu, uint32_t reg);

/* What MRS at `el` would read, without cost or effect, for observers. */
enum armv8_result sysreg_peek(
    const struct cpu *cpu, uint32_t reg, unsigned el, uint64_t *value);

#endif
