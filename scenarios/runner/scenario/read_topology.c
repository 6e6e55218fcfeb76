/* read_topology.c - cpus and groups of a machine: how many processors it has,
 * and which of them are a group. */
#include "scenarios/runner/scenario/read_topology.h"

#include "scenarios/runner/scenario/reader.h"
#include "scenarios/runner/scenario/scenario.h"

/* The keys as they hold: of a number of processors and a list of sizes from two
 * files the one that stands nearer to the scenario. */
struct topology_keys {
    const struct node *cpus;   /* NULL: none */
    const struct node *groups; /* likewise */
};

static struct topology_keys keys_of(const struct node *machine)
{
    const struct node *cpus = node_key(machine, "cpus");
    struct topology_keys keys = {
        node_get(machine, "cpus"), node_get(machine, "groups")};

    if (cpus == NULL || keys.groups == NULL ||
        keys.groups->kind != NODE_SEQUENCE ||
        cpus->source == node_key(machine, "groups")->source) {
        return keys;
    }
    for (size_t i = 0; i < machine->count; i++) {
        if (machine->entry[i].key == cpus) {
            keys.groups = NULL; /* a farther one's */
            return keys;
        }
        if (machine->entry[i].value == keys.groups) {
            break;
        }
    }
    keys.cpus = NULL;
    return keys;
}

/* A machine that Windows could not have run on. */
static void check_size(
    const struct reader *reader, const struct topology_keys *keys)
{
    const struct scenario *scenario = reader->scenario;
    const struct machine_config *machine = &scenario->machine;
    const struct arch_row *arch = &arch_rows[scenario->arch];
    const struct os_row *os = &os_rows[scenario->os];
    uint32_t groups = arch->groups < os->groups ? arch->groups : os->groups;
    const struct node *at = keys->cpus != NULL ? keys->cpus : keys->groups;

    if (at != NULL && machine->processors > arch->processors) {
        schema_error(&reader->scope.schema, DIAGNOSTIC_IMPOSSIBLE, at,
            "%s has at most %u processors", arch->name,
            (unsigned)arch->processors);
    }
    at = keys->groups != NULL ? keys->groups : keys->cpus;
    if (at != NULL && machine->groups > groups) {
        schema_error(&reader->scope.schema, DIAGNOSTIC_IMPOSSIBLE, at,
            "%s on %s has at most %u processor group%s", os->name, arch->name,
            (unsigned)groups, groups == 1 ? "" : "s");
    }
}

static void read_group_count(const struct schema *schema,
    const struct node *groups, struct machine_config *config)
{
    uint64_t number;

    if (!schema_number(schema, groups, 1, LIMIT_GROUPS, &number)) {
        if (groups->kind != NODE_SCALAR) {
            diagnostics_hint(schema->diagnostics,
                "how many groups, or the size of each: [64, 8, 1]");
        }
        return;
    }
    if (!topology_is_possible(config->processors, (uint32_t)number)) {
        schema_error(schema, DIAGNOSTIC_IMPOSSIBLE, groups,
            "groups of 1 to 64 processors: %u cannot be in %u of them",
            (unsigned)config->processors, (unsigned)number);
        return;
    }
    config->groups = (uint32_t)number;
}

/* The sizes say how many processors there are; `cpus` can only say the same. */
static void read_group_sizes(const struct schema *schema,
    const struct topology_keys *keys, struct machine_config *config)
{
    const struct node *sizes = keys->groups;
    struct machine_config made = *config;

    if (!schema_sequence(schema, sizes)) {
        return;
    }
    if (sizes->count > LIMIT_GROUPS) {
        schema_error(schema, DIAGNOSTIC_OUT_OF_RANGE, sizes,
            "more than %d processor groups", LIMIT_GROUPS);
        return;
    }
    made.groups = (uint32_t)sizes->count;
    made.processors = 0;
    for (size_t i = 0; i < sizes->count; i++) {
        uint64_t size;

        if (!schema_number(
                schema, sizes->item[i], 1, LIMIT_GROUP_PROCESSORS, &size)) {
            return;
        }
        made.group_size[i] = (uint8_t)size;
        made.processors += (uint32_t)size;
    }
    if (keys->cpus != NULL && config->processors != made.processors) {
        schema_error(schema, DIAGNOSTIC_CONFLICT, keys->cpus,
            "groups of these sizes have %u processors",
            (unsigned)made.processors);
        diagnostics_hint(
            schema->diagnostics, "leave cpus out: the sizes say it");
    }
    *config = made;
}

/* Of the processors that there are. */
static void read_active(struct reader *reader, const struct node *node)
{
    const struct schema *schema = &reader->scope.schema;
    struct machine_config *config = &reader->scenario->machine;
    uint64_t number;

    if (node == NULL ||
        !schema_key_number(schema, MAPPING_MACHINE, "active", node, &number)) {
        return;
    }
    if (number >= config->processors) {
        schema_error(schema, DIAGNOSTIC_NO_EFFECT, node,
            "the machine has %u processor%s, and all are active without this",
            (unsigned)config->processors, config->processors == 1 ? "" : "s");
        diagnostics_hint(schema->diagnostics,
            "cpus counts those that are started later, too");
        return;
    }
    config->active = (uint32_t)number;
}

void read_topology(struct reader *reader, const struct node *machine)
{
    struct machine_config *config = &reader->scenario->machine;
    const struct schema *schema = &reader->scope.schema;
    const struct topology_keys keys = keys_of(machine);
    uint64_t number;

    if (keys.cpus != NULL && schema_key_number(schema, MAPPING_MACHINE, "cpus",
                                 keys.cpus, &number)) {
        config->processors = (uint32_t)number;
    }
    config->groups = (config->processors + LIMIT_GROUP_PROCESSORS - 1) /
                     LIMIT_GROUP_PROCESSORS;
    if (keys.groups != NULL && keys.groups->kind == NODE_SEQUENCE) {
        read_group_sizes(schema, &keys, config);
    } else if (keys.groups != NULL) {
        read_group_count(schema, keys.groups, config);
    }
    check_size(reader, &keys);
    read_active(reader, node_get(machine, "active"));
}
