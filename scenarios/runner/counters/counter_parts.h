/* counter_parts.h - the other counters that a counter's figure is made of. */
#ifndef RUNNER_COUNTERS_COUNTER_PARTS_H
#define RUNNER_COUNTERS_COUNTER_PARTS_H

#include "api/ctrpp/manifest.h"

/* Their ids; NULL where none has a part in it. */
struct counter_parts {
    const struct manifest_number *base, *multi, *time, *frequency;
};

/* What the counter's type needs (CTR-MAN-04). A manifest may give a counter
 * others, too, for which its type has no use: they are no part of it. */
struct counter_parts counter_parts_of(const struct manifest_counter *counter);

#endif
