/* read_claims.c - machine: {claims: ..}, counters that Windows itself uses: by
 * whom, which, and where. */
#include "scenarios/runner/scenario/read_claims.h"

#include <string.h>

#include "scenarios/runner/language/scenario_limits.h"
#include "scenarios/runner/scenario/read_actors.h"
#include "scenarios/runner/scenario/read_cpus.h"
#include "scenarios/runner/scenario/read_machine.h"
#include "scenarios/runner/scenario/reader.h"
#include "scenarios/runner/scenario/scenario.h"
#include "sim/base/bits.h"

/* The HAL knows no single counters before (HAL-ALLOC-10). */
static bool check_version(struct reader *reader, const struct node *node)
{
    const struct os_row *os = &os_rows[reader->scenario->os];

    if (os->lists) {
        return true;
    }
    schema_error(&reader->scope.schema, DIAGNOSTIC_IMPOSSIBLE, node,
        "in %s all counters of all processors are claimed together", os->name);
    diagnostics_hint(
        reader->scope.schema.diagnostics, "write {counters: all} alone");
    return false;
}

static void read_counters(
    struct reader *reader, const struct node *node, struct system_claim *claim)
{
    if (node_is_word(node, "all")) {
        claim->all = true;
        return;
    }
    if (!check_version(reader, node) ||
        !schema_sequence(&reader->scope.schema, node)) {
        return;
    }
    read_pmu_need(reader, node, "a list of counters");
    for (size_t i = 0; !reader->needs_pmu && i < node->count; i++) {
        unsigned counter;

        if (!read_counter(reader, node->item[i], &counter)) {
            continue;
        }
        if (bit_is_set(claim->counters, counter)) {
            schema_error(&reader->scope.schema, DIAGNOSTIC_CONFLICT,
                node->item[i], "counter %u stands twice", counter);
        }
        claim->counters |= bit(counter);
    }
}

static void read_boot_key(
    struct reader *reader, const struct node *node, struct system_claim *claim)
{
    if (node != NULL &&
        schema_bool(&reader->scope.schema, node, &claim->boot) && claim->boot) {
        schema_error(&reader->scope.schema, DIAGNOSTIC_NO_EFFECT, node,
            "'true' is what holds without this");
    }
}

static bool has_cpu(const struct cpu_list *list, uint32_t cpu)
{
    for (size_t i = 0; i < list->range_count; i++) {
        if (cpu >= list->range[i].first && cpu <= list->range[i].last) {
            return true;
        }
    }
    return false;
}

static bool conflict(
    const struct system_claim *one, const struct system_claim *other)
{
    if (!one->all && !other->all && (one->counters & other->counters) == 0) {
        return false;
    }
    for (size_t i = 0; i < cpu_list_count(&one->cpus); i++) {
        if (has_cpu(&other->cpus, cpu_list_nth(&one->cpus, i))) {
            return true;
        }
    }
    return false;
}

/* Two at boot: one of them could not be granted. */
static void check_conflicts(
    struct reader *reader, const struct node *key, size_t n)
{
    const struct scenario *scenario = reader->scenario;
    const struct system_claim *claim = &scenario->claim[n];

    for (size_t i = 0; claim->boot && i < n; i++) {
        if (scenario->claim[i].boot && conflict(claim, &scenario->claim[i])) {
            schema_error(&reader->scope.schema, DIAGNOSTIC_CONFLICT, key,
                "'%s' claims a counter that '%s' has on the same processor",
                key->text,
                scenario->actor[scenario->claim[i].actor].driver.name);
            diagnostics_hint(reader->scope.schema.diagnostics,
                "boot: false leaves it to a step, claim: %s", key->text);
            return;
        }
    }
}

/* Its name is an actor's that plays no steps. */
static bool add_name(struct reader *reader, const struct node *key)
{
    struct scenario *scenario = reader->scenario;

    for (size_t i = 0; i < scenario->actor_count; i++) {
        if (strcmp(scenario->actor[i].driver.name, key->text) == 0) {
            schema_error(&reader->scope.schema, DIAGNOSTIC_CONFLICT, key,
                "there is an actor '%s' already", key->text);
            return false;
        }
    }
    if (scenario->actor_count == SCENARIO_ACTORS) {
        schema_error(&reader->scope.schema, DIAGNOSTIC_LIMIT, key,
            "more than %d actors, drivers, threads and claims",
            SCENARIO_ACTORS);
        return false;
    }
    if (!scope_check_name(&reader->scope, key, "a claim")) {
        return false;
    }
    scenario->actor[scenario->actor_count] =
        (struct actor){.driver = {.name = key->text},
            .owner = scenario->actor_count,
            .defined = key,
            .system = true};
    scenario->actor_count++;
    return true;
}

static void read_claim(struct reader *reader, const struct entry *entry)
{
    const struct schema *schema = &reader->scope.schema;
    struct scenario *scenario = reader->scenario;
    const struct node *node = entry->value;
    struct system_claim *claim = &scenario->claim[scenario->claim_count];
    const struct node *cpu;

    if (!schema_mapping(schema, node, MAPPING_CLAIM, node) ||
        node_get(node, "counters") == NULL || !add_name(reader, entry->key)) {
        return;
    }
    *claim =
        (struct system_claim){.actor = scenario->actor_count - 1, .boot = true};
    read_counters(reader, node_get(node, "counters"), claim);
    cpu = node_get(node, "cpu");
    if (cpu == NULL || check_version(reader, cpu)) {
        static const struct node all = {.kind = NODE_SCALAR, .text = "all"};

        read_cpus(reader, cpu == NULL ? &all : cpu, &claim->cpus);
    }
    read_boot_key(reader, node_get(node, "boot"), claim);
    check_conflicts(reader, entry->key, scenario->claim_count);
    scenario->actor[claim->actor].used = claim->boot;
    scenario->claim_count++;
}

void read_claims(struct reader *reader)
{
    const struct schema *schema = &reader->scope.schema;
    const struct node *machine = reader->scenario->machine_node;
    const struct node *claims =
        machine == NULL ? NULL : node_get(machine, "claims");

    if (claims == NULL) {
        return;
    }
    if (claims->kind != NODE_MAPPING || claims->count == 0) {
        schema_error(schema, DIAGNOSTIC_WRONG_TYPE, claims,
            "expected {name: {counters: [n]}}");
        return;
    }
    if (claims->count > SCENARIO_CLAIMS) {
        schema_error(schema, DIAGNOSTIC_LIMIT, claims, "more than %d claims",
            SCENARIO_CLAIMS);
        return;
    }
    for (size_t i = 0; i < claims->count; i++) {
        read_claim(reader, &claims->entry[i]);
    }
}

static const char *name_of_claim(size_t n, const void *context)
{
    const struct scenario *scenario = context;

    return n < scenario->claim_count
               ? scenario->actor[scenario->claim[n].actor].driver.name
               : NULL;
}

const struct system_claim *read_claim_name(
    struct reader *reader, const struct node *node)
{
    const struct schema *schema = &reader->scope.schema;
    struct scenario *scenario = reader->scenario;
    size_t claim;

    if (scenario->claim_count == 0) {
        schema_error(schema, DIAGNOSTIC_CONFLICT, node,
            "Windows itself claims nothing here");
        diagnostics_hint(schema->diagnostics,
            "the scenario's machine: {claims: {watchdog: {counters: [0], boot: "
            "false}}} says what");
        return NULL;
    }
    if (!schema_name(schema, node, "claim", name_of_claim, scenario, &claim)) {
        return NULL;
    }
    read_use_of_actor(scenario, scenario->claim[claim].actor);
    return &scenario->claim[claim];
}
