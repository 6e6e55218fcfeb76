/* lapic_registers.h - the registers of the local APIC as MSRs: which bits each
 * refuses, and what writes of EOI, ICR and LVTPC do. Knows neither addresses
 * nor accesses, which are msr.h's. */
#ifndef SIM_MACHINE_LAPIC_REGISTERS_H
#define SIM_MACHINE_LAPIC_REGISTERS_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/pmu/model.h"

struct cpu;

enum icr_shorthand { /* ICR[19:18] */
    ICR_DESTINATION,
    ICR_SELF,
    ICR_ALL,
    ICR_OTHERS,
};

/* The functions that lapic.def names, as in x86_registers.h. A write of ICR
 * interrupts by a fixed interrupt the processor whose APIC id (its system-wide
 * index) is in bits 63:32, all of them (FFFFFFFFH), or those that the shorthand
 * means. Other delivery modes and logical destinations are not modelled: nobody
 * is interrupted. */
#define MSR_READ_LAPIC_FIELD(member)
#define MSR_READ_ZERO
#define MSR_WRITE_LAPIC_FIELD(member)
#define MSR_WRITE_LAPIC_CALL(name)                                             \
    void msr_write_##name(struct cpu *cpu, uint64_t value);
#define MSR(                                                                   \
    name, address, stride, most, exists_, access, reserved_, read, write)      \
    bool msr_exists_##exists_(const struct pmu_model *model, unsigned n);      \
    uint64_t msr_reserved_##reserved_(                                         \
        const struct pmu_model *model, uint64_t value);                        \
    MSR_READ_##read MSR_WRITE_##write
#include "sim/machine/lapic.def"
#undef MSR
#undef MSR_READ_LAPIC_FIELD
#undef MSR_READ_ZERO
#undef MSR_WRITE_LAPIC_FIELD
#undef MSR_WRITE_LAPIC_CALL

#endif
