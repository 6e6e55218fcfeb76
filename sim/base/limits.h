/* limits.h - the largest machine that the model builds, and what one program
 * may ask of it. A limit is checked where the value enters, never on the way.
 */
#ifndef SIM_BASE_LIMITS_H
#define SIM_BASE_LIMITS_H

#include <stdint.h>

enum {
    LIMIT_PROCESSORS = 2048,
    LIMIT_GROUPS = 32,           /* 2,048 / 64 */
    LIMIT_GROUP_PROCESSORS = 64, /* facts.md GRP-01 */
    LIMIT_GP_COUNTERS = 8,
    LIMIT_FIXED_COUNTERS = 4,
    LIMIT_COUNTER_BITS = 57,   /* of counters reached by MSR */
    LIMIT_EVENT_COUNTERS = 31, /* of an Armv8 PMU */
    LIMIT_GIVEN_MSRS = 64,     /* registers that a machine is given */
    LIMIT_KINDS = 3,           /* of processors that differ from the others */
};

/* A segment of at most 2^48 cycles (a day at 3 GHz) with at most 64 events a
 * cycle keeps every event total below 2^63. A rate p/q can say any such total
 * of a segment: q is at most 2^48, too. */
#define LIMIT_SEGMENT_CYCLES (UINT64_C(1) << 48)
#define LIMIT_RATE_PER_CYCLE UINT64_C(64)
#define LIMIT_SEGMENT_EVENTS (LIMIT_SEGMENT_CYCLES * LIMIT_RATE_PER_CYCLE)
#define LIMIT_CLOCK_PER_CYCLE UINT64_C(16)

/* A machine ends, as when its budget is used up, before time can wrap. */
#define LIMIT_TIME (UINT64_C(1) << 62)

#endif
