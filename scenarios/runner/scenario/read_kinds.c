/* read_kinds.c - machine: {kinds: ..}, processors that are not as the others:
 * which, and what their PMUs are. */
#include "scenarios/runner/scenario/read_kinds.h"

#include <assert.h>
#include <talloc.h>

#include "scenarios/runner/scenario/read_cpus.h"
#include "scenarios/runner/scenario/read_machine.h"
#include "scenarios/runner/scenario/reader.h"
#include "scenarios/runner/scenario/scenario.h"
#include "sim/base/bits.h"

/* Which the kind has; reports one that another kind has, too. */
static void take_processors(struct reader *reader, const struct node *node,
    const struct cpu_list *list, struct machine_kind *kind)
{
    const struct machine_config *machine = &reader->scenario->machine;

    for (size_t i = 0; i < cpu_list_count(list); i++) {
        uint32_t cpu = cpu_list_nth(list, i);

        if (machine_model(machine, cpu) != &machine->pmu) {
            schema_error(&reader->scope.schema, DIAGNOSTIC_CONFLICT, node,
                "processor %u is of another kind already", (unsigned)cpu);
            return;
        }
        kind->processors[cpu / 64] |= bit(cpu % 64);
    }
}

/* Together with the others. */
static bool check_pair(struct reader *reader, const struct node *key,
    const struct machine_kind *kind)
{
    const struct schema *schema = &reader->scope.schema;
    const struct pmu_model *others = &reader->scenario->machine.pmu;
    const char *reason = model_pair_problem(others, &kind->pmu);

    if (reason == NULL) {
        return true;
    }
    schema_error(schema, DIAGNOSTIC_IMPOSSIBLE, key,
        "no machine has processors like %s and like %s: %s", others->name,
        kind->pmu.name, reason);
    diagnostics_hint(schema->diagnostics,
        "golden_cove and gracemont are in one; see: ntpmu models");
    return false;
}

static void read_kind(
    struct reader *reader, const struct node *node, struct machine_kind *kinds)
{
    const struct schema *schema = &reader->scope.schema;
    struct machine_config *machine = &reader->scenario->machine;
    struct machine_kind kind = {.pmu = machine->pmu};
    const struct node *cpu, *pmu;
    struct cpu_list list;

    if (!schema_mapping(schema, node, MAPPING_CPU_KIND, node)) {
        return;
    }
    cpu = node_get(node, "cpu");
    pmu = node_get(node, "pmu");
    if (cpu == NULL || pmu == NULL ||
        !read_cpu_list(
            schema, reader->scenario, machine->processors, cpu, &list) ||
        !read_pmu(reader, node_key(node, "pmu"), pmu, &kind.pmu) ||
        !check_pair(reader, node_key(node, "pmu"), &kind)) {
        return;
    }
    take_processors(reader, cpu, &list, &kind);
    kinds[machine->kind_count++] = kind;
}

/* All of a kind would be what `pmu` says. */
static void check_rest(struct reader *reader, const struct node *key)
{
    const struct machine_config *machine = &reader->scenario->machine;

    for (uint32_t i = 0; i < machine->processors; i++) {
        if (machine_model(machine, i) == &machine->pmu) {
            return;
        }
    }
    schema_error(&reader->scope.schema, DIAGNOSTIC_CONFLICT, key,
        "no processor is left that is as the machine's pmu says");
    diagnostics_hint(reader->scope.schema.diagnostics,
        "the key pmu says what the processors have that are of no kind");
}

void read_kinds(
    struct reader *reader, const struct node *key, const struct node *kinds)
{
    struct machine_config *machine = &reader->scenario->machine;
    struct machine_kind *list;

    if (!schema_sequence(&reader->scope.schema, kinds)) {
        return;
    }
    if (kinds->count > LIMIT_KINDS) {
        schema_error(&reader->scope.schema, DIAGNOSTIC_LIMIT, key,
            "more than %d kinds besides the processors that pmu describes",
            LIMIT_KINDS);
        return;
    }
    list =
        talloc_zero_array(reader->scenario, struct machine_kind, LIMIT_KINDS);
    assert(list != NULL);
    machine->kind = list;
    for (size_t i = 0; i < kinds->count; i++) {
        read_kind(reader, kinds->item[i], list);
    }
    check_rest(reader, key);
}
