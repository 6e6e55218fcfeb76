/* ipi.h - KeIpiGenericCall: a worker that every processor runs at the same
 * time, at IPI_LEVEL (facts.md 7.6). */
#ifndef API_KE_IPI_H
#define API_KE_IPI_H

#include <stdbool.h>
#include <stdint.h>

#include "api/ke/interrupt.h"

struct driver;

/* The broadcast that is under way; there is one at a time (IPI-03 [C]). */
struct ipi {
    bool busy;
    uint32_t number; /* of broadcasts so far */
    uint64_t worker, context;
    const struct driver *driver; /* whose worker it is */
    uint32_t processors;         /* that take part: those that were active */
    uint32_t arrived, finished;
};

/* Waits until no broadcast is under way: one that is has its processors. */
void ipi_wait(struct kernel *kernel);

/* The broadcast's, of IPI_LEVEL's class. */
extern const struct interrupt_source ipi_interrupt;

#endif
