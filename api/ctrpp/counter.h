/* counter.h - one counter of a set as it stands in a manifest. What it refers
 * to is another's to check (references.h). */
#ifndef API_CTRPP_COUNTER_H
#define API_CTRPP_COUNTER_H

#include "api/ctrpp/element.h"

/* A counter's element, and whether these of its values could be read. */
struct read_counter {
    const struct xml_element *element;
    bool has_id, has_type;
    uint64_t meant; /* as in its values */
};

/* One counter of the set, whose structs were read. */
struct read_counter counter_read(struct reading *reading,
    const struct xml_element *element, size_t scope,
    const struct manifest_set *set, struct manifest_counter *counter);

#endif
