/* devices_driver.h - the structures of devices.man and, behind them, what is
 * made of it (CTR-GEN-04). */
#ifndef TESTS_API_CTRPP_GOLDEN_DEVICES_DRIVER_H
#define TESTS_API_CTRPP_GOLDEN_DEVICES_DRIVER_H

#include <wdm.h>

typedef struct {
    ULONG64 Reads;
    ULONG Queue;
} DEVICE_TOTALS;

typedef struct {
    ULONG64 Arrival, Now, Frequency;
    ULONG Latency, Requests;
} DEVICE_TIMES;

typedef struct {
    ULONG Resets;
} BUS_COUNTERS;

#include "devices.h"
#include "devices_symbols.h"

/* In devices_collect.c. */
PCW_CALLBACK devices_collect;

#endif
