/* counters.h - the blocks that depot_counters.man describes and, behind them,
 * what ntpmu ctrpp has made of it: DepotLedger and DepotCensus, the
 * registrations, and the functions around them. */
#ifndef DEPOT_COUNTERS_H
#define DEPOT_COUNTERS_H

#include <ntddk.h>

typedef struct {
    ULONG64 Bytes; /* that are there */
    ULONG64 InUse; /* 100 ns in which something was there */
    ULONG Items;   /* that are there */
    ULONG Gets;
    ULONG Hits;    /* of those: something was there */
    ULONG Ticks;   /* of the performance counter that items were kept; wraps */
    ULONG Dropped; /* items that were */
} DEPOT_FIGURES;

typedef struct {
    ULONG64 Bytes;
    ULONG64 Taken; /* when it was counted, by the performance counter */
    ULONG64 Now;   /* when it is told */
    ULONG64 Frequency;
    ULONG Items;
} DEPOT_SIZE;

/* A field that is not as wide as its counter's type is an error. */
#define CTRPP_VERIFY_COUNTER_SIZES 1
#include <depot_counters.h>

#endif
