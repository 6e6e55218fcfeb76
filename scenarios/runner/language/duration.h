/* duration.h - a time as a scenario writes it, 10us, and how many cycles (or
 * microseconds) of the place where it stands that is. */
#ifndef RUNNER_LANGUAGE_DURATION_H
#define RUNNER_LANGUAGE_DURATION_H

#include <stdbool.h>
#include <stdint.h>

#include "scenarios/runner/language/schema.h"

#define DURATION_PATTERN "(0|[1-9][0-9]*)(ns|us|ms|s)"

/* Whether a plain word is a number with a unit: 500ns, 10us, 1ms or 5s. */
bool duration_is(const struct node *node);

/* Whether it is meant to be one, and is written otherwise: 10usec, 1.5ms. */
bool duration_is_meant(const struct node *node);

/* What to write instead of such a one. */
const char *duration_hint(const struct node *node);

/* How many of what there are `per_us` of in a microsecond. Returns NULL, or why
 * it is none, child of `context`. The node is a duration. */
char *duration_count(
    void *context, const struct node *node, uint64_t per_us, uint64_t *count);

/* What a routine's parameter counts, where the WDK names it after its unit, as
 * MicroSeconds; 0: no time. */
uint64_t duration_of_parameter(const char *name);

/* Such a count from `low` to `high`, as a number or a duration; reports what is
 * wrong. */
bool duration_read(const struct schema *schema, const struct node *node,
    uint64_t per_us, uint64_t low, uint64_t high, uint64_t *count);

/* The same with the limits that keys.def has for the key. */
bool duration_read_key(const struct schema *schema, enum mapping mapping,
    const char *key, const struct node *node, uint64_t per_us, uint64_t *count);

#endif
