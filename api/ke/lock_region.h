/* lock_region.h - locks that are only for code which no kernel APC interrupts:
 * in a critical or guarded region, or at APC_LEVEL. */
#ifndef API_KE_LOCK_REGION_H
#define API_KE_LOCK_REGION_H

#include <stdbool.h>

#include "api/core/routine.h"

struct kernel;

/* Whether the running code is such; in a critical region alone special kernel
 * APCs come through, which `all` does not allow. */
bool lock_region_is_entered(struct kernel *kernel, bool all);

/* The warning lock.apcs_enabled where it is not. */
void lock_region_check(struct kernel *kernel, enum routine routine, bool all);

#endif
