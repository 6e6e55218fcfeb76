/* lapic_registers.c - TPR, EOI, ICR and LVTPC, the local APIC's registers. */
#include "sim/machine/lapic_registers.h"

#include <assert.h>

#include "sim/base/bits.h"
#include "sim/machine/machine.h"

#define ICR_BROADCAST UINT32_MAX

bool msr_exists_always(const struct pmu_model *model, unsigned n)
{
    (void)model;
    (void)n;
    return true;
}

uint64_t msr_reserved_tpr(const struct pmu_model *model, uint64_t value)
{
    (void)model;
    return value & ~UINT64_C(0xFF);
}

/* Destination, shorthand, trigger, level, destination mode, delivery mode,
 * vector; an x2APIC has no delivery status. */
uint64_t msr_reserved_icr(const struct pmu_model *model, uint64_t value)
{
    (void)model;
    return value & ~UINT64_C(0xFFFFFFFF000CCFFF);
}

/* Vector, delivery mode, mask; bit 12 is read-only. */
uint64_t msr_reserved_lvtpc(const struct pmu_model *model, uint64_t value)
{
    (void)model;
    return value & ~UINT64_C(0x107FF);
}

void msr_write_eoi(struct cpu *cpu, uint64_t value)
{
    (void)value;
    lapic_eoi(&cpu->lapic);
}

void msr_write_lvtpc(struct cpu *cpu, uint64_t value)
{
    assert(msr_reserved_lvtpc(cpu->pmu.model, value) == 0);
    lapic_set_lvtpc(&cpu->lapic, value);
}

static bool is_meant(
    const struct cpu *from, const struct cpu *to, uint64_t command)
{
    uint32_t destination = (uint32_t)(command >> 32);

    switch ((enum icr_shorthand)bits_get(command, 18, 2)) {
    case ICR_DESTINATION:
        return destination == to->index || destination == ICR_BROADCAST;
    case ICR_SELF:
        return to == from;
    case ICR_ALL:
        return true;
    case ICR_OTHERS:
        return to != from;
    }
    return false;
}

void msr_write_icr(struct cpu *cpu, uint64_t command)
{
    struct machine *machine = cpu->machine;
    bool fixed = bits_get(command, 8, 3) == 0;
    bool logical = bit_is_set(command, 11);

    assert(msr_reserved_icr(cpu->pmu.model, command) == 0);
    cpu->lapic.icr = command;
    if (!fixed || logical) {
        return;
    }
    for (uint32_t i = 0; i < machine->topology.processors; i++) {
        struct cpu *to = machine_cpu(machine, i);

        if (is_meant(cpu, to, command)) {
            cpu_send(to, (uint8_t)command, cpu->time);
        }
    }
}
