/* hal_counters.h - counter sets as drivers hold them, for rooms below: what
 * their handles are in a trace, and those that a driver leaves. */
#ifndef API_HAL_HAL_COUNTERS_H
#define API_HAL_HAL_COUNTERS_H

#include "api/core/leaks.h"
#include "api/core/show.h"

struct counter_claim;
struct driver;
struct kernel;

/* Windows itself uses counters, under the name of `owner`, as if it had asked
 * HalAllocateHardwareCounters: STATUS_SUCCESS or STATUS_INSUFFICIENT_RESOURCES.
 * No driver makes this call, so it takes no time. */
NTSTATUS hal_system_claim(struct kernel *kernel, const struct driver *owner,
    const struct counter_claim *claim);

/* Gives all of that back; false when there is none. */
bool hal_system_release(struct kernel *kernel, const struct driver *owner);

extern const struct show_namer hal_namer;
extern const struct leak_source hal_set_leaks;

#endif
