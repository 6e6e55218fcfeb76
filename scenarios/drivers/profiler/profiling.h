/* profiling.h - the counter whose event buffer says where processors are. All
 * at PASSIVE_LEVEL, one call at a time. */
#ifndef PROFILER_PROFILING_H
#define PROFILER_PROFILING_H

#include <ntddk.h>

#include "scenarios/drivers/profiler/profiler.h"

/* Statuses are those of profiler.h. */
NTSTATUS profiling_start(const struct profiler_start *start);
NTSTATUS profiling_stop(VOID);

/* Counts of the samples in `count` functions; shares->InFunction has room. */
VOID profiling_attribute(const struct profiler_function *function, ULONG count,
    struct profiler_shares *shares);

/* Frees what was recorded. It does not run. */
VOID profiling_discard(VOID);

#endif
