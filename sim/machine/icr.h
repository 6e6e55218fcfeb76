/* icr.h - the interrupt command register: a processor interrupts others. */
#ifndef SIM_MACHINE_ICR_H
#define SIM_MACHINE_ICR_H

#include <stdint.h>

struct cpu;

enum icr_shorthand { /* ICR[19:18] */
    ICR_DESTINATION,
    ICR_SELF,
    ICR_ALL,
    ICR_OTHERS,
};

/* Does what a write of `command` to x2APIC MSR 830H asks for: a fixed interrupt
 * to the processor whose APIC id (its system-wide index) is in bits 63:32, to
 * all of them (FFFFFFFFH), or as the shorthand says. Other delivery modes and
 * logical destinations are not modelled: nobody is interrupted. */
void icr_send(struct cpu *cpu, uint64_t command);

#endif
