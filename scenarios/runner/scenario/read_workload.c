/* read_workload.c - advance and overflow; what a PMU is needed for. */
#include "scenarios/runner/scenario/reader.h"
#include "sim/base/bits.h"

/* Steps that touch a PMU have no meaning without one. */
void read_pmu_need(
    struct reader *reader, const struct node *node, const char *what)
{
    if (reader->needs_pmu) {
        schema_error(&reader->scope.schema, DIAGNOSTIC_NOT_MODELLED, node,
            "%s needs a PMU, and the model has one for x86, x64 and arm64 only",
            what);
        diagnostics_hint(
            reader->scope.schema.diagnostics, "see docs/fidelity.md");
    }
}

bool read_pmu_of(struct reader *reader, const struct node *node, bool arm)
{
    const enum arch arch = reader->scenario->arch;

    if (reader->needs_pmu) {
        read_pmu_need(reader, node, node->text);
        return false;
    }
    if (arm == (pmu_models[arch_rows[arch].model].vendor == VENDOR_ARM)) {
        return true;
    }
    schema_error(&reader->scope.schema, DIAGNOSTIC_IMPOSSIBLE, node,
        "%s is not for the processors of %s", node->text, arch_rows[arch].name);
    diagnostics_hint(reader->scope.schema.diagnostics,
        arm ? "rdmsr and wrmsr access their registers"
            : "mrs and msr access their registers; a counter needs "
              "PMEVTYPER<n>_EL0, PMEVCNTR<n>_EL0, PMINTENSET_EL1, "
              "PMCNTENSET_EL0 and PMCR_EL0");
    return false;
}

/* Nobody else runs meanwhile, so it is no part of another step. */
void read_advance(
    struct reader *reader, const struct node *node, struct step *step)
{
    const struct schema *schema = &reader->scope.schema;

    step->u.advance.cycles = 1;
    if (step->in_callback || reader->in_parallel) {
        schema_error(schema, DIAGNOSTIC_CONFLICT, step->key,
            "all processors idle while the time advances, so it stands only "
            "among the steps of the scenario");
        diagnostics_hint(schema->diagnostics,
            "run: {cycles: n, halted: true} halts one processor");
    }
    if (schema_mapping(schema, node, MAPPING_ADVANCE, step->key) &&
        node_get(node, "cycles") != NULL) {
        schema_number(schema, node_get(node, "cycles"), 1, LIMIT_SEGMENT_CYCLES,
            &step->u.advance.cycles);
    }
}

bool read_counter(
    struct reader *reader, const struct node *node, unsigned *counter)
{
    const struct schema *schema = &reader->scope.schema;
    uint64_t index;

    if (!schema_number(schema, node, 0, 63, &index)) {
        return false;
    }
    *counter = (unsigned)index;
    if (reader->scenario->machine.pmu.version == 0) {
        schema_error(schema, DIAGNOSTIC_OUT_OF_RANGE, node,
            "this processor has no PMU, so it has no counter %u", *counter);
        return false;
    }
    if (!bit_is_set(model_counters(&reader->scenario->machine.pmu), *counter)) {
        schema_error(schema, DIAGNOSTIC_OUT_OF_RANGE, node,
            "this PMU has no counter %u", *counter);
        diagnostics_hint(schema->diagnostics,
            "GP counter n is n, fixed counter n is 32 + n");
        return false;
    }
    return true;
}

void read_overflow(
    struct reader *reader, const struct node *node, struct step *step)
{
    const struct schema *schema = &reader->scope.schema;
    const struct node *list;

    if (!read_pmu_of(reader, step->key, false) ||
        !schema_mapping(schema, node, MAPPING_OVERFLOW, step->key)) {
        return;
    }
    read_cpu(reader, node_get(node, "cpu"), &step->cpu);
    list = node_get(node, "counters");
    if (list == NULL || !schema_sequence(schema, list)) {
        return;
    }
    for (size_t i = 0; i < list->count; i++) {
        unsigned index;

        if (read_counter(reader, list->item[i], &index)) {
            step->u.overflow.counters |= bit(index);
        }
    }
}
