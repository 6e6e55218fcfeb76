/* trend.h - how many jobs end within windows of a length, as the counter set
 * "Sample Meter Trend": an instance for each length, whose block the DPC of a
 * periodic timer keeps up to date. Needs load.h between its start and stop. */
#ifndef METER_TREND_H
#define METER_TREND_H

#include <ntddk.h>

/* The timers run when it returns STATUS_SUCCESS; STATUS_INSUFFICIENT_RESOURCES,
 * or as Windows refuses the set or an instance. At PASSIVE_LEVEL. */
NTSTATUS trend_start(VOID);

/* When it returns no timer runs, nor a DPC. At PASSIVE_LEVEL. */
VOID trend_stop(VOID);

#endif
