/* cpu_armv8.h - the interrupt line of a processor's Armv8 PMU.
 *
 * It is a level (pmu.md 1.7). The part of it that cpu.h has times for is how it
 * rises: `latency` cycles later it is raised, `skid` cycles after that it is up
 * at the interrupt controller, where it stays up (lapic_set_line()). It falls
 * at once, wherever it has come to [C]. Only cpu*.c and sysreg.c need this. */
#ifndef SIM_MACHINE_CPU_ARMV8_H
#define SIM_MACHINE_CPU_ARMV8_H

#include <stdint.h>

struct cpu;

/* Brings the line to where the PMU's state wants it, after that has changed. */
void cpu_armv8_follow(struct cpu *cpu);

/* The rising line is due. */
void cpu_armv8_raise(struct cpu *cpu);

/* A register was written: counters may run that did not, and the line may have
 * changed. `overflowed` are overflow bits that the write itself has set by
 * counting. */
void cpu_armv8_written(struct cpu *cpu, uint32_t overflowed);

#endif
