/* msr.h - RDMSR, WRMSR and RDPMC as code on a processor executes them:
 * the one way to its registers. A fault is a result, and changes nothing. */
#ifndef SIM_MACHINE_MSR_H
#define SIM_MACHINE_MSR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/pmu/segment.h"

struct cpu;

enum msr_result { MSR_OK, MSR_GP_FAULT };

/* Each of these costs the model's msr_cycles and retires one instruction in
 * the kernel ring before it takes effect (pmu.md 2.19), and is a preemption
 * point afterwards. `*value` is written on MSR_OK only. */
enum msr_result msr_read(struct cpu *cpu, uint32_t address, uint64_t *value);
enum msr_result msr_write(struct cpu *cpu, uint32_t address, uint64_t value);

/* RDPMC with ECX = `selector`, by code in `ring`; `cr4_pce` is CR4.PCE. */
enum msr_result msr_rdpmc(struct cpu *cpu, uint32_t selector, enum ring ring,
    bool cr4_pce, uint64_t *value);

/* What each of them begins with: the cycles of the instruction pass, and every
 * processor with an earlier time goes first, before it takes effect. */
void msr_pay(struct cpu *cpu);

/* The register's value without cost or effect, for observers. */
enum msr_result msr_peek(
    const struct cpu *cpu, uint32_t address, uint64_t *value);

/* The address that a name such as IA32_PMC0 stands for, also where this model
 * lacks the register. Returns false when there is no such name. */
bool msr_address(const char *name, uint32_t *address);

/* Writes the name of the n-th register of all that a model may have, for lists
 * and suggestions. Returns false when there are not that many. */
bool msr_name(size_t n, char *name, size_t size);

#endif
