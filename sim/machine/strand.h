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
    STRAND_LOCAL_BYTES = 96,
    STRAND_RANK = 8,              /* what a strand has at first */
    STRAND_GUEST_STRANDS = 12288, /* as many as there may be for a guest to get
                                     another */
};

enum strand_state {
    STRAND_READY,    /* goes on at `wake` */
    STRAND_SPINNING, /* waits and keeps its processor */
    STRAND_BLOCKED,  /* waits and leaves its processor to others */
    STRAND_PARKED,   /* the same, until strand_unpark(); nobody is asked */
    STRAND_DONE,
};

/* What the machine's loop looks at stands first. */
struct strand {
    struct cpu *cpu;
    /* It lies at the upper end of the stack; NULL: there is none, and it goes
     * on with entry(argument) on a new one. */
    struct coroutine *coroutine;
    void (*entry)(void *argument);
    void *argument;
    uint64_t wake; /* earliest machine time at which it goes on, cycles */
    enum strand_state state;
    uint8_t rank;    /* who is first in a processor's queue: the highest */
    bool background; /* it keeps no machine running */
    bool gives_way;  /* leaves its processor, ready as it is */
    bool idle;       /* what a processor does that has nothing to do */
    /* Where it waits, else NULL (waiting.h): */
    struct waiters *waiters;
    struct strand *mate, *mate_before;
    uint64_t since; /* the number of its wait */
    bool (*condition)(void *context);
    void *condition_context;
    /* In its processor's queue, or among those that are parked, which know the
     * one before, too. */
    struct strand *next, *previous;
    const void *owner; /* the layer above's: whose thread this is */
    uint64_t *budget;  /* preemption points left to it, which it counts instead
                          of the machine's; NULL: it has none of its own */
    void *guest_stack; /* its lowest byte; NULL: none was needed yet */
    /* What its code touches as long as nobody says otherwise; everything at
     * first. Kept where there is a schedule. */
    struct schedule_footprint touches;
    /* The layer above's, for this strand alone; zero at first. */
    _Alignas(8) uint8_t local[STRAND_LOCAL_BYTES];
};

/* Puts a new strand, which will run entry(argument), at the end of the
 * processor's queue; it starts at machine time `machine->now` at the earliest.
 * It gets its stack then: while it waits for its first turn it has none. NULL
 * when there are as many strands as stacks, or the machine's memory is full. */
struct strand *strand_spawn(struct cpu *cpu, void (*entry)(void *argument),
    void *argument, const void *owner);

/* The same on a guest's behalf: NULL already at STRAND_GUEST_STRANDS, or when
 * only our own memory is left, which the caller turns into the guest's own
 * error. */
struct strand *strand_spawn_for_guest(struct cpu *cpu,
    void (*entry)(void *argument), void *argument, const void *owner);

/* The same, in no queue: for scheduler.c, which puts it on the processor. */
struct strand *strand_make(struct cpu *cpu, void (*entry)(void *argument),
    void *argument, const void *owner);

/* For scheduler.c: has the strand go on, on its stack or on a new one, until it
 * or whoever went on behind it suspends, or nobody is left that goes on there.
 * The turn that is not ended yet is that of machine->running. */
void strand_resume(struct strand *strand);

/* Whether it can go on: it is alive, has a stack or does not need one yet, and
 * waits for something if it waits; asserts each part. */
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

/* From here on the running strand's code touches no more than this; without a
 * schedule nobody asks. Returns what it was said to touch before. */
static inline struct schedule_footprint strand_touches(
    struct machine *machine, struct schedule_footprint touches)
{
    struct strand *strand = machine->running;
    struct schedule_footprint before = {0};

    if (machine->schedule != NULL && strand != NULL) {
        before = strand->touches;
        strand->touches = touches;
        if (!machine->schedule->closed) {
            schedule_footprint_add(&machine->schedule->touched, touches);
        }
    }
    return before;
}

/* The stack for native code of the running strand, lowest byte first, which it
 * keeps to its end. NULL when there are none left. */
void *strand_guest_stack(struct machine *machine);

/* From within a strand: goes on when condition(context) holds, which must not
 * change anything. STRAND_SPINNING keeps the processor, which is charged the
 * time; interrupts are taken meanwhile. STRAND_BLOCKED leaves it. */
void strand_wait(struct machine *machine, enum strand_state how,
    bool (*condition)(void *context), void *context);

/* From within a strand: leaves its processor until somebody calls
 * strand_unpark(), and goes on behind those of its rank. */
void strand_park(struct machine *machine);

/* The strand, which is parked, goes on: no earlier than now. */
void strand_unpark(struct strand *strand);

/* The same on another processor than where it was parked. */
void strand_unpark_on(struct strand *strand, struct cpu *cpu);

/* Processors of that group, by number, that have nothing to do. */
static inline uint64_t strand_unoccupied(
    const struct machine *machine, uint16_t group)
{
    return machine->unoccupied[group];
}

/* From within a strand: leaves its processor to those in the queue that are of
 * a higher rank, or of its own too, and goes on when their turn is over. False:
 * there is none, and nothing has happened. */
bool strand_give_way(struct machine *machine, bool to_equal);

/* From within a strand: it has come to its end, wherever its code is. */
_Noreturn void strand_end(struct machine *machine);

/* Whether there is one. */
bool strand_is_outranked(const struct machine *machine, bool by_equal);

/* The strand has this rank from now on; one that is in a queue, too. */
void strand_set_rank(struct strand *strand, uint8_t rank);

/* The strand, which was just made, keeps no machine running: what it waits for
 * need never come. */
void strand_to_background(struct strand *strand);

/* From within a strand, as its last act on this stack, which it does not need
 * any more: what spins until condition(context) holds goes on with
 * entry(argument), which begins with strand_come_back(), on another stack. */
void strand_leave_waiting(struct machine *machine,
    bool (*condition)(void *context), void *context,
    void (*entry)(void *argument), void *argument);

/* Goes on where strand_wait() does behind its wait. */
void strand_come_back(struct machine *machine);

/* The same of what strand_sleep_until(time) would suspend: it goes on with
 * entry(argument). False: nobody goes first, and it goes on as it is. */
bool strand_leave_until(struct machine *machine, uint64_t time,
    void (*entry)(void *argument), void *argument);

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
