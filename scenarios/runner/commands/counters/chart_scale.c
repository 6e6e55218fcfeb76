/* chart_scale.c - numbers along an axis: its ends, and ticks at round ones
 * between. */
#include "scenarios/runner/commands/counters/chart_scale.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

enum { PARTS = 5, DECIMALS_MOST = 12 };

/* The least of 1, 2, 5, 10, ... that is not below. */
static double round_step(double least)
{
    double power = 1, digit;

    assert(least > 0);
    while (power * 10 <= least) {
        power *= 10;
    }
    while (power > least) {
        power /= 10;
    }
    digit = least / power;
    return power * (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 5 ? 5 : 10);
}

/* How many steps reach at least as far. What is missing by rounding is no step
 * of its own. */
static size_t steps_to(double distance, double step)
{
    size_t steps = 0;

    while ((double)steps * step < distance - step * 1e-9) {
        steps++;
    }
    return steps;
}

struct chart_scale chart_scale_of(double low, double high)
{
    struct chart_scale scale;
    size_t below, above;

    assert(isfinite(low) && isfinite(high) && low <= high);
    low = low > 0 ? 0 : low;
    high = high < 0 ? 0 : high;
    high = high > low ? high : low + 1;
    scale.step = round_step((high - low) / PARTS);
    below = steps_to(-low, scale.step);
    above = steps_to(high, scale.step);
    scale.low = -(double)below * scale.step;
    scale.high = (double)above * scale.step;
    scale.ticks = below + above + 1;
    assert(scale.ticks >= 2);
    return scale;
}

double chart_scale_tick(const struct chart_scale *scale, size_t n)
{
    assert(n < scale->ticks);
    return scale->low + (double)n * scale->step;
}

void chart_scale_text(
    const struct chart_scale *scale, size_t n, char text[CHART_TICK_BYTES])
{
    double tick = chart_scale_tick(scale, n), digit = scale->step;
    int decimals = 0;

    while (digit < 1 - 1e-9 && decimals < DECIMALS_MOST) {
        digit *= 10;
        decimals++;
    }
    snprintf(text, CHART_TICK_BYTES, "%.*f", decimals,
        tick > -scale->step / 2 && tick < scale->step / 2 ? 0 : tick);
}

double chart_scale_at(
    const struct chart_scale *scale, double number, double length)
{
    return (number - scale->low) / (scale->high - scale->low) * length;
}
