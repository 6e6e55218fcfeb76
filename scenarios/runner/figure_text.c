/* figure_text.c - numbers, flags and ratios. */
#include "scenarios/runner/figure_text.h"

#include <inttypes.h>
#include <talloc.h>

const char *figure_text(
    void *context, const struct pmu_model *model, enum figure figure)
{
    struct rate value = figure_get(model, figure);

    if (figure_rows[figure].kind == FIGURE_KIND_FLAG) {
        return value.p != 0 ? "true" : "false";
    }
    if (value.q == 1) {
        return talloc_asprintf(context, "%" PRIu64, value.p);
    }
    return talloc_asprintf(context, "%" PRIu64 "/%" PRIu64, value.p, value.q);
}
