/* cross_call.h - the kernel's own work on other processors' registers: each of
 * them is interrupted and does it there, by itself. */
#ifndef API_KE_CROSS_CALL_H
#define API_KE_CROSS_CALL_H

#include <stdbool.h>
#include <stdint.h>

#include "api/ke/interrupt.h"
#include "sim/base/limits.h"

/* What is done on each processor, at IPI_LEVEL. It does not wait. */
typedef void cross_call_work(
    struct kernel *kernel, struct cpu *cpu, void *context);

/* The call that is under way; there is one at a time. */
struct cross_call {
    bool busy;
    cross_call_work *work;
    void *context;
    uint32_t missing; /* processors that have not done it yet */
};

/* From code below IPI_LEVEL: has the work done on each of the processors, of
 * which there is at least one, and returns when all have. In no order. */
void cross_call(struct kernel *kernel, const uint64_t affinity[LIMIT_GROUPS],
    cross_call_work *work, void *context);

/* Of IPI_LEVEL's class, below the vector of KeIpiGenericCall's broadcasts. */
extern const struct interrupt_source cross_call_interrupt;

#endif
