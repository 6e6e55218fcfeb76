/* schedule.h - who goes on, asked of somebody instead of the time: so that one
 * machine can be run in every order that its processors could have had.
 *
 * A processor that is kept waiting while it could have gone on stands still,
 * as it does when firmware or a hypervisor has it: its clocks go on when it
 * does, and time never runs back. Where nobody chooses otherwise a processor
 * goes on until it waits, ends, or lets time pass [C]; then the one with the
 * smallest time does.
 *
 * When an interrupt comes is asked as well. All processors may stand still
 * until the next alarm, so that a timer, a time-out or the end of a quantum
 * comes before what the code does next. A PMI that has come to a processor in
 * kernel code may come a bit later, behind its next instruction, access or
 * call. */
#ifndef SIM_MACHINE_SCHEDULE_H
#define SIM_MACHINE_SCHEDULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/base/limits.h"

struct cpu;
struct machine;

enum {
    /* So many preemption points in a row are one processor's where others
     * could go on; then it is the next one's turn, or code that asks again and
     * again whether another processor has done something would never end. */
    SCHEDULE_PATIENCE = 1000,
    /* So much time may pass at one choice until an alarm comes. So many of them
     * come early in one run of the machine at the most, and a PMI is kept for
     * so many points in a row: code that is interrupted at each of its points
     * would never end. [C] */
    SCHEDULE_LAG_US = 100000,
    SCHEDULE_ALARMS = 32,
    SCHEDULE_KEPT = 4,
};

/* What may be chosen besides processors, which are below LIMIT_PROCESSORS. */
enum {
    SCHEDULE_CLOCK = LIMIT_PROCESSORS, /* the next alarm, before all of them */
    SCHEDULE_LATER, /* of a PMI that comes: what it interrupts goes first */
    SCHEDULE_CHOICES,
};

#define SCHEDULE_NOBODY UINT32_MAX

/* What code touches that other processors' code may touch: one bit for each
 * part of the machine's and the kernel's state. What a bit means is the upper
 * layers'. */
struct schedule_footprint {
    uint64_t reads, writes;
};

/* What may be touched by code of which nothing is known. */
#define SCHEDULE_EVERYTHING                                                    \
    ((struct schedule_footprint){UINT64_MAX, UINT64_MAX})

static inline void schedule_footprint_add(
    struct schedule_footprint *to, struct schedule_footprint from)
{
    to->reads |= from.reads;
    to->writes |= from.writes;
}

/* Whether it makes a difference which of the two comes first. */
static inline bool schedule_footprints_conflict(
    struct schedule_footprint a, struct schedule_footprint b)
{
    return (a.writes & (b.reads | b.writes)) != 0 || (a.reads & b.writes) != 0;
}

/* A preemption point with several processors that could go on. */
struct schedule_choice {
    const struct machine *machine;
    uint32_t last;  /* the processor that ran */
    uint32_t usual; /* who goes on where nobody says otherwise; of a PMI that
                       comes, the processor that takes it */
    const uint32_t *candidate; /* in ascending order, SCHEDULE_... behind */
    size_t count;              /* at least 2 */
    /* Since the choice before, up to the end of that machine_run(). */
    struct schedule_footprint touched;
    bool mixed;   /* several processors went on then */
    uint32_t run; /* which machine_run() this is, counted from 1 */
};

struct schedule {
    /* Who goes on: one of the candidates. */
    uint32_t (*choose)(void *context, const struct schedule_choice *choice);
    void *context;
    bool interrupts;   /* whether it is asked when they come, too */
    bool instructions; /* for the layer above: native code's are points, too */
    /* Since the last choice, up to the end of that machine_run(). */
    struct schedule_footprint touched;
    bool mixed;   /* several processors went on then */
    bool closed;  /* it has ended */
    uint32_t run; /* the number of machine_run(), from 1 */
    /* For schedule.c alone: */
    uint32_t owed;   /* was chosen, and has not gone on yet; or NOBODY */
    uint32_t streak; /* points in a row of the processor that ran last */
    uint32_t alarms; /* that came early in this run */
    uint32_t candidate[LIMIT_PROCESSORS + 1];
};

void schedule_init(struct schedule *schedule, bool interrupts,
    uint32_t (*choose)(void *context, const struct schedule_choice *choice),
    void *context);

/* For the machine's loop: it begins. */
void schedule_open(struct schedule *schedule);

/* It ends: nothing that comes later could have come before. */
void schedule_close(struct schedule *schedule);

/* For the machine's loop: who goes on; NULL when nobody has anything to do, or
 * an alarm comes first. Asked again before that one has gone on it says the
 * same. */
struct cpu *schedule_choose(struct machine *machine);

/* For pmi.c: the processor's PMI has come, at the end of an instruction of
 * kernel code. Whether it is to come behind the next one. */
bool schedule_keeps(struct machine *machine, const struct cpu *cpu);

/* For the machine's loop: the time at which this processor goes on, if it is
 * the next. */
uint64_t schedule_time(const struct machine *machine, uint32_t index);

/* For the machine's loop: the processor goes on with its strand, and has stood
 * still up to now if it could have done so earlier. */
void schedule_begin(struct machine *machine, struct cpu *cpu);

#endif
