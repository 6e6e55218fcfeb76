/* instruction.h - what an instruction of kernel code pays, and the preemption
 * point that it ends in: cpu_spend(), strand_sleep_until() and cpu_checkpoint()
 * where nothing comes of them, which is nearly always. Inline, as register
 * accesses are most of what handlers do. For sim/machine alone. */
#ifndef SIM_MACHINE_INSTRUCTION_H
#define SIM_MACHINE_INSTRUCTION_H

#include "sim/base/limits.h"
#include "sim/machine/machine.h"
#include "sim/machine/pmi.h"
#include "sim/machine/quiet.h"
#include "sim/machine/scheduler.h"
#include "sim/machine/strand.h"

/* In the PMU's totals. */
__attribute__((always_inline)) static inline bool instruction_burst(
    struct cpu *cpu, uint64_t cycles, uint64_t instructions)
{
    return cpu->armv8 != NULL
               ? armv8_burst(cpu->armv8, cycles, instructions)
               : pmu_burst(&cpu->pmu, cpu_unhalted(cpu), cycles, instructions);
}

/* Spends the cycles in the PMU's totals alone. False: an interrupt comes
 * meanwhile, or a counter might wrap, and nothing has happened. */
__attribute__((always_inline)) static inline bool instruction_spend(
    struct cpu *cpu, uint64_t cycles, uint64_t instructions)
{
    if (pmi_time(cpu) <= cpu->time + cycles ||
        !instruction_burst(cpu, cycles, instructions)) {
        return false;
    }
    cpu->time += cycles;
    return true;
}

/* Whether the running strand goes on at `time` without a question to anybody:
 * nobody is earlier, waits, or is to be called before. */
static inline bool instruction_goes_on(struct machine *machine, uint64_t time)
{
    struct strand *strand = machine->running;
    struct cpu *cpu;
    uint64_t *budget;

    if (strand == NULL) {
        return true; /* code outside the loop: nobody else runs */
    }
    cpu = strand->cpu;
    if (time<cpu->leads && * cpu->points> 1 && !scheduler_wakes(machine)) {
        --*cpu->points;
        return true;
    }
    budget = strand_points(machine, strand);
    if (*budget <= 1 || machine->budget == 0 || time >= LIMIT_TIME ||
        machine->schedule != NULL || time > machine->alarm.time ||
        !order_leads_still(&machine->order, cpu->index, time) ||
        scheduler_wakes(machine)) {
        return false;
    }
    strand->wake = time;
    --*budget;
    return true;
}

static inline void instruction_pay(
    struct cpu *cpu, uint64_t cycles, uint64_t instructions)
{
    if (!instruction_spend(cpu, cycles, instructions)) {
        cpu_spend(cpu, cycles, instructions);
    }
    if (!instruction_goes_on(cpu->machine, cpu->time)) {
        strand_sleep_until(cpu->machine, cpu->time);
    }
}

/* Pays for a register access and for the preemption point behind it, where
 * neither makes a difference. False: nothing has happened. */
__attribute__((always_inline)) static inline bool instruction_pay_all(
    struct cpu *cpu)
{
    uint64_t time = cpu->time + cpu->access_cycles;

    if (time >= cpu->quiet || !lapic_is_idle(&cpu->lapic) ||
        *cpu->points <= 2 || !burst_step(cpu->burst)) {
        return false;
    }
    *cpu->points -= 2;
    cpu->time = time;
    return true;
}

/* The same, and finds out whether it is quiet, and what clocks do. */
static inline bool instruction_pay_asking(struct cpu *cpu)
{
    uint64_t time = cpu->time + cpu->access_cycles;

    if ((time >= cpu->quiet && !quiet_reaches(cpu, time)) ||
        !lapic_is_idle(&cpu->lapic) || *cpu->points <= 2 ||
        !instruction_burst(cpu, cpu->access_cycles, 1)) {
        return false;
    }
    *cpu->points -= 2;
    cpu->time = time;
    return true;
}

/* The beginning of cpu_checkpoint(): what is pending is not taken yet. */
static inline void instruction_pause(struct cpu *cpu)
{
    pmi_move(cpu);
    if (!instruction_goes_on(cpu->machine, cpu->time)) {
        strand_sleep_until(cpu->machine, cpu->time);
    }
}

/* The preemption point where nothing comes of it. False: nothing has happened.
 */
static inline bool instruction_ends(struct cpu *cpu)
{
    uint64_t left;

    if (cpu->time >= cpu->quiet || !lapic_is_idle(&cpu->lapic) ||
        (left = *cpu->points) <= 1) {
        return false;
    }
    *cpu->points = left - 1;
    return true;
}

/* The one behind a write that instruction_pay_all() has paid for, and which may
 * be what makes a difference. */
static inline void instruction_end_paid(struct cpu *cpu)
{
    if (cpu->time >= cpu->quiet || !lapic_is_idle(&cpu->lapic)) {
        ++*cpu->points;
        cpu_checkpoint(cpu);
    }
}

#endif
