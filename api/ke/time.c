/* time.c - KeQuerySystemTime, KeQueryInterruptTime, KeQueryTickCount and their
 * kin: as of the last tick, or now. */
#include "api/core/kernel.h"
#include "api/core/routine.h"
#include "api/core/routine_bodies.h"
#include "api/ke/clock.h"
#include "api/ke/performance_counter.h"
#include "api/mm/copy.h"

enum { BIAS = 0 }; /* of the time zone (TIME-07 [C]) */

static void put_time(enum routine routine, PLARGE_INTEGER to, uint64_t time)
{
    const LARGE_INTEGER value = {.QuadPart = (LONGLONG)time};

    copy_out(kernel_current(), routine, to, &value, sizeof(value));
}

VOID KeQuerySystemTime_body(PLARGE_INTEGER CurrentTime)
{
    put_time(ROUTINE_KeQuerySystemTime, CurrentTime,
        CLOCK_BOOT_TIME + clock_interrupt_time(kernel_current()));
}

VOID KeQuerySystemTimePrecise_body(PLARGE_INTEGER CurrentTime)
{
    put_time(ROUTINE_KeQuerySystemTimePrecise, CurrentTime,
        CLOCK_BOOT_TIME + clock_exact_time(kernel_current()));
}

VOID KeQueryTickCount_body(PLARGE_INTEGER CurrentCount)
{
    struct kernel *kernel = kernel_current();

    put_time(ROUTINE_KeQueryTickCount, CurrentCount,
        clock_ticks_at(kernel, kernel_cpu(kernel)->time));
}

ULONG KeQueryTimeIncrement_body(void)
{
    return CLOCK_TICK_UNITS;
}

ULONGLONG KeQueryInterruptTime_body(void)
{
    return clock_interrupt_time(kernel_current());
}

/* The machine never sleeps, so there is no bias. */
ULONGLONG KeQueryUnbiasedInterruptTime_body(void)
{
    return clock_interrupt_time(kernel_current());
}

/* The counter that the time was made of (TIME-03). */
static ULONGLONG precise(enum routine routine, PULONG64 counter)
{
    struct kernel *kernel = kernel_current();
    const ULONG64 value = performance_counter_at(
        kernel->machine->config.pmu.mhz, kernel_cpu(kernel)->time);

    copy_out(kernel, routine, counter, &value, sizeof(value));
    return clock_exact_time(kernel);
}

ULONGLONG KeQueryInterruptTimePrecise_body(PULONG64 QpcTimeStamp)
{
    return precise(ROUTINE_KeQueryInterruptTimePrecise, QpcTimeStamp);
}

ULONGLONG KeQueryUnbiasedInterruptTimePrecise_body(PULONG64 QpcTimeStamp)
{
    return precise(ROUTINE_KeQueryUnbiasedInterruptTimePrecise, QpcTimeStamp);
}

static void convert(enum routine routine, const LARGE_INTEGER *from,
    PLARGE_INTEGER to, int sign)
{
    LARGE_INTEGER value;

    copy_in(kernel_current(), routine, &value, from, sizeof(value));
    put_time(routine, to, (uint64_t)value.QuadPart + (uint64_t)(sign * BIAS));
}

VOID ExSystemTimeToLocalTime_body(
    PLARGE_INTEGER SystemTime, PLARGE_INTEGER LocalTime)
{
    convert(ROUTINE_ExSystemTimeToLocalTime, SystemTime, LocalTime, -1);
}

VOID ExLocalTimeToSystemTime_body(
    PLARGE_INTEGER LocalTime, PLARGE_INTEGER SystemTime)
{
    convert(ROUTINE_ExLocalTimeToSystemTime, LocalTime, SystemTime, 1);
}
