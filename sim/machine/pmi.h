/* pmi.h - the PMU's interrupt on its way, from the overflow to where the
 * processor can take it: `pmi_due` and `pmi_lands` of struct cpu. Only cpu.c
 * and sysreg.c need this.
 *
 * On x86 it is a request, raised `latency` cycles after the overflow and
 * pending `skid` cycles after that. On Armv8 it is a level (pmu.md 1.7), and
 * that is how it rises: `latency` cycles later it is raised, `skid` cycles
 * after that it is up at the interrupt controller, where it stays up
 * (lapic_set_line()). It falls at once, wherever it has come to [C]. */
#ifndef SIM_MACHINE_PMI_H
#define SIM_MACHINE_PMI_H

#include <stdint.h>

#include "sim/machine/cpu.h"
#include "sim/pmu/armv8.h"

/* The PMU raises its request: it freezes what is to be frozen and asks LVTPC,
 * or, on Armv8, the line rises. */
void pmi_raise(struct cpu *cpu);

/* What was raised `skid` cycles ago is pending. */
void pmi_land(struct cpu *cpu);

/* Both at a position in an instruction of kernel code that ends at `end`. Where
 * there is a schedule, what has come is there at the end, or, if the schedule
 * keeps it, at that of the next one. */
void pmi_move_within(struct cpu *cpu, uint64_t end);

/* Brings the line of an Armv8 PMU to where its state wants it, after that has
 * changed. */
void pmi_follow_line(struct cpu *cpu);

/* Whether there is an Armv8 PMU's line to bring anywhere: it is up somewhere,
 * or wanted up. */
static inline bool pmi_line_moves(const struct cpu *cpu)
{
    return cpu->lapic.line || cpu->pmi_due != CPU_NEVER ||
           cpu->pmi_lands != CPU_NEVER ||
           (cpu->armv8->overflowed & cpu->armv8->interrupts) != 0;
}

/* When the next thing happens to it; CPU_NEVER: none is on its way. */
static inline uint64_t pmi_time(const struct cpu *cpu)
{
    return cpu->pmi_due < cpu->pmi_lands ? cpu->pmi_due : cpu->pmi_lands;
}

/* Brings it to where it has come by now. */
static inline void pmi_move(struct cpu *cpu)
{
    if (pmi_time(cpu) > cpu->time) {
        return;
    }
    if (cpu->pmi_lands <= cpu->time) {
        pmi_land(cpu);
    }
    if (cpu->pmi_due <= cpu->time) {
        pmi_raise(cpu);
    }
    if (cpu->pmi_lands <= cpu->time) { /* no skid */
        pmi_land(cpu);
    }
}

#endif
