/* apic.c - the local APIC as the kernel uses it: end of interrupt, interrupts
 * to others, by the addresses of the manual (pmu.md 1.2). */
#include "api/ke/apic.h"

#include <assert.h>

#include "sim/machine/msr.h"

enum {
    IA32_X2APIC_EOI = 0x80B,
    IA32_X2APIC_ICR = 0x830,
    ICR_ALL_BUT_SELF = 3 << 18,
    ICR_ASSERT = 1 << 14,
    ICR_DESTINATION = 32, /* the bit from which the APIC's id stands */
};

/* The kernel touches registers that it knows to be there. */
static void write_apic(struct cpu *cpu, uint32_t address, uint64_t value)
{
    enum msr_result result = msr_write(cpu, address, value);

    assert(result == MSR_OK);
    (void)result;
}

void apic_eoi(struct cpu *cpu)
{
    write_apic(cpu, IA32_X2APIC_EOI, 0);
}

bool apic_eoi_leaves(
    struct cpu *cpu, void (*rest)(void *context, struct cpu *cpu))
{
    return msr_pay_or_leave(cpu, rest);
}

void apic_eoi_paid(struct cpu *cpu)
{
    msr_write_paid(cpu, IA32_X2APIC_EOI, 0);
}

void apic_interrupt(struct cpu *cpu, uint32_t to, uint8_t vector)
{
    assert(vector >= 16);
    write_apic(cpu, IA32_X2APIC_ICR,
        (uint64_t)to << ICR_DESTINATION | ICR_ASSERT | vector);
}

void apic_interrupt_others(struct cpu *cpu, uint8_t vector)
{
    assert(vector >= 16); /* what is below is no interrupt's */
    write_apic(cpu, IA32_X2APIC_ICR, ICR_ALL_BUT_SELF | ICR_ASSERT | vector);
}
