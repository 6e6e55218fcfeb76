/* burst.h - what bursts of kernel code, register accesses above all, have
 * brought, on x86 and Armv8 alike: totals that lazy counters are behind by, and
 * how long it goes on before one of those could wrap. Which counters are lazy
 * is their PMU's business. */
#ifndef SIM_PMU_BURST_H
#define SIM_PMU_BURST_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/pmu/model.h"

struct burst {
    uint64_t slack; /* cycles of bursts before one of the lazy could wrap */
    /* What a register access adds; the cycles UINT64_MAX: the PMU has to be
     * asked. */
    uint64_t step_cycles, step_instructions, step_ticks;
    uint64_t happened[EVENT_COUNT]; /* in bursts since RESET */
};

/* A register access, as long as the model has it. False where the PMU has to be
 * asked; then nothing has happened. */
__attribute__((always_inline)) static inline bool burst_step(
    struct burst *burst)
{
    if (burst->slack <= burst->step_cycles) {
        return false;
    }
    burst->slack -= burst->step_cycles;
    burst->happened[EVENT_CORE_CYCLES] += burst->step_cycles;
    burst->happened[EVENT_INSTRUCTIONS] += burst->step_instructions;
    burst->happened[EVENT_TSC_CYCLES] += burst->step_ticks;
    return true;
}

#endif
