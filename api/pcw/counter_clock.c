/* counter_clock.c - exact for any number of cycles. */
#include "api/pcw/counter_clock.h"

#include "api/kernel.h"

#define TICKS_PER_MICROSECOND (COUNTER_CLOCK_HZ / 1000000)

void counter_clock_read(
    const struct kernel *kernel, uint64_t cycles, struct counter_sample *sample)
{
    uint64_t mhz = kernel->machine->config.pmu.mhz;
    uint64_t ticks = cycles / mhz * TICKS_PER_MICROSECOND +
                     cycles % mhz * TICKS_PER_MICROSECOND / mhz;

    sample->perf_time = ticks;
    sample->perf_freq = COUNTER_CLOCK_HZ;
    sample->time_100ns = ticks;
}
