/* read_machine.c - the machines that a scenario runs on. */
#include <assert.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/names.h"
#include "scenarios/runner/reader.h"

static bool read_os(struct reader *reader, const struct node *node, size_t *os)
{
    return schema_name(
        &reader->scope.schema, node, "Windows version", name_of_os, NULL, os);
}

static bool read_arch(
    struct reader *reader, const struct node *node, size_t *arch)
{
    return schema_name(
        &reader->scope.schema, node, "architecture", name_of_arch, NULL, arch);
}

/* One of the model's figures, where it is written. */
static void read_figure(struct reader *reader, const struct node *pmu,
    const char *key, uint64_t low, uint64_t high, uint64_t *figure)
{
    const struct node *node = node_get(pmu, key);

    if (node != NULL) {
        schema_number(&reader->scope.schema, node, low, high, figure);
    }
}

static void read_model(struct reader *reader, const struct node *node)
{
    size_t model;

    if (!schema_name(&reader->scope.schema, node, "PMU model", name_of_model,
            NULL, &model)) {
        return;
    }
    if (model == MODEL_NONE) {
        schema_error(&reader->scope.schema, DIAGNOSTIC_NOT_MODELLED, node,
            "machines without a PMU are not supported by this version");
        return;
    }
    reader->scenario->machine.pmu = pmu_models[model];
}

static void read_pmu(struct reader *reader, const struct node *pmu)
{
    struct pmu_model *model = &reader->scenario->machine.pmu;
    uint64_t general, fixed, width, skid;

    if (!schema_mapping(&reader->scope.schema, pmu, MAPPING_PMU, pmu)) {
        return;
    }
    if (node_get(pmu, "model") != NULL) {
        read_model(reader, node_get(pmu, "model"));
    }
    general = model->general;
    fixed = model->fixed;
    width = model->width_bits;
    skid = model->skid_cycles;
    read_figure(reader, pmu, "general", 1, LIMIT_GP_COUNTERS, &general);
    read_figure(reader, pmu, "fixed", 0, LIMIT_FIXED_COUNTERS, &fixed);
    read_figure(reader, pmu, "width", 32, LIMIT_COUNTER_BITS, &width);
    read_figure(reader, pmu, "skid", 0, 1000000, &skid);
    model->general = (uint8_t)general;
    model->fixed = (uint8_t)fixed;
    model->width_bits = (uint8_t)width;
    model->skid_cycles = (uint32_t)skid;
}

/* The values of an axis, or the one that machine or the default gives. */
struct axis {
    const char *key;
    bool (*read)(struct reader *, const struct node *, size_t *);
    size_t value[OS_COUNT + ARCH_COUNT];
    const struct node *node[OS_COUNT + ARCH_COUNT];
    size_t count;
    bool is_axis;
};

static void add_to_axis(
    struct reader *reader, struct axis *axis, const struct node *node)
{
    size_t value;

    if (!axis->read(reader, node, &value)) {
        return;
    }
    for (size_t i = 0; i < axis->count; i++) {
        if (axis->value[i] == value) {
            schema_error(&reader->scope.schema, DIAGNOSTIC_CONFLICT, node,
                "'%s' stands twice in this axis", node->text);
            return;
        }
    }
    axis->value[axis->count] = value;
    axis->node[axis->count++] = node;
}

static void read_axis(struct reader *reader, struct axis *axis,
    const struct node *machine, const struct node *matrix, size_t otherwise)
{
    const struct node *in_machine =
        machine == NULL ? NULL : node_get(machine, axis->key);
    const struct node *in_matrix =
        matrix == NULL ? NULL : node_get(matrix, axis->key);

    if (in_machine != NULL && in_matrix != NULL) {
        schema_error(&reader->scope.schema, DIAGNOSTIC_CONFLICT, in_matrix,
            "'%s' stands in machine and in matrix", axis->key);
        return;
    }
    if (in_machine != NULL) {
        add_to_axis(reader, axis, in_machine);
    } else if (in_matrix == NULL) {
        axis->value[axis->count++] = otherwise;
    } else if (schema_sequence(&reader->scope.schema, in_matrix)) {
        axis->is_axis = true;
        for (size_t i = 0; i < in_matrix->count; i++) {
            add_to_axis(reader, axis, in_matrix->item[i]);
        }
    }
}

static void report_pair(
    struct reader *reader, const struct node *at, enum os os, enum arch arch)
{
    schema_error(&reader->scope.schema, DIAGNOSTIC_IMPOSSIBLE, at,
        "%s never ran on %s", os_rows[os].name, arch_rows[arch].name);
    diagnostics_hint(reader->scope.schema.diagnostics,
        "a scenario of its own takes the versions that ran there; "
        "docs/scenarios.md has the pairs");
}

