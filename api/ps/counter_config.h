/* counter_config.h - the list of counters that thread profiling would use:
 * KeSet- and KeQueryHardwareCounterConfiguration. */
#ifndef API_PS_COUNTER_CONFIG_H
#define API_PS_COUNTER_CONFIG_H

#include "api/nt/nt.h"

/* In effect for every process and processor; empty at boot (KHC-SET-05). */
struct counter_config {
    HARDWARE_COUNTER counter[MAX_HW_COUNTERS]; /* as given (KHC-QRY-08 [C]) */
    ULONG count;
};

#endif
