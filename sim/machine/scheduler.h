/* scheduler.h - what strand.c and the machine's loop share; not for others. */
#ifndef SIM_MACHINE_SCHEDULER_H
#define SIM_MACHINE_SCHEDULER_H

#include <stdbool.h>
#include <stdint.h>

struct cpu;
struct machine;
struct strand;

/* The processor that goes on: the one with the smallest time, of equal ones the
 * one with the lowest number; NULL when none has anything to do. */
struct cpu *scheduler_choose(struct machine *machine);

/* Whether scheduler_choose() would take the processor that runs once more if it
 * were to go on at `time`. */
bool scheduler_goes_on(struct cpu *cpu, uint64_t time);

/* Gives control back to the machine's loop. */
void scheduler_suspend(struct machine *machine, struct strand *strand);

/* Publishes when this processor wants to go on. */
void scheduler_update(struct cpu *cpu);

/* Appends to a processor's queue. */
void scheduler_enqueue(struct cpu *cpu, struct strand *strand);

#endif
