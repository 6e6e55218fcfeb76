/* chart_line.h - a series drawn into a panel. */
#ifndef RUNNER_COMMANDS_COUNTERS_CHART_LINE_H
#define RUNNER_COMMANDS_COUNTERS_CHART_LINE_H

#include "scenarios/runner/commands/counters/chart_scale.h"
#include "scenarios/runner/commands/counters/counter_series.h"

/* A panel, in units of the drawing. */
enum {
    CHART_PAGE = 960,
    CHART_LEFT = 88,
    CHART_WIDTH = 660,
    CHART_HEIGHT = 180,
};

double chart_ms(uint64_t time_ns);

/* A line from figure to figure, which has a gap where a sample had none, and a
 * point for each while they can be told apart. It has at most four points for
 * each unit of width, whatever the number of samples. */
void chart_line_print(const struct counter_series *series,
    const struct chart_scale *times, const struct chart_scale *figures,
    FILE *out);

#endif
