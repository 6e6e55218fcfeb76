/* counter_live.h - what ntpmu counters --live shows: a line for each counter of
 * each instance, with its last figure and the way of it so far. */
#ifndef RUNNER_COMMANDS_COUNTERS_COUNTER_LIVE_H
#define RUNNER_COMMANDS_COUNTERS_COUNTER_LIVE_H

#include "scenarios/runner/commands/counters/counter_series.h"

enum { COUNTER_SPARKS = 40 }; /* the most marks of a sparkline */

/* The way of a series' figures: a mark for each of the last samples, as high
 * as the figure is between the least and the greatest of them; a space where
 * there is none; "" where none of them has one. Of `samples` samples there
 * were. Child of `context`. */
char *counter_live_sparks(
    void *context, const struct counter_series *series, size_t samples);

void counter_live_print(const struct counter_lines *lines, FILE *out);

#endif
