/* pmi.c - the PMU's interrupt on its way to the processor, on x86 and Armv8. */
#include "sim/machine/pmi.h"

#include "sim/machine/machine.h"
#include "sim/machine/quiet.h"
#include "sim/machine/schedule.h"

/* The vector of a request that LVTPC accepts is on its way for `skid` cycles;
 * of several on their way the first one counts. */
static void ask_lvtpc(struct cpu *cpu)
{
    uint64_t lvtpc = cpu->lapic.lvtpc;
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

static void raise_line(struct cpu *cpu)
{
    cpu_trace(cpu, &sim_events[SIM_EVENT_PMI_PPI], cpu->lapic.lvtpc & 0xFF,
        ARMV8_PPI);
    cpu->pmi_lands = cpu->time + cpu->pmu.model->skid;
}

/* Both apart from cpu_checkpoint(): so that nothing of them is in the way where
 * no PMI moves. */
__attribute__((noinline)) void pmi_raise(struct cpu *cpu)
{
    cpu->pmi_due = CPU_NEVER;
    if (cpu->armv8 != NULL) {
        raise_line(cpu);
    } else {
        pmu_freeze(&cpu->pmu);
        ask_lvtpc(cpu);
    }
    quiet_follow_pmi(cpu);
}

__attribute__((noinline)) void pmi_land(struct cpu *cpu)
{
    cpu->pmi_lands = CPU_NEVER;
    cpu->pmi_kept = 0;
    quiet_follow_pmi(cpu);
    if (cpu->armv8 != NULL) {
        lapic_set_line(&cpu->lapic, true);
    } else {
        lapic_pend_pmi(&cpu->lapic, cpu->pmi_vector);
    }
}

/* What has come is there at the end of the instruction, or of the next one. */
static void land_chosen(struct cpu *cpu, uint64_t end)
{
    if (cpu->pmi_lands > cpu->time) {
        return;
    }
    if (cpu->time < end) {
        cpu->pmi_lands = end;
    } else if (cpu->pmi_kept < SCHEDULE_KEPT &&
               schedule_keeps(cpu->machine, cpu)) {
        cpu->pmi_kept++;
        cpu->pmi_lands = cpu->time + 1;
    } else {
        pmi_land(cpu);
    }
}

__attribute__((noinline)) void pmi_move_within(struct cpu *cpu, uint64_t end)
{
    if (cpu->machine->schedule == NULL) {
        pmi_move(cpu);
        return;
    }
    land_chosen(cpu, end);
    if (cpu->pmi_due <= cpu->time) {
        pmi_raise(cpu);
        land_chosen(cpu, end); /* no skid */
    }
}

/* What was raised and not yet taken is not to be taken any more. */
static void line_falls(struct cpu *cpu)
{
    if (cpu->pmi_lands != CPU_NEVER || cpu->lapic.line_vector != 0) {
        cpu_trace(
            cpu, &sim_events[SIM_EVENT_PMI_RECALLED], cpu->lapic.lvtpc & 0xFF);
    }
    cpu->pmi_due = CPU_NEVER;
    cpu->pmi_lands = CPU_NEVER;
    quiet_follow_pmi(cpu);
    lapic_set_line(&cpu->lapic, false);
}

void pmi_follow_line(struct cpu *cpu)
{
    bool was_up = cpu->pmi_due != CPU_NEVER || cpu->pmi_lands != CPU_NEVER ||
                  cpu->lapic.line;
    bool up = armv8_interrupt(cpu->armv8);

    if (up && !was_up) {
        cpu->pmi_due = cpu->time + cpu->pmu.model->latency;
        quiet_follow_pmi(cpu);
    } else if (!up && was_up) {
        line_falls(cpu);
    }
}
