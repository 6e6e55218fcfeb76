/* counter_width.h - what a driver registers for a counter, beside what the
 * counter's type in the manifest is wide (CTR-MAN-05). */
#ifndef RUNNER_COUNTERS_COUNTER_WIDTH_H
#define RUNNER_COUNTERS_COUNTER_WIDTH_H

#include "scenarios/runner/run/rows.h"

/* Whether the two agree, or one of them says nothing: there is no manifest
 * (NULL), the counter is not in it, or its type has no fixed size. A consumer
 * reads by the type what was stored by the registration, so no figure is made
 * of a value that does not agree [C]. */
bool counter_width_agrees(
    const struct manifest_set *set, const struct row_value *value);

/* Tells of one that does not, as in "registered with 8 bytes, its type in the
 * manifest has 4". Child of `context`. */
char *counter_width_text(void *context, const struct manifest_set *set,
    const struct row_value *value);

#endif
