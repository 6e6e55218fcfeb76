/* apic.h - the local APIC as the kernel uses it, by WRMSR: end of interrupt,
 * and interrupts for other processors. */
#ifndef API_KE_APIC_H
#define API_KE_APIC_H

#include <stdint.h>

struct cpu;

/* End of interrupt. */
void apic_eoi(struct cpu *cpu);

/* Interrupts the processor with this index in the machine. */
void apic_interrupt(struct cpu *cpu, uint32_t to, uint8_t vector);

/* Interrupts every processor but this one. */
void apic_interrupt_others(struct cpu *cpu, uint8_t vector);

#endif
