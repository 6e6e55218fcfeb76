/* reserved_mapping.h - addresses that a driver has reserved to map an MDL at
 * when memory is short (MDL-14a). */
#ifndef API_MM_RESERVED_MAPPING_H
#define API_MM_RESERVED_MAPPING_H

#include <stdbool.h>
#include <stdint.h>

#include "api/core/routine.h"

struct kernel;
struct mdl;

/* Whether the MDL is mapped at reserved addresses. */
bool reserved_mapping_has(struct kernel *kernel, const struct mdl *mdl);

/* The MDL's mapping goes by a routine that is not for that: where it is at
 * reserved addresses these are empty again, and a rule is broken. */
void reserved_mapping_lost(
    struct kernel *kernel, enum routine routine, const struct mdl *mdl);

/* Whether the address is reserved and nothing is mapped there. */
bool reserved_mapping_is_empty(const struct kernel *kernel, uint64_t address);

#endif
