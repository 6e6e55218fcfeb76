/* counters.h - the blocks that queue_counters.man describes and, behind them,
 * what ntpmu ctrpp has made of it: QueuesQueue and QueuesProcessor, the
 * registrations, and the functions around them. */
#ifndef QUEUES_COUNTERS_H
#define QUEUES_COUNTERS_H

#include <ntddk.h>

typedef struct {
    ULONG64 Packets; /* that have left */
    ULONG64 Bytes;   /* of those */
    ULONG Depth;     /* packets that wait */
    ULONG Offered;   /* packets that came */
    ULONG Dropped;   /* of those: there was no room */
} QUEUE_TRAFFIC;

typedef struct {
    ULONG Ticks;   /* of the performance counter; wraps */
    ULONG Packets; /* that waited them */
} QUEUE_DELAY;

typedef struct {
    ULONG64 Bytes;
    ULONG Packets;
} PROCESSOR_WORK;

/* A field that is not as wide as its counter's type is an error. */
#define CTRPP_VERIFY_COUNTER_SIZES 1
#include <queue_counters.h>

#endif
