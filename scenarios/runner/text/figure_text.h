/* figure_text.h - rates, figures of a processor model and figures that counters
 * come to, as scenarios write them and people are shown them. */
#ifndef RUNNER_TEXT_FIGURE_TEXT_H
#define RUNNER_TEXT_FIGURE_TEXT_H

#include "api/pcw/counter_format.h"
#include "sim/pmu/figure.h"

/* 3 or 3/2, as a child of the context. */
const char *rate_text(void *context, const struct rate *rate);

/* 48, true or 1/25, as a child of the context. */
const char *model_figure_text(
    void *context, const struct pmu_model *model, enum figure figure);

/* A count with all its digits; another figure with 6 decimals from 1 on, and
 * with 6 digits behind its leading zeros below that. No exponent, no 0 at the
 * end of decimals, no -0. Child of `context`. */
char *counter_figure_text(void *context, const struct counter_figure *figure);

/* Whether the function above can have printed it. */
bool counter_figure_is_text(const char *text);

#endif
