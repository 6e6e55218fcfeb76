/* sampling.h - the counter that samples, and the rings its overflows fill.
 * There is one of each processor, and one sampling: a handler is told nothing
 * but the counters. All at PASSIVE_LEVEL, one call at a time. */
#ifndef SAMPLER_SAMPLING_H
#define SAMPLER_SAMPLING_H

#include <ntddk.h>

#include "scenarios/drivers/sampler/sampler.h"

/* Statuses are those of sampler.h. */
NTSTATUS sampling_start(const struct sampler_start *start);
NTSTATUS sampling_stop(VOID);

/* *count is room for samples before, and how many there are after. */
NTSTATUS sampling_read(
    ULONG processor, struct sampler_sample *sample, ULONG *count);

/* Frees the rings. It does not run. */
VOID sampling_discard(VOID);

#endif
