/* ipi.h - KeIpiGenericCall: a worker that every processor runs at the same
 * time, at IPI_LEVEL (facts.md 7.6). */
#ifndef API_KE_IPI_H
#define API_KE_IPI_H

#include <stdbool.h>
#include <stdint.h>

struct cpu;
struct driver;
struct kernel;

/* The broadcast that is under way; there is one at a time (IPI-03 [C]). */
struct ipi {
    bool busy;
    uint32_t number; /* of broadcasts so far */
    uint64_t worker, context;
    const struct driver *driver; /* whose worker it is */
    uint32_t arrived, finished;  /* processors */
};

/* The vector of the broadcast: of IPI_LEVEL's class. */
uint8_t ipi_vector(const struct kernel *kernel);

/* Takes part in the broadcast, on a processor that was interrupted for it. */
void ipi_service(struct kernel *kernel, struct cpu *cpu);

#endif
