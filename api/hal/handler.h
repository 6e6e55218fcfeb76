/* handler.h - a call of a handler that a counter set was allocated with, of
 * either kind: whose code it is meanwhile, and how long it may take. */
#ifndef API_HAL_HANDLER_H
#define API_HAL_HANDLER_H

#include <stdint.h>

#include "api/core/trace_events.h"
#include "api/ke/code.h"

struct counter_set;
struct cpu;
struct kernel;

struct handler_call {
    uint64_t address; /* as the driver gave it */
    uint64_t argument[CODE_ARGUMENTS];
    enum api_event enter, leave;
    uint64_t shown[2]; /* in the first of them, behind the set */
};

/* On the processor that runs, which services the PMI (HAL-OVF-07 [C]). The set
 * lives on as long as the handler runs. An address without a driver's code
 * stops the machine. */
void handler_run(struct kernel *kernel, struct cpu *cpu,
    struct counter_set *set, const struct handler_call *call);

#endif
