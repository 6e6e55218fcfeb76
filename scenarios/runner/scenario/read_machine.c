/* read_machine.c - the machine that an instance runs on. */
#include <string.h>

#include "scenarios/runner/language/names.h"
#include "scenarios/runner/scenario/outline.h"
#include "scenarios/runner/scenario/reader.h"

/* Reports a name that is none; instances know already which one it is. */
static bool check_name(
    struct reader *reader, const char *key, const char *what, schema_nth *nth)
{
    const struct node *node = node_get(reader->scenario->machine_node, key);
    size_t index;

    return node == NULL ||
           schema_name(&reader->scope.schema, node, what, nth, NULL, &index);
}

/* The axis, or the machine's key: what an error is about. */
static const struct node *place_of(const struct reader *reader, const char *key)
{
    const struct node *machine = reader->scenario->machine_node;
    const struct node *found = machine == NULL ? NULL : node_get(machine, key);

    return found;
}

static void check_pair(struct reader *reader)
{
    const struct scenario *scenario = reader->scenario;
    const struct node *at = place_of(reader, "arch");

    if (profile_exists(scenario->os, scenario->arch)) {
        return;
    }
    at = at != NULL ? at : place_of(reader, "os");
    schema_error(&reader->scope.schema, DIAGNOSTIC_IMPOSSIBLE,
        at != NULL ? at : scenario->root, "%s never ran on %s",
        os_rows[scenario->os].name, arch_rows[scenario->arch].name);
    diagnostics_hint(reader->scope.schema.diagnostics,
        reader->outline->axis_count > 0
            ? "requires: $( ) leaves pairs out; docs/scenarios.md has those "
              "that ran"
            : "docs/scenarios.md has the pairs");
}

/* A machine that Windows could not have run on. */
static void check_size(struct reader *reader)
{
    const struct scenario *scenario = reader->scenario;
    const struct machine_config *machine = &scenario->machine;
    const struct arch_row *arch = &arch_rows[scenario->arch];
    const struct os_row *os = &os_rows[scenario->os];
    uint32_t groups = arch->groups < os->groups ? arch->groups : os->groups;
    const struct node *at = place_of(reader, "cpus");

    if (at != NULL && machine->processors > arch->processors) {
        schema_error(&reader->scope.schema, DIAGNOSTIC_IMPOSSIBLE, at,
            "%s has at most %u processors", arch->name,
            (unsigned)arch->processors);
    }
    at = place_of(reader, "groups") != NULL ? place_of(reader, "groups") : at;
    if (at != NULL && machine->groups > groups) {
        schema_error(&reader->scope.schema, DIAGNOSTIC_IMPOSSIBLE, at,
            "%s on %s has at most %u processor groups", os->name, arch->name,
            (unsigned)groups);
    }
}

static void read_topology(struct reader *reader, const struct node *machine)
{
    struct machine_config *config = &reader->scenario->machine;
    const struct schema *schema = &reader->scope.schema;
    const struct node *cpus = node_get(machine, "cpus");
    const struct node *groups = node_get(machine, "groups");
    uint64_t number;

    if (cpus != NULL &&
        schema_key_number(schema, MAPPING_MACHINE, "cpus", cpus, &number)) {
        config->processors = (uint32_t)number;
    }
    config->groups = (config->processors + LIMIT_GROUP_PROCESSORS - 1) /
                     LIMIT_GROUP_PROCESSORS;
    if (groups == NULL || !schema_key_number(schema, MAPPING_MACHINE, "groups",
                              groups, &number)) {
        return;
    }
    if (!topology_is_possible(config->processors, (uint32_t)number)) {
        schema_error(schema, DIAGNOSTIC_IMPOSSIBLE, groups,
            "%u processors do not fit in %u groups of 1 to 64",
            (unsigned)config->processors, (unsigned)number);
        return;
    }
    config->groups = (uint32_t)number;
}

/* PCW-REG-15; false is what holds anyway. */
static void read_boot(struct reader *reader, const struct node *machine)
{
    const struct schema *schema = &reader->scope.schema;
    const struct node *node = node_get(machine, "pcw_not_ready");
    bool *early = &reader->scenario->pcw_not_ready;

    if (node != NULL && schema_bool(schema, node, early) && !*early) {
        schema_error(schema, DIAGNOSTIC_NO_EFFECT, node,
            "'false' is what holds without this");
    }
}

void read_machine(struct reader *reader)
{
    struct scenario *scenario = reader->scenario;
    const struct schema *schema = &reader->scope.schema;
    const struct node *machine = scenario->machine_node;
    bool names = true;

    scenario->machine = (struct machine_config){.processors = 4,
        .groups = 1,
        .pmu = pmu_models[arch_rows[scenario->arch].model]};
    reader->needs_pmu = arch_rows[scenario->arch].model == MODEL_NONE;
    if (machine == NULL) {
        return;
    }
    if (!schema_mapping(schema, machine, MAPPING_MACHINE, machine)) {
        scenario->machine_node = NULL;
        return;
    }
    names = check_name(reader, "os", "Windows version", name_of_os);
    names &= check_name(reader, "arch", "architecture", name_of_arch);
    if (names) {
        check_pair(reader);
    }
    read_topology(reader, machine);
    check_size(reader);
    read_boot(reader, machine);
    if (node_get(machine, "pmu") == NULL) {
        return;
    }
    if (reader->needs_pmu) {
        schema_error(schema, DIAGNOSTIC_NO_EFFECT, node_key(machine, "pmu"),
            "the model has a PMU for x86, x64 and arm64 only");
        return;
    }
    read_pmu(reader, node_key(machine, "pmu"), node_get(machine, "pmu"));
}
