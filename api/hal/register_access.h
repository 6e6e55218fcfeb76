/* register_access.h - RDMSR, WRMSR, RDPMC and CPUID, MRS and MSR executed by a
 * driver: what the processor does, and the rules a driver can break with it. */
#ifndef API_HAL_REGISTER_ACCESS_H
#define API_HAL_REGISTER_ACCESS_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/pmu/segment.h"

struct cpu;
struct kernel;

/* All raise a #GP, or an undefined instruction, at the running code as an
 * exception, so they return only when the access succeeded. What the part has
 * and the model has not ends the run (run_end.h). */
uint64_t register_read(
    struct kernel *kernel, struct cpu *cpu, uint32_t address);
/* RDPMC with ECX = `selector`, by code in `ring`; `cr4_pce` is CR4.PCE. */
uint64_t register_rdpmc(struct kernel *kernel, struct cpu *cpu,
    uint32_t selector, enum ring ring, bool cr4_pce);
void register_write(
    struct kernel *kernel, struct cpu *cpu, uint32_t address, uint64_t value);

/* CPUID, which raises nothing: EAX, EBX, ECX, EDX. */
void register_cpuid(struct cpu *cpu, uint32_t leaf, uint32_t out[4]);

/* MRS and MSR at EL1, by the encoding that sysreg_read() takes. */
uint64_t register_mrs(struct kernel *kernel, struct cpu *cpu, uint32_t reg);
void register_msr(
    struct kernel *kernel, struct cpu *cpu, uint32_t reg, uint64_t value);

#endif
