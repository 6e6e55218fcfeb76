/* cpu_pmi.h - a PMI on its way, from the overflow to where the processor can
 * take it: `pmi_due` and `pmi_lands` of struct cpu. Only cpu.c needs this. */
#ifndef SIM_MACHINE_CPU_PMI_H
#define SIM_MACHINE_CPU_PMI_H

#include <stdint.h>

#include "sim/machine/cpu.h"

/* The PMU raises its request: it freezes what is to be frozen and asks LVTPC,
 * or, on Armv8, the line rises. */
void cpu_pmi_raise(struct cpu *cpu);

/* What was raised `skid` cycles ago is pending. */
void cpu_pmi_land(struct cpu *cpu);

/* When the next thing happens to it; CPU_NEVER: none is on its way. */
static inline uint64_t cpu_pmi_time(const struct cpu *cpu)
{
    return cpu->pmi_due < cpu->pmi_lands ? cpu->pmi_due : cpu->pmi_lands;
}

/* Brings it to where it has come by now. */
static inline void cpu_pmi_move(struct cpu *cpu)
{
    if (cpu->pmi_lands <= cpu->time) {
        cpu_pmi_land(cpu);
    }
    if (cpu->pmi_due <= cpu->time) {
        cpu_pmi_raise(cpu);
    }
    if (cpu->pmi_lands <= cpu->time) { /* no skid */
        cpu_pmi_land(cpu);
    }
}

#endif
