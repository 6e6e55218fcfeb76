/* counter_total.h - what a consumer makes of all instances of a counter set
 * whose manifest says how: their sum, average, least or greatest. */
#ifndef RUNNER_COMMANDS_COUNTERS_COUNTER_TOTAL_H
#define RUNNER_COMMANDS_COUNTERS_COUNTER_TOTAL_H

#include "scenarios/runner/commands/counters/counter_lines.h"

/* PERF_AGGREGATE_INSTANCE (PCW-CON-04). */
#define COUNTER_TOTAL_NAME "_Total"
#define COUNTER_TOTAL_PATH "_Total/_Total" /* of instances with parents [C] */

/* Whether consumers put the instances of such a set together, and whether they
 * show nothing else of it [C]. */
bool counter_total_is_made(const struct manifest_set *set);
bool counter_total_is_all(const struct manifest_set *set);

/* Sets value and figure of `total`, whose other members stay, to what the
 * counter's `aggregate` makes of these lines of it, one at the least: of values
 * as they are, and of figures [C], where all have one. Texts are children of
 * `context`. */
void counter_total_make(void *context, struct counter_line *total,
    const struct counter_line *const *line, size_t count);

#endif
