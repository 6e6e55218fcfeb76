/* pmu_x86.h - what the HAL does alike on Intel's PMUs and AMD's, by the
 * addresses of pmu_registers.def. */
#ifndef API_HAL_PMU_X86_H
#define API_HAL_PMU_X86_H

#include <stdbool.h>
#include <stdint.h>

#include "api/hal/pmu.h"
#include "api/hal/pmu_registers.h"

/* Fills the PMU in; nothing when there is no counter. */
void pmu_x86_describe(struct hal_pmu *pmu, enum vendor vendor, unsigned version,
    uint64_t counters, unsigned width);

/* The kernel touches registers that it knows to be there (msr.h). */
void pmu_x86_write(struct cpu *cpu, uint32_t address, uint64_t value);

/* The members of struct hal_pmu_row. */
uint64_t pmu_x86_overflowed(const struct hal_pmu *pmu, struct cpu *cpu);
void pmu_x86_clear(const struct hal_pmu *pmu, struct cpu *cpu, uint64_t bits);
void pmu_x86_disable(const struct hal_pmu *pmu, struct cpu *cpu, uint64_t bits);
uint64_t pmu_x86_counter(
    const struct hal_pmu *pmu, const struct cpu *cpu, unsigned index);
uint64_t pmu_x86_polled(const struct hal_pmu *pmu, const struct cpu *cpu);
void pmu_x86_arm(struct cpu *cpu, uint8_t vector);

/* Bit n when the address is that of the n-th of `count` registers. */
uint64_t pmu_x86_nth(
    uint32_t address, uint32_t first, uint32_t stride, unsigned count);

/* What writing a general counter's value or select programs. `value` has no bit
 * that the write leaves out. */
uint64_t pmu_x86_programs(const struct pmu_registers *at, unsigned count,
    const struct cpu *cpu, uint32_t address, uint64_t value);

/* The overflow bits that a write would change. */
struct overflow_changes pmu_x86_changes(const struct pmu_registers *at,
    const struct cpu *cpu, uint32_t address, uint64_t value);

#endif
