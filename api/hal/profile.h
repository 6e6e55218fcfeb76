/* profile.h - the older way to the PMU's interrupt: a driver's own routine for
 * it, which HalSetSystemInformation installs (PROF-05). */
#ifndef API_HAL_PROFILE_H
#define API_HAL_PROFILE_H

#include <stdbool.h>
#include <stdint.h>

#include "api/nt/nt.h"

struct counter_set;
struct cpu;
struct driver;
struct kernel;
struct leak_source;

struct profile {
    uint64_t routine; /* the driver's, for the PMU's interrupt; 0: none */
    const struct driver *owner; /* of the routine */
    uint64_t place;             /* of the call that installed it; 0: unknown */
    uint32_t step;              /* of the actor's that did (struct thread) */
    bool reported;              /* as left behind */
    /* What a routine is given for a KTRAP_FRAME, whose members no public header
     * at hand has: a page that cannot be touched; NULL: not needed yet. */
    const uint8_t *frame;
    ULONG_PTR interval[ProfileMaximum]; /* by source; 0: as at boot */
};

/* Calls the routine, if there is one, at the level of the interrupt. */
void profile_call(struct kernel *kernel, struct cpu *cpu);

/* A set with an overflow handler has been granted: a rule event where a routine
 * is installed as well (PROF-08 [C]). */
void profile_note_set(struct kernel *kernel, struct cpu *cpu);

/* Whether the address lies in what routines are given for a trap frame. */
bool profile_is_frame(const struct kernel *kernel, uint64_t address);

/* The routine that a driver has installed and left. */
extern const struct leak_source hal_profile_leaks;

#endif
