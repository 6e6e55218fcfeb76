/* counter_clock.h - what a consumer's clocks say at a time of the machine. */
#ifndef API_PCW_COUNTER_CLOCK_H
#define API_PCW_COUNTER_CLOCK_H

#include <stdint.h>

#include "api/pcw/counter_format.h"

struct kernel;

/* Of the performance counter; it is the system's clock of 100 ns [C]. */
#define COUNTER_CLOCK_HZ UINT64_C(10000000)

/* Fills in the sample's times: `cycles` of the machine at its nominal
 * frequency, as HAL-OVF-13 has it. */
void counter_clock_read(const struct kernel *kernel, uint64_t cycles,
    struct counter_sample *sample);

#endif
