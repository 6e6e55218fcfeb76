/* read_workload.c - run, advance and overflow: what processors execute. */
#include <string.h>

#include "scenarios/runner/reader.h"
#include "sim/bits.h"

/* Steps that touch a PMU have no meaning without one. */
void read_pmu_need(
    struct reader *reader, const struct node *node, const char *what)
{
    if (reader->needs_pmu) {
        schema_error(&reader->scope.schema, DIAGNOSTIC_NOT_MODELLED, node,
            "%s needs a PMU, and the model has one for x86 and x64 only", what);
        diagnostics_hint(
            reader->scope.schema.diagnostics, "see docs/fidelity.md");
    }
}

static void read_one_rate(
    struct reader *reader, const struct entry *entry, struct segment *segment)
{
    struct suggestion suggestion = suggest_for(entry->key->text);

    for (enum event i = 0; i < EVENT_COUNT; i++) {
        if (event_rows[i].clock) {
            continue;
        }
        if (strcmp(event_rows[i].name, entry->key->text) == 0) {
            read_rate(reader, entry->value, "cycle", &segment->rate[i]);
            return;
        }
        suggest_offer(&suggestion, event_rows[i].name);
    }
    schema_error(&reader->scope.schema, DIAGNOSTIC_UNKNOWN_NAME, entry->key,
        "no event '%s' that a workload can give a rate", entry->key->text);
    schema_suggest(&reader->scope.schema, &suggestion);
}

static void read_rates(
    struct reader *reader, const struct node *rates, struct segment *segment)
{
    if (rates->kind != NODE_MAPPING) {
        schema_error(&reader->scope.schema, DIAGNOSTIC_WRONG_TYPE, rates,
            "expected {event: events per cycle}");
        return;
    }
    for (size_t i = 0; i < rates->count; i++) {
        read_one_rate(reader, &rates->entry[i], segment);
    }
}

static void read_ring(
    struct reader *reader, const struct node *node, enum ring *ring)
{
    if (node_is_word(node, "user")) {
        *ring = RING_USER;
    } else if (node_is_word(node, "kernel")) {
        *ring = RING_KERNEL;
    } else {
        schema_error(&reader->scope.schema, DIAGNOSTIC_UNKNOWN_NAME, node,
            "expected user or kernel");
    }
}

static void read_place(const struct schema *schema, const struct node *node,
    struct code_place *place)
{
    if (node_get(node, "ip") != NULL) {
        schema_key_number(
            schema, MAPPING_RUN, "ip", node_get(node, "ip"), &place->ip);
    }
    if (node_get(node, "next_ip") != NULL) {
        schema_key_number(schema, MAPPING_RUN, "next_ip",
            node_get(node, "next_ip"), &place->next_ip);
    }
}

void read_run(struct reader *reader, const struct node *node, struct step *step)
{
    const struct schema *schema = &reader->scope.schema;
    struct segment *segment = &step->u.run.segment;
    uint64_t cycles = 1;

    read_pmu_need(reader, step->key, "run");
    if (!schema_mapping(schema, node, MAPPING_RUN, step->key)) {
        return;
    }
    if (node_get(node, "cycles") != NULL) {
        schema_key_number(
            schema, MAPPING_RUN, "cycles", node_get(node, "cycles"), &cycles);
    }
    segment_init(segment, &reader->scenario->machine.pmu, 0, cycles, RING_USER);
    read_cpu(reader, node_get(node, "cpu"), &step->cpu);
    if (node_get(node, "ring") != NULL) {
        read_ring(reader, node_get(node, "ring"), &segment->ring);
    }
    if (node_get(node, "rates") != NULL) {
        read_rates(reader, node_get(node, "rates"), segment);
    } else {
        segment->rate[EVENT_INSTRUCTIONS].p = 1;
    }
    read_place(schema, node, &segment->place);
    if (node_get(node, "halted") != NULL) {
        schema_bool(schema, node_get(node, "halted"), &segment->halted);
    }
    if (segment->halted &&
        (node_get(node, "rates") != NULL || node_get(node, "ring") != NULL)) {
        schema_error(schema, DIAGNOSTIC_NO_EFFECT, node_key(node, "halted"),
            "a halted processor runs nothing, so rates and ring mean nothing");
    }
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

    read_pmu_need(reader, step->key, "overflow");
    if (!schema_mapping(schema, node, MAPPING_OVERFLOW, step->key)) {
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
