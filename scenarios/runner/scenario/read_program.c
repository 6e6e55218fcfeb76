/* read_program.c - program: what a counter is set up to count. */
#include <inttypes.h>

#include "api/hal/pmu_registers.h"
#include "scenarios/runner/language/names.h"
#include "scenarios/runner/scenario/read_machine.h"
#include "scenarios/runner/scenario/read_steps.h"
#include "scenarios/runner/scenario/reader.h"
#include "scenarios/runner/scenario/step.h"
#include "sim/base/bits.h"
#include "sim/pmu/pmu.h"

/* A fixed counter's event is its own, which may be left out. */
static void read_fixed_event(
    struct reader *reader, const struct node *node, struct program *program)
{
    enum event own = pmu_fixed_event(program->counter - PMU_FIRST_FIXED);
    size_t event;

    program->event = own;
    if (node != NULL &&
        schema_name(&reader->scope.schema, node, "event", name_of_pmu_event,
            NULL, &event) &&
        event != own) {
        schema_error(&reader->scope.schema, DIAGNOSTIC_CONFLICT, node,
            "fixed counter %u counts %s and nothing else",
            program->counter - PMU_FIRST_FIXED, event_rows[own].name);
    }
}

static void read_event(struct reader *reader, const struct node *node,
    const struct step *step, struct program *program)
{
    const struct schema *schema = &reader->scope.schema;
    size_t event;

    if (node == NULL) {
        schema_error(schema, DIAGNOSTIC_MISSING_KEY, step->key,
            "missing key 'event': only fixed counters have one of their own");
        return;
    }
    if (!schema_name(schema, node, "event", name_of_pmu_event, NULL, &event)) {
        return;
    }
    program->event = (enum event)event;
    if (model_code(&reader->scenario->machine.pmu, (enum event)event) == NULL) {
        schema_error(schema, DIAGNOSTIC_IMPOSSIBLE, node,
            "no event select of this PMU means %s", event_rows[event].name);
    }
}

static const char *name_of_rings(size_t n, const void *context)
{
    return n == RING_COUNT ? "all" : name_of_ring(n, context);
}

/* user, kernel or all. */
static void read_rings(
    struct reader *reader, const struct node *node, struct program *program)
{
    size_t ring = RING_COUNT;

    if (node != NULL) {
        schema_name(
            &reader->scope.schema, node, "ring", name_of_rings, NULL, &ring);
    }
    program->in_ring[RING_USER] = ring != RING_KERNEL;
    program->in_ring[RING_KERNEL] = ring != RING_USER;
}

static void read_period(
    struct reader *reader, const struct node *node, struct program *program)
{
    const struct schema *schema = &reader->scope.schema;
    const struct pmu_model *model = &reader->scenario->machine.pmu;
    uint64_t most = program_period(model, program->counter);

    if (schema_number(schema, node, 1, UINT64_MAX, &program->period) &&
        program->period > most) {
        schema_error(schema, DIAGNOSTIC_OUT_OF_RANGE, node,
            "counter %u cannot be preset so far below its wrap: at most "
            "%" PRIu64 " events",
            program->counter, most);
        if (most == bit(31) && model->width > 32) {
            diagnostics_hint(schema->diagnostics,
                "a write to IA32_PMCn has 32 bits and repeats bit 31");
        }
    }
}

void read_program(
    struct reader *reader, const struct node *node, struct step *step)
{
    const struct schema *schema = &reader->scope.schema;
    struct program *program = &step->u.program;

    if (!read_pmu_of(reader, step->key, false) ||
        !schema_mapping(schema, node, MAPPING_PROGRAM, step->key) ||
        node_get(node, "counter") == NULL) {
        return;
    }
    read_cpu(reader, node_get(node, "cpu"), &step->cpu);
    read_rings(reader, node_get(node, "ring"), program);
    if (node_get(node, "pmi") != NULL) {
        schema_bool(schema, node_get(node, "pmi"), &program->pmi);
    }
    if (!read_counter(reader, node_get(node, "counter"), &program->counter)) {
        return;
    }
    if (program->counter >= PMU_FIRST_FIXED) {
        read_fixed_event(reader, node_get(node, "event"), program);
    } else {
        read_event(reader, node_get(node, "event"), step, program);
    }
    if (node_get(node, "period") != NULL) {
        read_period(reader, node_get(node, "period"), program);
    }
}
