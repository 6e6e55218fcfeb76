/* apic.h - the local APIC as the kernel uses it, by WRMSR: end of interrupt,
 * and interrupts for other processors. */
#ifndef API_KE_APIC_H
#define API_KE_APIC_H

#include <stdint.h>

struct cpu;

/* End of interrupt. */
void apic_eoi(struct cpu *cpu);

/* Interrupts every processor but this one. */
void apic_interrupt_others(struct cpu *cpu, uint8_t vector);

#endif
