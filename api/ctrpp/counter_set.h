/* counter_set.h - one counterset of a manifest with its structs and counters.
 */
#ifndef API_CTRPP_COUNTER_SET_H
#define API_CTRPP_COUNTER_SET_H

#include "api/ctrpp/element.h"

/* The counterset in the element with its counters; it is number `scope`. */
void counter_set_read(struct reading *reading,
    const struct xml_element *element, size_t scope, struct manifest_set *set);

#endif
