/* resource_list.h - the counters and the handler that a resource list asks for.
 * Knows nothing of processors. */
#ifndef API_HAL_RESOURCE_LIST_H
#define API_HAL_RESOURCE_LIST_H

#include "api/hal/arbiter.h"

struct kernel;

/* Adds what the list names to `claim` and returns STATUS_SUCCESS, or the status
 * of the first check that fails (HAL-ALLOC-34 to HAL-ALLOC-40b). Memory that
 * cannot be read raises at the caller. */
NTSTATUS resource_list_decode(struct counter_claim *claim,
    struct kernel *kernel, const PHYSICAL_COUNTER_RESOURCE_LIST *list);

#endif
