/* performance_counter.h - the clock that intervals are measured with, the same
 * on every processor. */
#ifndef API_KE_PERFORMANCE_COUNTER_H
#define API_KE_PERFORMANCE_COUNTER_H

#include <stdint.h>

/* Ticks per second, as most machines have it (QPC-03 [C]). */
#define PERFORMANCE_COUNTER_HZ 10000000

/* What it says at a time of a machine, in cycles at its nominal frequency,
 * `mhz`; exact for any number of them. */
uint64_t performance_counter_at(uint64_t mhz, uint64_t cycles);

#endif
