/* apic.h - the local APIC as the kernel uses it, by WRMSR: end of interrupt,
 * and interrupts for other processors. */
#ifndef API_KE_APIC_H
#define API_KE_APIC_H

#include <stdbool.h>
#include <stdint.h>

struct cpu;

/* End of interrupt. */
void apic_eoi(struct cpu *cpu);

/* The same in two, in an interrupt that may be left (cpu.h). True: it has been,
 * and rest() begins with apic_eoi_paid(), as what goes on here does else. */
bool apic_eoi_leaves(
    struct cpu *cpu, void (*rest)(void *context, struct cpu *cpu));
void apic_eoi_paid(struct cpu *cpu);

/* Interrupts the processor with this index in the machine. */
void apic_interrupt(struct cpu *cpu, uint32_t to, uint8_t vector);

/* Interrupts every processor but this one. */
void apic_interrupt_others(struct cpu *cpu, uint8_t vector);

#endif