/* A machine that Windows could not have run on. */
static void check_size(struct reader *reader, enum os os, enum arch arch)
{
    const struct machine_config *machine = &reader->scenario->machine;
    const struct node *at = reader->scenario->machine_node;
    uint32_t groups = arch_rows[arch].groups < os_rows[os].groups
                          ? arch_rows[arch].groups
                          : os_rows[os].groups;

    if (at == NULL) {
        return;
    }
    if (machine->processors > arch_rows[arch].processors) {
        schema_error(&reader->scope.schema, DIAGNOSTIC_IMPOSSIBLE,
            node_get(at, "cpus"), "%s has at most %u processors",
            arch_rows[arch].name, (unsigned)arch_rows[arch].processors);
    }
    if (machine->groups > groups) {
        const struct node *node = node_get(at, "groups");

        schema_error(&reader->scope.schema, DIAGNOSTIC_IMPOSSIBLE,
            node != NULL ? node : node_get(at, "cpus"),
            "%s on %s has at most %u processor groups", os_rows[os].name,
            arch_rows[arch].name, (unsigned)groups);
    }
}

static void multiply(
    struct reader *reader, const struct axis *os, const struct axis *arch)
{
    struct scenario *scenario = reader->scenario;
    const struct node *at = arch->node[0] != NULL ? arch->node[0] : os->node[0];

    reader->oldest = OS_COUNT - 1;
    scenario->choice = talloc_array(scenario, struct machine_choice,
        (unsigned)(os->count * arch->count) + 1);
    for (size_t i = 0; i < os->count; i++) {
        for (size_t k = 0; k < arch->count; k++) {
            enum os o = (enum os)os->value[i];
            enum arch a = (enum arch)arch->value[k];

            if (!profile_exists(o, a)) {
                report_pair(
                    reader, arch->node[k] != NULL ? arch->node[k] : at, o, a);
                continue;
            }
            check_size(reader, o, a);
            reader->needs_pmu |= !arch_rows[a].pmu;
            reader->oldest = o < reader->oldest ? o : reader->oldest;
            reader->scope.archs |= UINT32_C(1) << a;
            scenario->choice[scenario->choice_count++] =
                (struct machine_choice){o, a};
        }
    }
    scenario->matrix_os = os->is_axis;
    scenario->matrix_arch = arch->is_axis;
}

static void read_topology(struct reader *reader, const struct node *machine)
{
    struct machine_config *config = &reader->scenario->machine;
    const struct schema *schema = &reader->scope.schema;
    const struct node *cpus = node_get(machine, "cpus");
    const struct node *groups = node_get(machine, "groups");
    uint64_t number;

    if (cpus != NULL &&
        schema_number(schema, cpus, 1, LIMIT_PROCESSORS, &number)) {
        config->processors = (uint32_t)number;
    }
    config->groups = (config->processors + LIMIT_GROUP_PROCESSORS - 1) /
                     LIMIT_GROUP_PROCESSORS;
    if (groups == NULL ||
        !schema_number(schema, groups, 1, LIMIT_GROUPS, &number)) {
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

void read_machine(struct reader *reader)
{
    struct scenario *scenario = reader->scenario;
    const struct schema *schema = &reader->scope.schema;
    const struct node *machine = node_get(scenario->root, "machine");
    const struct node *matrix = node_get(scenario->root, "matrix");
    struct axis os = {.key = "os", .read = read_os};
    struct axis arch = {.key = "arch", .read = read_arch};

    scenario->machine = (struct machine_config){
        .processors = 4, .groups = 1, .pmu = pmu_models[MODEL_INTEL_V2]};
    if (machine != NULL &&
        !schema_mapping(schema, machine, MAPPING_MACHINE, machine)) {
        machine = NULL;
    }
    if (matrix != NULL &&
        !schema_mapping(schema, matrix, MAPPING_MATRIX, matrix)) {
        matrix = NULL;
    }
    if (machine != NULL) {
        scenario->machine_node = machine;
        read_topology(reader, machine);
        if (node_get(machine, "pmu") != NULL) {
            read_pmu(reader, node_get(machine, "pmu"));
        }
    }
    read_axis(reader, &os, machine, matrix, OS_WIN11);
    read_axis(reader, &arch, machine, matrix, ARCH_X64);
    multiply(reader, &os, &arch);
    if (reader->needs_pmu && machine != NULL &&
        node_get(machine, "pmu") != NULL) {
        schema_error(schema, DIAGNOSTIC_NO_EFFECT, node_key(machine, "pmu"),
            "the model has a PMU for x86 and x64 only");
    }
    if (matrix != NULL && matrix->count == 0) {
        schema_error(schema, DIAGNOSTIC_NO_EFFECT, matrix, "no axis");
    }
    reader->scope.arch = arch.count > 0 ? (enum arch)arch.value[0] : ARCH_X64;
}
