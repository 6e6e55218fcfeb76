/* counter_series.h - lines put together by what they are of: one counter of
 * one instance, from sample to sample. */
#ifndef RUNNER_COMMANDS_COUNTERS_COUNTER_SERIES_H
#define RUNNER_COMMANDS_COUNTERS_COUNTER_SERIES_H

#include "scenarios/runner/commands/counters/counter_lines.h"

struct counter_series {
    const struct counter_line **line; /* in order of time, one at the least */
    size_t count;
};

struct counter_series_list {
    struct counter_series *item; /* in order of their first lines */
    size_t count;
};

/* Of two descriptors with one id each has a series. Children of `context`, with
 * pointers into the lines. */
struct counter_series_list *counter_series_make(
    void *context, const struct counter_lines *lines);

/* \\NTPMU\Set(instance)\Counter, as PDH writes it: a set of one instance has
 * none in brackets. The machine's name is ours [C]. Child of `context`. */
char *counter_series_path(void *context, const struct counter_series *series);

#endif
