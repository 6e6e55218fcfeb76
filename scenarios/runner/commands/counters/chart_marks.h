/* chart_marks.h - overflows and broken rules drawn across a panel. */
#ifndef RUNNER_COMMANDS_COUNTERS_CHART_MARKS_H
#define RUNNER_COMMANDS_COUNTERS_CHART_MARKS_H

#include "scenarios/runner/commands/counters/chart_scale.h"
#include "scenarios/runner/commands/counters/counter_chart.h"

/* The group #marks: a line at each unit of width at which something happened,
 * which says what that was, or how much. */
void chart_marks_print(const struct counter_chart *chart,
    const struct chart_scale *times, FILE *out);

/* A table of the broken rules, and how many overflows there were, in HTML;
 * nothing where nothing happened. */
void chart_marks_print_table(const struct counter_chart *chart, FILE *out);

#endif
