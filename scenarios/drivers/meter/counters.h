/* counters.h - the blocks that meter_counters.man describes and, behind them,
 * what ntpmu ctrpp has made of it: MeterLoad and MeterTrend, the
 * registrations, and the functions around them. */
#ifndef METER_COUNTERS_H
#define METER_COUNTERS_H

#include <ntddk.h>

typedef struct {
    ULONG64 Jobs;      /* that have ended */
    ULONG64 Busy;      /* 100 ns that they took, one beside the other */
    ULONG64 Started;   /* by the performance counter; so is Now */
    ULONG64 Now;       /* when this was written */
    ULONG64 Frequency; /* ticks of the performance counter in a second */
    ULONG Ticks;       /* that the jobs took; wraps */
    ULONG Ended;       /* of those: jobs; wraps, too */
} METER_LOAD;

typedef struct {
    ULONG Samples;
    ULONG Ticks; /* of the performance counter between samples; wraps */
    ULONG Last;  /* jobs between the last two samples */
    ULONG Most;  /* the most of those ever */
} METER_TREND;

/* A field that is not as wide as its counter's type is an error. */
#define CTRPP_VERIFY_COUNTER_SIZES 1
#include <meter_counters.h>

#endif
