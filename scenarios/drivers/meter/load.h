/* load.h - jobs, each processor's figures of those that have ended, and their
 * sum as the counter set "Sample Meter Load": Windows asks for it by a
 * callback. */
#ifndef METER_LOAD_H
#define METER_LOAD_H

#include <ntddk.h>

#define METER_TAG 'eteM'

/* Before everything else here; STATUS_INSUFFICIENT_RESOURCES, or as Windows
 * refuses the set. At PASSIVE_LEVEL. */
NTSTATUS load_start(VOID);

/* When it returns no callback runs any more, nor a DPC. At PASSIVE_LEVEL. */
VOID load_stop(VOID);

/* As in meter.h; at or below DISPATCH_LEVEL. */
NTSTATUS load_begin(ULONG job);
NTSTATUS load_end(ULONG job);

/* Jobs that have ended, of all processors; at or below DISPATCH_LEVEL. */
ULONG64 load_jobs(VOID);

#endif
