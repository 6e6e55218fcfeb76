/* figure_text.h - rates, and the figures of a processor model, as scenarios
 * write them. */
#ifndef RUNNER_TEXT_FIGURE_TEXT_H
#define RUNNER_TEXT_FIGURE_TEXT_H

#include "sim/pmu/figure.h"

/* 3 or 3/2, as a child of the context. */
const char *rate_text(void *context, const struct rate *rate);

/* 48, true or 1/25, as a child of the context. */
const char *figure_text(
    void *context, const struct pmu_model *model, enum figure figure);

#endif
