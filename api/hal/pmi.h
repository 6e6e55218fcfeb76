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

/* What sim/ calls on the processor that takes an interrupt; `context` is the
 * kernel. */
void pmi_interrupt(void *context, struct cpu *cpu, uint8_t vector);

#endif
