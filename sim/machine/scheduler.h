/* scheduler.h - what strand.c and the machine's loop share; not for others. */
#ifndef SIM_MACHINE_SCHEDULER_H
#define SIM_MACHINE_SCHEDULER_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/machine/machine.h"

struct strand;

/* The processor that goes on: the one with the smallest time, of equal ones the
 * one with the lowest number, or whom the schedule says; NULL when none has
 * anything to do. */
struct cpu *scheduler_choose(struct machine *machine);

/* Whether scheduler_choose() would take the processor that runs once more if it
 * were to go on at `time`. */
bool scheduler_goes_on(struct cpu *cpu, uint64_t time);

/* Whether anybody who waits is to go on: asks each condition. */
static inline bool scheduler_wakes(struct machine *machine)
{
    return machine->waiting.waiters != NULL && waiting_look(machine);
}

/* At the lower end of a strand's stack, which it has left or where it has
 * ended: who has the next turn, and may have it on that stack; it is running
 * then. NULL: that is for the loop to say. */
struct strand *scheduler_next(struct machine *machine);

/* The running strand's turn is over, and it goes on when it has the next one.
 * Meanwhile those do who are next, each on its own stack; where one has none
 * yet, or nobody is next, or a schedule chooses, the machine's loop. */
void scheduler_suspend(struct machine *machine, struct strand *strand);

/* Publishes when this processor wants to go on. */
void scheduler_update(struct cpu *cpu);

/* Puts it into a processor's queue: behind those of its rank and above. */
void scheduler_enqueue(struct cpu *cpu, struct strand *strand);

/* The same, before those of its rank. */
void scheduler_enqueue_first(struct cpu *cpu, struct strand *strand);

/* Whether one in the queue, ready by now, is of a higher rank than what the
 * processor runs, or of an equal one. */
bool scheduler_is_outranked(struct cpu *cpu, bool by_equal);

#endif
