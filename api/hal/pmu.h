/* pmu.h - the HAL's view of a processor's PMU, whoever made it: a row a vendor,
 * chosen at boot by who made it. Everything else goes through CPUID, RDMSR and
 * WRMSR, or MRS and MSR; only observers look at the processor itself, without
 * cost. */
#ifndef API_HAL_PMU_H
#define API_HAL_PMU_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#include "api/core/kernel.h"

struct hal_pmu;
struct pmu_registers;

/* Counters whose overflow a write clears, or makes up. */
struct overflow_changes {
    uint64_t cleared, set;
};

struct hal_pmu_row {
    /* Asks the processor for its counters: fills in all but the row. */
    void (*enumerate)(struct hal_pmu *pmu, struct cpu *cpu);

    /* What is to be served: counters that have overflowed, without those that
     * run and do not ask for an interrupt, which are left for their owner to
     * poll (HAL-OVF-10 [C]); the status bits by which the PMI has frozen
     * counters; and the DS buffer's. */
    uint64_t (*overflowed)(const struct hal_pmu *pmu, struct cpu *cpu);

    /* Clears exactly these bits of the status, where there is one. */
    void (*clear)(const struct hal_pmu *pmu, struct cpu *cpu, uint64_t bits);

    /* Disables these counters: no enable bit of theirs stays set. */
    void (*disable)(const struct hal_pmu *pmu, struct cpu *cpu, uint64_t bits);

    /* Directs the PMI to `vector`, unmasked; also what arms it again where
     * LVTPC masks itself when it delivers. */
    void (*arm)(struct cpu *cpu, uint8_t vector);

    /* An observer: the counters that writing `value` to the MSR, or system
     * register by its encoding, programs; 0 for a register that is nobody's
     * own. */
    uint64_t (*programs)(
        const struct cpu *cpu, uint32_t address, uint64_t value);

    /* Observers: the overflow bits that such a write would change; and counters
     * that run and do not ask for an interrupt, which are their owner's to poll
     * (HAL-OVF-10 [C]). */
    struct overflow_changes (*changes)(
        const struct cpu *cpu, uint32_t address, uint64_t value);
    uint64_t (*polled)(const struct hal_pmu *pmu, const struct cpu *cpu);

    /* An observer: what the counter holds, one of the index map. */
    uint64_t (*counter)(
        const struct hal_pmu *pmu, const struct cpu *cpu, unsigned index);
};

/* The PMU of a processor. */
struct hal_pmu {
    const struct hal_pmu_row *row; /* NULL: none that the HAL knows */
    const struct pmu_registers *registers;
    uint64_t counters; /* the index map (docs/fidelity.md); 0: no PMU */
    uint64_t buffer;   /* the status bit of the DS buffer; 0: there is none */
    uint64_t status;   /* both, and those by which the PMI freezes counters */
    unsigned width;    /* bits of a counter */
    uint8_t vector;    /* of the interrupt, where there are counters */
    /* Overflows stay in a status register until they are cleared; otherwise
     * they show in the counters themselves. */
    bool latches;
};

/* Whether a PMU that is there is one that can be served; asserts each part. */
bool hal_pmu_check(const struct hal_pmu *pmu);

/* That of this processor. */
static inline struct hal_pmu *hal_pmu_of(
    const struct kernel *kernel, const struct cpu *cpu)
{
    assert(cpu->index < kernel->machine->config.processors);
    return &kernel->pmu[cpu->index];
}

/* The index map of these processors (bits by group): counters that each of them
 * has, or those that one has. */
struct hal_pmu_map {
    uint64_t each, any;
};
struct hal_pmu_map hal_pmu_map(
    const struct kernel *kernel, const uint64_t *affinity);

/* Asks this processor. */
void hal_pmu_find(struct hal_pmu *pmu, struct cpu *cpu);

/* Observers: counters that are enabled, and those that a write programs; 0
 * without a PMU. */
uint64_t hal_pmu_running(const struct hal_pmu *pmu, const struct cpu *cpu);
uint64_t hal_pmu_programs(const struct hal_pmu *pmu, const struct cpu *cpu,
    uint32_t address, uint64_t value);

/* An observer: what the counter of the index map holds. */
static inline uint64_t hal_pmu_counter(
    const struct hal_pmu *pmu, const struct cpu *cpu, unsigned index)
{
    return pmu->row->counter(pmu, cpu, index);
}

/* An observer: the overflows that a write would change. */
struct overflow_changes hal_pmu_changes(const struct hal_pmu *pmu,
    const struct cpu *cpu, uint32_t address, uint64_t value);

/* An observer: counters whose overflow the HAL is going to see, since LVTPC
 * directs the PMI to `vector` and they are not to be polled. */
uint64_t hal_pmu_serves(
    const struct hal_pmu *pmu, const struct cpu *cpu, uint8_t vector);

/* The vendors' rows (facts.md A27). Intel, versions 1 to 5: general counter n
 * is index n, fixed counter n is index 32+n, the bit that it has in the status
 * register. AMD, K7 to PerfMonV2: counter n is index n. Armv8: event counter n
 * is index n, the cycle counter index 31, the bits that they have there. */
extern const struct hal_pmu_row pmu_intel, pmu_amd, pmu_armv8;

#endif
