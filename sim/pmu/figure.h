/* figure.h - the figures of a model one by one, as model_fields.def lists them:
 * for whoever sets or shows figures without knowing which there are. */
#ifndef SIM_PMU_FIGURE_H
#define SIM_PMU_FIGURE_H

#include "sim/pmu/model.h"

enum figure {
#define FIELD(name, ...) FIGURE_##name,
#include "sim/pmu/model_fields.def"
    FIGURE_COUNT
};

enum figure_kind { FIGURE_KIND_NUMBER, FIGURE_KIND_FLAG, FIGURE_KIND_RATIO };

struct figure_row {
    const char *name;
    enum figure_kind kind;
    uint32_t least, most; /* of a number */
    const char *help;     /* in a line */
};

extern const struct figure_row figure_rows[FIGURE_COUNT];

/* A figure as p/q: a number is p/1, a flag 0/1 or 1/1. */
struct rate figure_get(const struct pmu_model *model, enum figure figure);

/* Which number is smaller or larger than such a figure can be, in words; NULL:
 * none is. What combinations are possible is model_problem()'s to say. */
const char *figure_problem(const struct pmu_model *model);

/* Sets a figure to what figure_get() would give. Whether the model is possible
 * with it is model_problem()'s to say. */
void figure_set(struct pmu_model *model, enum figure figure, struct rate value);

#endif
