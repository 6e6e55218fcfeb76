/* hal_counters.h - counter sets as drivers hold them, for rooms below: what
 * their handles are in a trace, and those that a driver leaves. */
#ifndef API_HAL_HAL_COUNTERS_H
#define API_HAL_HAL_COUNTERS_H

#include "api/core/leaks.h"
#include "api/core/show.h"

extern const struct show_namer hal_namer;
extern const struct leak_source hal_set_leaks;

#endif
