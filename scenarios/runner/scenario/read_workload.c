/* read_workload.c - advance and overflow; what a PMU is needed for. */
#include "scenarios/runner/scenario/read_machine.h"
#include "scenarios/runner/scenario/read_steps.h"
#include "scenarios/runner/scenario/reader.h"
#include "scenarios/runner/scenario/step.h"
#include "sim/base/bits.h"

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
