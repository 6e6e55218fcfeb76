/* instruction.h - what an instruction of kernel code pays, and the preemption
 * point that it ends in: cpu_spend(), strand_sleep_until() and cpu_checkpoint()
 * where nothing comes of them, which is nearly always. Inline, as register
 * accesses are most of what handlers do. For sim/machine alone. */
#ifndef SIM_MACHINE_INSTRUCTION_H
#define SIM_MACHINE_INSTRUCTION_H

#include "sim/base/limits.h"
#include "sim/machine/machine.h"
#include "sim/machine/pmi.h"
#include "sim/machine/scheduler.h"
#include "sim/machine/strand.h"

/* Spends the cycles in the PMU's totals alone. False: an interrupt comes
 * meanwhile, or a counter might wrap, and nothing has happened. */
__attribute__((always_inline)) static inline bool instruction_spend(
    struct cpu *cpu, uint64_t cycles, uint64_t instructions)
{
    if (pmi_time(cpu) <= cpu->time + cycles ||
        !(cpu->armv8 != NULL
                ? armv8_burst(cpu->armv8, cycles, instructions)
                : pmu_burst(&cpu->pmu, cpu->unhalted, cycles, instructions))) {
        return false;
    }
    cpu->time += cycles;
    cpu->unhalted += cycles;
    return true;
}

/* The preemption points that the strand may still pass. */
static inline uint64_t *instruction_budget(
    struct machine *machine, const struct strand *strand)
{
    return strand->budget != NULL ? strand->budget : &machine->budget;
}

/* Whether the running strand goes on at `time` without a question to anybody:
 * nobody is earlier, waits, or is to be called before. */
static inline bool instruction_goes_on(struct machine *machine, uint64_t time)
{
    struct strand *strand = machine->running;
    uint64_t *budget;

    if (strand == NULL) {
        return true; /* code outside the loop: nobody else runs */
    }
    budget = instruction_budget(machine, strand);
    if (*budget <= 1 || machine->budget == 0 || time >= LIMIT_TIME ||
        time > machine->alarm.time ||
        !order_leads_still(&machine->order, strand->cpu->index, time) ||
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
    struct machine *machine = cpu->machine;
    struct strand *strand = machine->running;
    uint64_t time = cpu->time + cpu->pmu.model->msr_cycles;
    uint64_t *budget;

    if (strand == NULL || strand->cpu != cpu || time >= LIMIT_TIME ||
        time > machine->alarm.time || machine->waiting.waiters != NULL ||
        !order_leads_still(&machine->order, cpu->index, time) ||
        !lapic_is_idle(&cpu->lapic)) {
        return false;
    }
    budget = instruction_budget(machine, strand);
    if (*budget <= 2 || machine->budget == 0 ||
        !instruction_spend(cpu, cpu->pmu.model->msr_cycles, 1)) {
        return false;
    }
    *budget -= 2;
    strand->wake = time;
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

/* cpu_checkpoint(). */
static inline void instruction_end(struct cpu *cpu)
{
    instruction_pause(cpu);
    if (!lapic_is_idle(&cpu->lapic)) {
        cpu_deliver(cpu);
    }
}

/* The same behind a write, which may be what makes a difference, `paid` for by
 * instruction_pay_all() or not. */
static inline void instruction_end_paid(struct cpu *cpu, bool paid)
{
    struct machine *machine = cpu->machine;
    struct strand *strand = machine->running;

    if (!paid) {
        cpu_checkpoint(cpu);
    } else if (pmi_time(cpu) <= cpu->time || !lapic_is_idle(&cpu->lapic) ||
               !order_leads_still(&machine->order, cpu->index, cpu->time)) {
        ++*instruction_budget(machine, strand);
        cpu_checkpoint(cpu);
    }
}

#endif
