/* machine.h - processors, memory, time and trace, and the loop that decides
 * which processor goes on. One host thread runs all of it. Knows nothing of
 * the operating system that runs on it. */
#ifndef SIM_MACHINE_MACHINE_H
#define SIM_MACHINE_MACHINE_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#include "sim/base/arena.h"
#include "sim/base/stack_pool.h"
#include "sim/base/topology.h"
#include "sim/base/trace.h"
#include "sim/machine/cpu.h"
#include "sim/machine/msr_map.h"
#include "sim/machine/order.h"
#include "sim/machine/schedule.h"
#include "sim/machine/waiting.h"
#include "sim/memory/memory.h"
#include "sim/pmu/armv8.h"

/* What the host's caches are asked for before a processor goes on: there are
 * thousands, so all that a switch needs is far away. */
struct scheduler_prefetch {
    const struct strand *strand;
    const void *stack; /* where the strand was last left; NULL: on none */
    const void *local; /* of the layer above's */
};

/* Processors that are not as the others are: an efficiency core's, say. */
struct machine_kind {
    struct pmu_model pmu; /* model_pair_problem() has nothing against it */
    uint64_t processors[LIMIT_PROCESSORS / 64]; /* bit by index */
};

struct machine_config {
    uint32_t processors; /* 1 .. LIMIT_PROCESSORS */
    uint32_t active;     /* at the beginning, the first ones; 0: all */
    uint32_t groups;     /* topology_is_possible() */
    /* Their sizes, which add up to the processors; all 0: as topology_init()
     * spreads them. */
    uint8_t group_size[LIMIT_GROUPS];
    struct pmu_model pmu; /* machine_reset() makes it what a guest sees */
    enum virtualized virtualized;
    /* Those of which there are others; no processor is of two of them, and the
     * caller keeps the list. */
    const struct machine_kind *kind;
    size_t kind_count; /* at most LIMIT_KINDS */
    /* Registers that the model lacks; the caller keeps the list. */
    const struct msr_given *given;
    size_t given_count; /* at most LIMIT_GIVEN_MSRS */
};

enum machine_end {
    MACHINE_IDLE,     /* every strand has ended, nothing is on its way */
    MACHINE_STOPPED,  /* machine_stop() was called */
    MACHINE_DEADLOCK, /* strands wait, and nobody can make them go on */
    MACHINE_BUDGET,   /* the budget of preemption points is used up */
};

/* Something that is due at a time; machine_set_alarm(). */
struct machine_alarm {
    void (*action)(void *context);
    void *context;
    bool wakes;    /* it may let those go on that wait: time leaps to it */
    uint64_t time; /* cycles; the machine's, as the next one is */
    struct machine_alarm *next;
};

#define MACHINE_NO_ALARM UINT64_MAX

/* Those that are set. */
struct machine_alarms {
    uint64_t time; /* of the first; MACHINE_NO_ALARM: there is none */
    struct machine_alarm
        *first; /* by time, of equal ones in order of setting */
};

struct machine {
    /* Kept from one run to the next. */
    struct arena arena;
    struct stack_pool stacks;
    struct stack_pool guest_stacks; /* of code that runs natively */
    struct memory memory;
    struct trace trace;
    /* Made anew by machine_reset(). */
    struct machine_config config;
    struct msr_map *msr_map;  /* of the model, and of each kind's */
    struct topology topology; /* of the active processors, the first ones */
    struct topology all;      /* with those that are not */
    struct cpu *cpu;          /* config.processors of them */
    struct armv8_pmu *armv8;  /* as many; NULL: their PMUs are of x86 */
    struct armv8_features armv8_features[LIMIT_KINDS + 1];
    uint64_t *given; /* what they hold, each processor's config.given_count */
    struct order order;
    struct scheduler_prefetch *prefetch; /* of each processor */
    struct strand *running;
    struct waiting waiting; /* spinning or blocked */
    struct strand *parked;  /* the newest first, by `next` */
    uint32_t strands;       /* that there are, never more than stacks */
    uint64_t unoccupied[LIMIT_GROUPS]; /* processors by number that have nothing
                                          to do, as of their last turn */
    uint32_t foreground;         /* of those, that are no background ones */
    struct strand *free_strands; /* to be used again */
    struct coroutine *spare;     /* done, on a stack that it keeps; or NULL */
    uint64_t now;    /* the latest at which any processor ended a turn */
    uint64_t ran_to; /* the time of the one that ran last */
    uint64_t budget; /* preemption points left; 0 ends it */
    bool stopped;
    struct cpu *alone;       /* machine_freeze(); NULL: all go on */
    uint32_t last_processor; /* that ran */
    void (*interrupt)(void *context, struct cpu *cpu, uint8_t vector);
    void *interrupt_context;
    void (*returned)(void *context, struct cpu *cpu);
    void *returned_context;
    struct machine_alarms alarm;
    /* Who decides instead of the time; NULL: nobody. Set by the layer above
     * between machine_reset() and the first strand. */
    struct schedule *schedule;
};

/* Reserves the host's address space. Returns false when the host refuses; then
 * nothing is kept. */
bool machine_reserve(struct machine *machine);

void machine_release(struct machine *machine);

/* A new machine in the state after RESET; whatever was there is gone, also
 * strands that were in the middle of something. */
void machine_reset(
    struct machine *machine, const struct machine_config *config);

/* Whether its memory, topology and order are sound and belong together; asserts
 * each part. Of processors see cpu_check(). */
bool machine_check(const struct machine *machine);

/* Installs the one way up: called on the processor that takes an interrupt.
 * It returns when the interrupted code is to go on. */
void machine_on_interrupt(struct machine *machine,
    void (*interrupt)(void *context, struct cpu *cpu, uint8_t vector),
    void *context);

/* Installs the other way up: called where a processor has taken an interrupt or
 * several, and is about to go back to what was interrupted, which was in no
 * interrupt itself. There it may be given to another strand. */
void machine_on_return(struct machine *machine,
    void (*returned)(void *context, struct cpu *cpu), void *context);

/* When all that comes up to `time` has happened, the alarm's action(context) is
 * called once, outside of strands; strands that it starts begin at that time.
 * It keeps no machine running that has no strand in the foreground, so it may
 * come as the first thing of the next machine_run(). The caller keeps the
 * alarm, with its action, context and `wakes`; one that is set already is set
 * anew, with MACHINE_NO_ALARM not at all. */
void machine_set_alarm(
    struct machine *machine, struct machine_alarm *alarm, uint64_t time);

/* Runs strands until none can go on: without one in the foreground not
 * beyond the present. */
enum machine_end machine_run(struct machine *machine);

/* Ends machine_run(). From within a strand it does not return, and no strand
 * goes on ever again. */
void machine_stop(struct machine *machine);

/* From within a strand: from here on no processor but the one that runs it goes
 * on, and that one takes no nonmaskable interrupt. There is no way back. */
void machine_freeze(struct machine *machine);

/* What the operating system's loader leaves in every processor's EFER. */
void machine_set_efer(struct machine *machine, uint64_t value);

/* Starts the next processor that is not active, of which there is one: from
 * now on interrupts reach it. */
struct cpu *machine_start_cpu(struct machine *machine);

/* The model of the processor with this index. */
const struct pmu_model *machine_model(
    const struct machine_config *config, uint32_t index);

/* The processor with this system-wide index, which exists. */
static inline struct cpu *machine_cpu(struct machine *machine, uint32_t index)
{
    assert(index < machine->config.processors);
    return &machine->cpu[index];
}

#endif
