/* strand.h - a line of execution on one processor: an actor's thread, a
 * workload, or the idle loop that an interrupt lands on. */
#ifndef SIM_MACHINE_STRAND_H
#define SIM_MACHINE_STRAND_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/base/coroutine.h"
#include "sim/machine/machine.h"

enum {
    STRAND_STACK_BYTES = 256 * 1024,
    STRAND_GUEST_STACK_BYTES = 24 * 1024, /* a Windows kernel stack on x64 */
    STRAND_LOCAL_BYTES = 64,
};

enum strand_state {
    STRAND_READY,    /* goes on at `wake` */
    STRAND_SPINNING, /* waits and keeps its processor */
    STRAND_BLOCKED,  /* waits and leaves its processor to others */
    STRAND_DONE,
};

struct strand {
    struct coroutine coroutine;
    struct cpu *cpu;
    const void *owner; /* the layer above's: whose thread this is */
    uint64_t *budget;  /* preemption points left to it, which it counts instead
                          of the machine's; NULL: it has none of its own */
    void *guest_stack; /* its lowest byte; NULL: none was needed yet */
    /* The layer above's, for this strand alone; zero at first. */
    _Alignas(8) uint8_t local[STRAND_LOCAL_BYTES];
    enum strand_state state;
    uint64_t wake; /* earliest machine time at which it goes on, cycles */
    bool (*condition)(void *context);
    void *condition_context;
    struct strand *next; /* in its processor's queue, or among the waiting */
    /* Where it waits, else NULL (waiting.h): */
    struct waiters *waiters;
    struct strand *previous, *mate, *mate_before;
    uint64_t since; /* the number of its wait */
};

/* Puts a new strand, which will run entry(argument), at the end of the
 * processor's queue; it starts at machine time `machine->now` at the earliest.
 * NULL when there are no stacks left. */
struct strand *strand_spawn(struct cpu *cpu, void (*entry)(void *argument),
    void *argument, const void *owner);

/* The same, in no queue: for scheduler.c, which puts it on the processor. */
struct strand *strand_make(struct cpu *cpu, void (*entry)(void *argument),
    void *argument, const void *owner);

/* Whether it can go on: it is alive, has a stack, and waits for something if it
 * waits; asserts each part. */
bool strand_check(const struct strand *strand);

/* The strand that is running; NULL outside machine_run(). */
static inline struct strand *strand_current(const struct machine *machine)
{
    return machine->running;
}

/* The preemption points that the strand may still pass. */
static inline uint64_t *strand_points(
    struct machine *machine, const struct strand *strand)
{
    return strand->budget != NULL ? strand->budget : &machine->budget;
}

/* From here on the running strand counts its preemption points there. */
void strand_set_budget(struct machine *machine, uint64_t *budget);

/* The stack for native code of the running strand, lowest byte first, which it
 * keeps to its end. NULL when there are none left. */
void *strand_guest_stack(struct machine *machine);

/* From within a strand: goes on when condition(context) holds, which must not
 * change anything. STRAND_SPINNING keeps the processor, which is charged the
 * time; interrupts are taken meanwhile. STRAND_BLOCKED leaves it. */
void strand_wait(struct machine *machine, enum strand_state how,
    bool (*condition)(void *context), void *context);

/* From within a strand: lets every processor with an earlier time go first,
 * and returns when the machine has reached `time`, or before that when an
 * interrupt is sent here. Returns the time at which it goes on. */
uint64_t strand_sleep_until(struct machine *machine, uint64_t time);

/* At `time` there is an interrupt that the processor can take: what waits
 * there goes on then. */
void strand_interrupt(struct cpu *cpu, uint64_t time);

/* From within a strand: leaves its processor and goes on on `to`, behind those
 * that wait for it there and no earlier than now. */
void strand_move(struct machine *machine, struct cpu *to);

/* Runs entry(argument) as code on `cpu` and returns when it has ended: at once
 * when that is where the caller runs, else as a strand there, with this owner,
 * that the caller waits for. */
void strand_call_on(struct cpu *cpu, void (*entry)(void *argument),
    void *argument, const void *owner);

#endif
