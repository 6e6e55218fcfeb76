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

/* How its calls are traced. */
struct handler_kind {
    enum api_event enter, leave;
    uint8_t shown[2]; /* which arguments the first has, behind the set */
};

/* Calls the address that the driver gave, on the processor that runs, which
 * services the PMI (HAL-OVF-07 [C]). The set lives on as long as the handler
 * runs. An address without a driver's code stops the machine. */
void handler_run(struct kernel *kernel, struct cpu *cpu,
    struct counter_set *set, const struct handler_kind *kind, uint64_t address,
    const uint64_t argument[CODE_ARGUMENTS]);

#endif
