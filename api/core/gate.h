/* gate.h - the door that every call of a kernel routine goes through: cost,
 * IRQL contract, trace, preemption points. */
#ifndef API_CORE_GATE_H
#define API_CORE_GATE_H

#include <stdint.h>

#include "api/core/routine.h"

struct cpu;
struct kernel;

/* Who is told of calls that change what a driver holds (kernel_hooks,
 * TRAIT_STATE): behind one that returns a status, if that is a success, before
 * any other. */
struct gate_observer {
    void (*changed)(
        struct kernel *kernel, struct cpu *cpu, enum routine routine);
};

/* Runs the routine's body between two preemption points. The arguments are the
 * row's, widened to 64 bits. A call at a wrong IRQL stops the machine
 * (IRQL-GEN-01 [C]). */
uint64_t gate_call(enum routine routine, const uint64_t *argument);

#endif
