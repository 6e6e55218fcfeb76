/* pmu.h - the performance monitoring unit of one processor: counters, what
 * they count, and their overflow bits. Registers are intel.def's business,
 * interrupts are cpu.c's. */
#ifndef SIM_PMU_PMU_H
#define SIM_PMU_PMU_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/limits.h"
#include "sim/pmu/model.h"
#include "sim/pmu/pmc.h"
#include "sim/pmu/pulses.h"
#include "sim/pmu/segment.h"

/* Slots: GP counters first, then the fixed ones. */
enum {
    PMU_FIXED_SLOT = LIMIT_GP_COUNTERS,
    PMU_SLOTS = LIMIT_GP_COUNTERS + LIMIT_FIXED_COUNTERS,
};

/* What a counter counts now, decoded from its control register. */
struct pmu_source {
    enum event event; /* EVENT_COUNT: something that this model never has */
    struct pulse_filter filter;
    bool in_ring[RING_COUNT];
    bool interrupts; /* an overflow asks for a PMI */
};

struct pmu {
    const struct pmu_model *model;
    struct pmc counter[PMU_SLOTS];
    struct pmu_source source[PMU_SLOTS];
    uint32_t running; /* bit by slot: enabled everywhere it must be */
    uint64_t select[LIMIT_GP_COUNTERS]; /* IA32_PERFEVTSELx */
    uint64_t fixed_ctrl;                /* IA32_FIXED_CTR_CTRL */
    uint64_t global_ctrl;               /* IA32_PERF_GLOBAL_CTRL */
    uint64_t global_status;             /* IA32_PERF_GLOBAL_STATUS */
    uint64_t debugctl;                  /* IA32_DEBUGCTL */
};

/* The state after RESET. The model must outlive the PMU. */
void pmu_init(struct pmu *pmu, const struct pmu_model *model);

/* Works out `source` and `running` anew, after a control register changed. */
void pmu_decode(struct pmu *pmu);

/* Bits, as in GLOBAL_CTRL, of the counters that are enabled there and in their
 * own control registers, also for an event that this model never has. */
uint64_t pmu_enabled(const struct pmu *pmu);

/* Bit of this slot in GLOBAL_CTRL and GLOBAL_STATUS, which is also the HAL's
 * counter index on this vendor (facts.md A27). */
unsigned pmu_bit(unsigned slot);

/* What the n-th fixed counter counts. */
enum event pmu_fixed_event(unsigned n);

/* The first position in (from, segment->cycles] at which a running counter
 * wraps; segment->cycles + 1 when none does. */
uint64_t pmu_next_overflow(
    const struct pmu *pmu, const struct segment *segment, uint64_t from);

/* Counts the cycles from `from` to `to` of the segment and latches overflow
 * bits. Returns the bits (as in GLOBAL_STATUS) of the counters that wrapped. */
uint64_t pmu_advance(
    struct pmu *pmu, const struct segment *segment, uint64_t from, uint64_t to);

/* Which of these status bits belong to counters that ask for an interrupt. */
uint64_t pmu_interrupting(const struct pmu *pmu, uint64_t bits);

/* What a PMI request does at once: with IA32_DEBUGCTL[12] set, versions 2 and 3
 * clear every enable in GLOBAL_CTRL (pmu.md 1.3). */
void pmu_freeze(struct pmu *pmu);

#endif
