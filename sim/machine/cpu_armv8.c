/* cpu_armv8.c - a level on its way to the interrupt controller and back. */
#include "sim/machine/cpu_armv8.h"

#include <stdbool.h>

#include "sim/base/bits.h"
#include "sim/base/trace_events.h"
#include "sim/machine/cpu.h"
#include "sim/pmu/armv8.h"

/* What was raised and not yet taken is not to be taken any more. */
static void line_falls(struct cpu *cpu)
{
    if (cpu->pmi_lands != CPU_NEVER || cpu->lapic.line_vector != 0) {
        cpu_trace(
            cpu, &sim_events[SIM_EVENT_PMI_RECALLED], cpu->lapic.lvtpc & 0xFF);
    }
    cpu->pmi_due = CPU_NEVER;
    cpu->pmi_lands = CPU_NEVER;
    lapic_set_line(&cpu->lapic, false);
}

void cpu_armv8_follow(struct cpu *cpu)
{
    bool was_up = cpu->pmi_due != CPU_NEVER || cpu->pmi_lands != CPU_NEVER ||
                  cpu->lapic.line;
    bool up = armv8_interrupt(cpu->armv8);

    if (up && !was_up) {
        cpu->pmi_due = cpu->time + cpu->pmu.model->latency;
    } else if (!up && was_up) {
        line_falls(cpu);
    }
}

void cpu_armv8_raise(struct cpu *cpu)
{
    cpu_trace(cpu, &sim_events[SIM_EVENT_PMI_PPI], cpu->lapic.lvtpc & 0xFF,
        ARMV8_PPI);
    cpu->pmi_lands = cpu->time + cpu->pmu.model->skid;
}

void cpu_armv8_written(struct cpu *cpu, uint32_t overflowed)
{
    for (uint32_t left = overflowed; left != 0; left &= left - 1) {
        cpu_trace(cpu, &sim_events[SIM_EVENT_OVERFLOW], bits_lowest(left));
    }
    cpu->pmu.slack = 0; /* cpu_spend() asks anew whether anything counts */
    cpu_armv8_follow(cpu);
}
