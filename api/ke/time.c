/* time.c - KeQuerySystemTime, KeQueryInterruptTime, KeQueryTickCount and their
 * kin: as of the last tick, or now. */
#include "api/core/kernel.h"
#include "api/core/routine.h"
#include "api/core/routine_bodies.h"
#include "api/ke/clock.h"
#include "api/ke/performance_counter.h"
#include "api/mm/copy.h"

#define UNITS_PER_MINUTE UINT64_C(600000000)

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

/* How much local time is behind, units of 100 ns (TIME-07 [C]). */
static uint64_t bias(const struct kernel *kernel)
{
    return UNITS_PER_MINUTE * ruling_number_or(kernel, RULED_TIME_07_number, 0);
}

static uint64_t read_time(enum routine routine, const LARGE_INTEGER *from)
{
    LARGE_INTEGER value;

    copy_in(kernel_current(), routine, &value, from, sizeof(value));
    return (uint64_t)value.QuadPart;
}

VOID ExSystemTimeToLocalTime_body(
    PLARGE_INTEGER SystemTime, PLARGE_INTEGER LocalTime)
{
    const enum routine routine = ROUTINE_ExSystemTimeToLocalTime;

    put_time(routine, LocalTime,
        read_time(routine, SystemTime) - bias(kernel_current()));
}

VOID ExLocalTimeToSystemTime_body(
    PLARGE_INTEGER LocalTime, PLARGE_INTEGER SystemTime)
{
    const enum routine routine = ROUTINE_ExLocalTimeToSystemTime;

    put_time(routine, SystemTime,
        read_time(routine, LocalTime) + bias(kernel_current()));
}
