/* cpu_pmi.c - LVTPC for x86, the line for Armv8. */
#include "sim/machine/cpu_pmi.h"

#include "sim/base/trace_events.h"
#include "sim/machine/cpu_armv8.h"

/* The vector of a request that LVTPC accepts is on its way for `skid` cycles;
 * of several on their way the first one counts. */
static void ask_lvtpc(struct cpu *cpu)
{
    uint32_t lvtpc = cpu->lapic.lvtpc;
    uint8_t vector = lapic_request_pmi(&cpu->lapic);

    if (vector == 0) {
        cpu_trace(cpu, &sim_events[SIM_EVENT_PMI_DROPPED], lvtpc);
        return;
    }
    cpu_trace(cpu, &sim_events[SIM_EVENT_PMI_RAISED], lvtpc & 0xFF);
    if (cpu->pmi_lands == CPU_NEVER) {
        cpu->pmi_lands = cpu->time + cpu->pmu.model->skid;
        cpu->pmi_vector = vector;
    }
}

/* Both apart from cpu_checkpoint(): so that nothing of them is in the way where
 * no PMI moves. */
__attribute__((noinline)) void cpu_pmi_raise(struct cpu *cpu)
{
    cpu->pmi_due = CPU_NEVER;
    if (cpu->armv8 != NULL) {
        cpu_armv8_raise(cpu);
        return;
    }
    pmu_freeze(&cpu->pmu);
    ask_lvtpc(cpu);
}

__attribute__((noinline)) void cpu_pmi_land(struct cpu *cpu)
{
    cpu->pmi_lands = CPU_NEVER;
    if (cpu->armv8 != NULL) {
        lapic_set_line(&cpu->lapic, true);
    } else {
        lapic_pend_pmi(&cpu->lapic, cpu->pmi_vector);
    }
}
