/* figure_text.c - numbers, flags and ratios. */
#include "scenarios/runner/text/figure_text.h"

#include <inttypes.h>
#include <talloc.h>

const char *rate_text(void *context, const struct rate *rate)
{
    if (rate->q == 1) {
        return talloc_asprintf(context, "%" PRIu64, rate->p);
    }
    return talloc_asprintf(context, "%" PRIu64 "/%" PRIu64, rate->p, rate->q);
}

const char *figure_text(
    void *context, const struct pmu_model *model, enum figure figure)
{
    struct rate value = figure_get(model, figure);

    if (figure_rows[figure].kind == FIGURE_KIND_FLAG) {
        return value.p != 0 ? "true" : "false";
    }
    return rate_text(context, &value);
}
