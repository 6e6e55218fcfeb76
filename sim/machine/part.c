/* part.c - the processor as sold that a model is like: the rows of parts.def.
 */
#include "sim/machine/part.h"

static const struct part parts[MODEL_COUNT + 1] = {
#define PART(model, ...) [MODEL_##model] = {__VA_ARGS__},
#include "sim/machine/parts.def"
};

enum model part_number(const struct pmu_model *model)
{
    enum model n = 0;

    while (
        n < MODEL_COUNT && (pmu_models[n].vendor != model->vendor ||
                               pmu_models[n].signature != model->signature)) {
        n++;
    }
    return n;
}

const struct part *part_of(const struct pmu_model *model)
{
    return &parts[part_number(model)];
}
