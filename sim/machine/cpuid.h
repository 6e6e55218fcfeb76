/* cpuid.h - CPUID: what a processor says of itself and of its PMU. */
#ifndef SIM_MACHINE_CPUID_H
#define SIM_MACHINE_CPUID_H

#include <stdint.h>

struct cpu;

/* EAX, EBX, ECX, EDX of a leaf; zeroes for one that is not modelled, which says
 * that there is nothing. Past the last leaf Intel shows the highest basic one,
 * AMD zeroes. Costs what a register access costs (msr.h). */
void cpuid_read(struct cpu *cpu, uint32_t leaf, uint32_t out[4]);

#endif
