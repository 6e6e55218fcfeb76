/* performance_counter.c - KeQueryPerformanceCounter. */
#include "api/ke/performance_counter.h"

#include <assert.h>

#include "api/core/kernel.h"
#include "api/core/routine.h"
#include "api/core/routine_bodies.h"
#include "api/mm/copy.h"

enum { TICKS_PER_MICROSECOND = PERFORMANCE_COUNTER_HZ / 1000000 };

uint64_t performance_counter_at(uint64_t mhz, uint64_t cycles)
{
    assert(mhz > 0);
    return cycles / mhz * TICKS_PER_MICROSECOND +
           cycles % mhz * TICKS_PER_MICROSECOND / mhz;
}

LONGLONG KeQueryPerformanceCounter_body(PLARGE_INTEGER PerformanceFrequency)
{
    struct kernel *kernel = kernel_current();
    const LARGE_INTEGER frequency = {.QuadPart = PERFORMANCE_COUNTER_HZ};

    if (PerformanceFrequency != NULL) {
        copy_out(kernel, ROUTINE_KeQueryPerformanceCounter,
            PerformanceFrequency, &frequency, sizeof(frequency));
    }
    return (LONGLONG)performance_counter_at(
        kernel->machine->config.pmu.mhz, kernel_cpu(kernel)->time);
}
