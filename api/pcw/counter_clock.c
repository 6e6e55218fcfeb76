/* counter_clock.c - both clocks are the performance counter. */
#include "api/pcw/counter_clock.h"

#include "api/ke/performance_counter.h"

void counter_clock_read(
    uint64_t mhz, uint64_t cycles, struct counter_sample *sample)
{
    uint64_t ticks = performance_counter_at(mhz, cycles);

    sample->perf_time = ticks;
    sample->perf_freq = PERFORMANCE_COUNTER_HZ;
    sample->time_100ns = ticks;
}
