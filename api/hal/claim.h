/* claim.h - what a call of HalAllocateHardwareCounters asks for: its arguments
 * read and checked, nothing changed. Knows nothing of who holds what. */
#ifndef API_HAL_CLAIM_H
#define API_HAL_CLAIM_H

#include "api/hal/arbiter.h"

struct kernel;

/* Fills `claim` and returns STATUS_SUCCESS, or the status of the first check
 * that fails, in the order of facts.md 2.2 (HAL-ALLOC-31a to HAL-ALLOC-40b).
 * Memory that cannot be read raises at the caller. */
NTSTATUS claim_decode(struct counter_claim *claim, struct kernel *kernel,
    PGROUP_AFFINITY GroupAffinty, ULONG GroupCount,
    PPHYSICAL_COUNTER_RESOURCE_LIST ResourceList);

#endif
