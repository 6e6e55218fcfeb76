/* counter_clock.h - what a consumer's clocks say at a time of the machine. */
#ifndef API_PCW_COUNTER_CLOCK_H
#define API_PCW_COUNTER_CLOCK_H

#include <stdint.h>

#include "api/pcw/counter_format.h"

/* Fills in the sample's times, of a machine at its nominal frequency, `mhz`:
 * of the performance counter (QPC-03 [C]), whose ticks have the 100 ns of the
 * system's clock. */
void counter_clock_read(
    uint64_t mhz, uint64_t cycles, struct counter_sample *sample);

#endif
