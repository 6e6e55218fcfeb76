/* counter_chart.h - what was sampled as a chart, in SVG: a panel for each
 * counter, in it a line for each instance, and across it what happened. */
#ifndef RUNNER_COMMANDS_COUNTERS_COUNTER_CHART_H
#define RUNNER_COMMANDS_COUNTERS_COUNTER_CHART_H

#include "scenarios/runner/commands/counters/counter_series.h"
#include "scenarios/runner/run/samples.h"

/* What a chart is of. */
struct counter_chart {
    const char *heading;
    const struct counter_series_list *series;
    const struct sample_mark *mark; /* in order of time */
    size_t mark_count;
    uint64_t mhz; /* of the machine, for marks */
};

/* Its marks are the samples' in order. Children of `context`. */
struct counter_chart *counter_chart_make(void *context,
    const struct counter_lines *lines, const struct samples *samples,
    uint64_t mhz, const char *heading);

/* The element <svg>; where it stands alone its looks are in it. */
void counter_chart_print(
    const struct counter_chart *chart, bool alone, FILE *out);

/* A page in HTML with the chart, which asks for no other file. */
void counter_chart_print_page(const struct counter_chart *chart, FILE *out);

#endif
