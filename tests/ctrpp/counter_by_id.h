/* counter_by_id.h - a counter that was read, by its id. */
#ifndef TESTS_CTRPP_COUNTER_BY_ID_H
#define TESTS_CTRPP_COUNTER_BY_ID_H

#include "api/ctrpp/manifest.h"

/* NULL when the set has none. */
static inline const struct manifest_counter *counter_by_id(
    const struct manifest_set *set, uint32_t id)
{
    for (size_t i = 0; i < set->counter_count; i++) {
        if (set->counter[i].id == id) {
            return &set->counter[i];
        }
    }
    return NULL;
}

#endif
