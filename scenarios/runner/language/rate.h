/* rate.h - how often something happens: p or p/q in a cycle. */
#ifndef RUNNER_LANGUAGE_RATE_H
#define RUNNER_LANGUAGE_RATE_H

#include "scenarios/runner/language/schema.h"
#include "sim/pmu/segment.h"

/* In so many of `cycle`, a word for the error. Returns false after reporting
 * what is none. */
bool rate_read(const struct schema *schema, const struct node *node,
    const char *cycle, struct rate *rate);

#endif
