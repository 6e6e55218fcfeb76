/* pmu_intel.h - the HAL's knowledge of the Intel architectural PMU: which
 * registers say what overflowed, how it is cleared, how the interrupt is armed
 * again. Everything goes through RDMSR and WRMSR. */
#ifndef API_HAL_PMU_INTEL_H
#define API_HAL_PMU_INTEL_H

#include <stdbool.h>
#include <stdint.h>

struct cpu;
struct machine;

/* Asks the processor for its counters, by CPUID. The result is the map of the
 * HAL's counter indexes: GP counter n is index n, fixed counter n is index
 * 32+n, the bit it has in the status register (facts.md A27). 0: there is no
 * PMU. */
uint64_t pmu_intel_enumerate(struct cpu *cpu);

/* Reads which counters of the map have overflowed, without those that run and
 * do not ask for an interrupt: they are left for their owner to poll
 * (HAL-OVF-10 [C]). */
uint64_t pmu_intel_overflowed(struct cpu *cpu, uint64_t map);

/* Clears exactly these overflow bits. */
void pmu_intel_clear(struct cpu *cpu, uint64_t bits);

/* Disables these counters: no enable bit of theirs stays set. */
void pmu_intel_disable(struct cpu *cpu, uint64_t bits);

/* Directs the PMI to `vector`, unmasked; also what arms it again, because
 * LVTPC masks itself when it delivers. */
void pmu_intel_arm(struct cpu *cpu, uint8_t vector);

/* Observer's view, without cost: counters that are enabled. */
uint64_t pmu_intel_running(const struct cpu *cpu);

/* Observer's view: the counters that writing `value` to the MSR programs, as
 * indexes; 0 for a register that is nobody's own. */
uint64_t pmu_intel_programs(
    const struct cpu *cpu, uint32_t address, uint64_t value);

#endif
