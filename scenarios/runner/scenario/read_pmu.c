/* read_pmu.c - machine.pmu: a processor model, and figures that differ. */
#include "scenarios/runner/language/names.h"
#include "scenarios/runner/scenario/reader.h"
#include "sim/pmu/figure.h"

/* The one place that says which vendors' processors an architecture has. One
 * without a PMU can be anybody's. */
static bool has_model(enum arch arch, enum model model)
{
    return model == MODEL_NONE ||
           (pmu_models[model].vendor == VENDOR_ARM) ==
               (pmu_models[arch_rows[arch].model].vendor == VENDOR_ARM);
}

static bool read_model(struct reader *reader, const struct node *node)
{
    const struct schema *schema = &reader->scope.schema;
    const enum arch arch = reader->scenario->arch;
    size_t model;

    if (!schema_name(schema, node, "PMU model", name_of_model, NULL, &model)) {
        return false;
    }
    if (!reader->needs_pmu && !has_model(arch, (enum model)model)) {
        schema_error(schema, DIAGNOSTIC_IMPOSSIBLE, node,
            "%s is a processor of the vendor %s, and %s has none of those",
            pmu_models[model].name, vendor_rows[pmu_models[model].vendor].name,
            arch_rows[arch].name);
        diagnostics_hint(schema->diagnostics, "see: ntpmu models");
        return false;
    }
    reader->scenario->machine.pmu = pmu_models[model];
    return true;
}

static bool read_figure(struct reader *reader, const struct node *node,
    enum figure figure, struct rate *value)
{
    const struct schema *schema = &reader->scope.schema;
    bool flag = false;

    *value = (struct rate){.q = 1};
    switch (figure_rows[figure].kind) {
    case FIGURE_KIND_NUMBER:
        return schema_key_number(
            schema, MAPPING_PMU, figure_rows[figure].name, node, &value->p);
    case FIGURE_KIND_FLAG:
        if (!schema_bool(schema, node, &flag)) {
            return false;
        }
        value->p = flag;
        return true;
    case FIGURE_KIND_RATIO:
        return read_rate(reader, node, "core cycle", value);
    }
    return false;
}

/* Sets each figure that is written; false after reporting one. */
static bool read_figures(struct reader *reader, const struct node *pmu)
{
    bool right = true;

    for (enum figure i = 0; i < FIGURE_COUNT; i++) {
        const struct node *node = node_get(pmu, figure_rows[i].name);
        struct rate value;

        if (node == NULL) {
            continue;
        }
        if (read_figure(reader, node, i, &value)) {
            figure_set(&reader->scenario->machine.pmu, i, value);
        } else {
            right = false;
        }
    }
    return right;
}

void read_pmu(
    struct reader *reader, const struct node *key, const struct node *pmu)
{
    const struct schema *schema = &reader->scope.schema;
    struct pmu_model *model = &reader->scenario->machine.pmu;
    const char *reason;
    bool right = true;

    if (!schema_mapping(schema, pmu, MAPPING_PMU, pmu)) {
        return;
    }
    if (node_get(pmu, "model") != NULL) {
        right = read_model(reader, node_get(pmu, "model"));
    }
    right &= read_figures(reader, pmu);
    reason = right ? model_problem(model) : NULL;
    if (reason != NULL) {
        schema_error(schema, DIAGNOSTIC_IMPOSSIBLE, key,
            "no processor has this PMU: %s", reason);
        diagnostics_hint(schema->diagnostics,
            "the other figures are those of %s; see: ntpmu explain %s",
            model->name, model->name);
    }
}
