/* figure.c - the figures of a processor model, got and set one by one. */
#include "sim/pmu/figure.h"

#include <assert.h>

#include "sim/base/limits.h"

const struct figure_row figure_rows[FIGURE_COUNT] = {
#define FIELD(name, kind, least, most, help)                                   \
    [FIGURE_##name] = {#name, FIGURE_KIND_##kind, least, most, help},
#include "sim/pmu/model_fields.def"
};

struct rate figure_get(const struct pmu_model *model, enum figure figure)
{
    const struct rate rates[FIGURE_COUNT] = {
#define RATE_OF_NUMBER(name)                                                   \
    {                                                                          \
        .p = model->name, .q = 1                                               \
    }
#define RATE_OF_FLAG(name)                                                     \
    {                                                                          \
        .p = model->name, .q = 1                                               \
    }
#define RATE_OF_RATIO(name)                                                    \
    {                                                                          \
        .p = model->name.p, .q = model->name.q                                 \
    }
#define FIELD(name, kind, ...) [FIGURE_##name] = RATE_OF_##kind(name),
#include "sim/pmu/model_fields.def"
    };

    assert(figure < FIGURE_COUNT);
    return rates[figure];
}

const char *figure_problem(const struct pmu_model *model)
{
    static const char *const reasons[FIGURE_COUNT] = {
#define FIELD(name, ...) [FIGURE_##name] = #name " is out of its range",
#include "sim/pmu/model_fields.def"
    };

    for (enum figure i = 0; i < FIGURE_COUNT; i++) {
        const struct figure_row *row = &figure_rows[i];
        uint64_t value = figure_get(model, i).p;

        if (row->kind == FIGURE_KIND_NUMBER &&
            (value < row->least || value > row->most)) {
            return reasons[i];
        }
    }
    return NULL;
}

void figure_set(struct pmu_model *model, enum figure figure, struct rate value)
{
    assert(figure < FIGURE_COUNT);
    assert(
        value.p <= UINT32_MAX || figure_rows[figure].kind == FIGURE_KIND_RATIO);
    switch (figure) {
#define FIGURE_OF_NUMBER (uint32_t) value.p
#define FIGURE_OF_FLAG value.p != 0
#define FIGURE_OF_RATIO value
#define FIELD(name, kind, ...)                                                 \
    case FIGURE_##name:                                                        \
        model->name = FIGURE_OF_##kind;                                        \
        return;
#include "sim/pmu/model_fields.def"
    case FIGURE_COUNT:
        break;
    }
    assert(false && "no such figure");
}
