/* figure_text.h - the figures of a processor model as machine.pmu writes them.
 */
#ifndef RUNNER_FIGURE_TEXT_H
#define RUNNER_FIGURE_TEXT_H

#include "sim/pmu/figure.h"

/* 48, true or 1/25, as a child of the context. */
const char *figure_text(
    void *context, const struct pmu_model *model, enum figure figure);

#endif
