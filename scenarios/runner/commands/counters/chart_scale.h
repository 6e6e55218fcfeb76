/* chart_scale.h - numbers along an axis: its ends, and ticks at round ones
 * between. Knows nothing of what is drawn. */
#ifndef RUNNER_COMMANDS_COUNTERS_CHART_SCALE_H
#define RUNNER_COMMANDS_COUNTERS_CHART_SCALE_H

#include <stddef.h>

enum { CHART_TICK_BYTES = 340 }; /* any double, with decimals and a NUL */

struct chart_scale {
    double low, high; /* low < high; both are ticks */
    double step;  /* from one tick to the next: 1, 2 or 5 by a power of 10 */
    size_t ticks; /* 2 to 8 */
};

/* Of numbers from `low` to `high`, which are finite, and of 0. */
struct chart_scale chart_scale_of(double low, double high);

double chart_scale_tick(const struct chart_scale *scale, size_t n);

/* The n-th, with as many decimals as its step has. */
void chart_scale_text(
    const struct chart_scale *scale, size_t n, char text[CHART_TICK_BYTES]);

/* Where a number is, from 0 at the low end to `length` at the high one. */
double chart_scale_at(
    const struct chart_scale *scale, double number, double length);

#endif
