/* pmi.h - the HAL's performance monitoring interrupt: from the vector to the
 * overflow handlers of the drivers. */
#ifndef API_HAL_PMI_H
#define API_HAL_PMI_H

#include "api/ke/interrupt.h"

/* The vector that the HAL directs it to. */
uint8_t pmi_vector(const struct kernel *kernel);

/* At boot, on every processor that is active and has a PMU; and on one that is
 * started later, as code on it. */
void pmi_start(struct kernel *kernel);
void pmi_start_on(struct kernel *kernel, struct cpu *cpu);

/* The PMI, of PROFILE_LEVEL's class: calls the handlers of what has overflowed
 * on the processor, and arms the interrupt again. */
extern const struct interrupt_source pmi_interrupt;

#endif
