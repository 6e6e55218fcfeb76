/* pmi.h - the HAL's performance monitoring interrupt: from the vector to the
 * overflow handlers of the drivers. */
#ifndef API_HAL_PMI_H
#define API_HAL_PMI_H

#include <stdint.h>

struct cpu;
struct kernel;

/* The vector that the HAL takes the PMI on: of PROFILE_LEVEL's class. */
uint8_t pmi_vector(const struct kernel *kernel);

/* At boot, on every processor that has a PMU. */
void pmi_start(struct kernel *kernel);

/* Calls the handlers of what has overflowed on this processor, at
 * PROFILE_LEVEL, and arms the interrupt again. */
void pmi_service(struct kernel *kernel, struct cpu *cpu);

#endif
