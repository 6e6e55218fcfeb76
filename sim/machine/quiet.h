/* quiet.h - how long the strand that runs on a processor goes on without a
 * question to anybody. `leads` of struct cpu is the first cycle of which it is
 * not known that nobody is earlier, or is to be called before: 0 where nobody
 * has asked, and on every processor but the one that runs. `quiet` is the same,
 * no later than the next step of the PMU's interrupt, and 0 where somebody
 * waits, whose condition is to be asked. What is pending in the APIC is a
 * question of its own, and so are the points that the strand may still pass.
 * For sim/machine alone. */
#ifndef SIM_MACHINE_QUIET_H
#define SIM_MACHINE_QUIET_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/machine/machine.h"
#include "sim/machine/pmi.h"
#include "sim/machine/strand.h"

/* Asks for the processor that runs. */
void quiet_ask(struct cpu *cpu);

/* Asks unless somebody waits, and says whether it is quiet at `time`. */
bool quiet_reaches(struct cpu *cpu, uint64_t time);

/* Whether what is known still holds; asserts each part. */
bool quiet_check(const struct cpu *cpu);

/* Somebody is earlier than before, begins to wait, or is to be called: to be
 * told by whoever makes it so. */
static inline void quiet_end(struct cpu *cpu)
{
    cpu->leads = 0;
    cpu->quiet = 0;
}

/* The same of the processor that runs, whichever it is. */
static inline void quiet_end_running(struct machine *machine)
{
    if (machine->running != NULL) {
        quiet_end(machine->running->cpu);
    }
}

/* What the processor leads until, or the next step of the PMU's interrupt where
 * that comes before. */
static inline uint64_t quiet_until(const struct cpu *cpu)
{
    uint64_t time = pmi_time(cpu);

    return time < cpu->leads ? time : cpu->leads;
}

/* The PMU's interrupt has made a step, or its next one is another. Where it is
 * not quiet it does not become so by that. */
static inline void quiet_follow_pmi(struct cpu *cpu)
{
    if (cpu->quiet != 0) {
        cpu->quiet = quiet_until(cpu);
    }
}

#endif
