/* read_machine.c - machine: what an instance runs on, its Windows version and
 * its PMUs; and what of those a step needs. */
#include "scenarios/runner/scenario/read_machine.h"

#include <string.h>
#include <talloc.h>

#include "scenarios/runner/language/names.h"
#include "scenarios/runner/language/rate.h"
#include "scenarios/runner/scenario/read_kinds.h"
#include "scenarios/runner/scenario/read_msrs.h"
#include "scenarios/runner/scenario/read_pci.h"
#include "scenarios/runner/scenario/read_ranges.h"
#include "scenarios/runner/scenario/read_topology.h"
#include "scenarios/runner/scenario/reader.h"
#include "scenarios/runner/scenario/scenario.h"
#include "sim/base/bits.h"
#include "sim/pmu/figure.h"

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
    const char *before = " ran on ";
    char *archs;

    if (profile_exists(scenario->os, scenario->arch)) {
        return;
    }
    archs = talloc_strdup(reader->scenario, os_rows[scenario->os].name);
    for (enum arch arch = 0; arch < ARCH_COUNT; arch++) {
        if (profile_exists(scenario->os, arch)) {
            archs = talloc_asprintf_append_buffer(
                archs, "%s%s", before, arch_rows[arch].name);
            before = " and ";
        }
    }
    at = at != NULL ? at : place_of(reader, "os");
    schema_error(&reader->scope.schema, DIAGNOSTIC_IMPOSSIBLE,
        at != NULL ? at : scenario->root, "%s never ran on %s",
        os_rows[scenario->os].name, arch_rows[scenario->arch].name);
    diagnostics_hint(reader->scope.schema.diagnostics, "%s%s", archs,
        reader->outline->axis_count > 0 ? "; requires: $( ) leaves pairs out"
                                        : "");
}

/* False is what holds anyway. */
static void read_turned_on(struct reader *reader, const struct node *machine,
    const char *key, bool *on)
{
    const struct schema *schema = &reader->scope.schema;
    const struct node *node = node_get(machine, key);

    if (node != NULL && schema_bool(schema, node, on) && !*on) {
        schema_error(schema, DIAGNOSTIC_NO_EFFECT, node,
            "'false' is what holds without this");
    }
}

/* PCW-REG-15, VRF-01 [C]. */
static void read_boot(struct reader *reader, const struct node *machine)
{
    struct scenario *scenario = reader->scenario;

    read_turned_on(reader, machine, "pcw_not_ready", &scenario->pcw_not_ready);
    read_turned_on(reader, machine, "verifier", &scenario->verifier);
}

/* The one place that says which vendors' processors an architecture has. One
 * without a PMU can be anybody's. */
static bool has_model(enum arch arch, enum model model)
{
    return model == MODEL_NONE ||
           (pmu_models[model].vendor == VENDOR_ARM) ==
               (pmu_models[arch_rows[arch].model].vendor == VENDOR_ARM);
}

static bool read_model(
    struct reader *reader, const struct node *node, struct pmu_model *to)
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
    *to = pmu_models[model];
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
        return rate_read(schema, node, "core cycle", value);
    }
    return false;
}

/* Sets each figure that is written; false after reporting one. */
static bool read_figures(
    struct reader *reader, const struct node *pmu, struct pmu_model *model)
{
    bool right = true;

    for (enum figure i = 0; i < FIGURE_COUNT; i++) {
        const struct node *node = node_get(pmu, figure_rows[i].name);
        struct rate value;

        if (node == NULL) {
            continue;
        }
        if (read_figure(reader, node, i, &value)) {
            figure_set(model, i, value);
        } else {
            right = false;
        }
    }
    return right;
}

bool read_pmu(struct reader *reader, const struct node *key,
    const struct node *pmu, struct pmu_model *model)
{
    const struct schema *schema = &reader->scope.schema;
    const char *reason;
    bool right = true;

    if (!schema_mapping(schema, pmu, MAPPING_PMU, pmu)) {
        return false;
    }
    if (node_get(pmu, "model") != NULL) {
        right = read_model(reader, node_get(pmu, "model"), model);
    }
    right &= read_figures(reader, pmu, model);
    reason = right ? model_problem(model) : NULL;
    if (reason != NULL) {
        schema_error(schema, DIAGNOSTIC_IMPOSSIBLE, key,
            "no processor has this PMU: %s", reason);
        diagnostics_hint(schema->diagnostics,
            "the other figures are those of %s; see: ntpmu explain %s",
            model->name, model->name);
    }
    return right && reason == NULL;
}

static void read_own_pmu(
    struct reader *reader, const struct node *key, const struct node *pmu)
{
    read_pmu(reader, key, pmu, &reader->scenario->machine.pmu);
}

/* A key about processors, which only some architectures have in the model. */
static void read_processor_key(struct reader *reader, const char *key,
    void (*read)(struct reader *reader, const struct node *key,
        const struct node *value))
{
    struct scenario *scenario = reader->scenario;
    const struct node *machine = scenario->machine_node;

    if (node_get(machine, key) == NULL) {
        return;
    }
    if (reader->needs_pmu) {
        schema_error(&reader->scope.schema, DIAGNOSTIC_NO_EFFECT,
            node_key(machine, key), "the model has a PMU for %s only",
            names_of_pmu_arches(scenario, "and"));
        return;
    }
    read(reader, node_key(machine, key), node_get(machine, key));
}

/* HAL-ALLOC-56b [C]. */
static enum virtualized ruled_machine(const struct scenario *scenario)
{
    return rulings_have(&scenario->rulings, RULED_HAL_ALLOC_56b_inert)
               ? VIRTUALIZED_INERT
               : VIRTUALIZED_ABSENT;
}

static void read_virtualized(
    struct reader *reader, const struct node *key, const struct node *node)
{
    const struct schema *schema = &reader->scope.schema;
    struct machine_config *machine = &reader->scenario->machine;
    size_t n;

    (void)key;
    if (!schema_name(
            schema, node, "virtual machine", name_of_virtualized, NULL, &n)) {
        return;
    }
    machine->virtualized = n == VIRTUALIZED_NOT
                               ? ruled_machine(reader->scenario)
                               : (enum virtualized)n;
    if (machine->virtualized == VIRTUALIZED_INERT &&
        machine->pmu.version == 0) {
        schema_error(schema, DIAGNOSTIC_IMPOSSIBLE, node,
            "the processor %s has no PMU that could be inert",
            machine->pmu.name);
    }
    if (machine->kind_count > 0) {
        schema_error(schema, DIAGNOSTIC_NOT_MODELLED, node,
            "virtual machines have processors of one kind only");
        diagnostics_hint(schema->diagnostics, "leave out kinds");
    }
}

static void read_pce(
    struct reader *reader, const struct node *key, const struct node *node)
{
    const struct schema *schema = &reader->scope.schema;
    bool pce = true;

    if (reader->scenario->machine.pmu.vendor == VENDOR_ARM) {
        schema_error(schema, DIAGNOSTIC_NO_EFFECT, key,
            "processors of %s have no CR4",
            arch_rows[reader->scenario->arch].name);
        return;
    }
    schema_bool(schema, node, &pce);
    reader->scenario->no_pce = !pce;
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
    scenario->processor = scenario->machine.pmu;
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
    read_boot(reader, machine);
    read_ranges(reader);
    read_pci(reader);
    read_processor_key(reader, "pmu", read_own_pmu);
    read_processor_key(reader, "kinds", read_kinds);
    read_processor_key(reader, "virtualized", read_virtualized);
    scenario->processor = scenario->machine.pmu;
    scenario->machine.pmu =
        model_virtualized(&scenario->processor, scenario->machine.virtualized);
    read_processor_key(reader, "msrs", read_msrs);
    read_processor_key(reader, "pce", read_pce);
}

/* Steps that touch a PMU have no meaning without one. */
void read_pmu_need(
    struct reader *reader, const struct node *node, const char *what)
{
    if (reader->needs_pmu) {
        schema_error(&reader->scope.schema, DIAGNOSTIC_NOT_MODELLED, node,
            "%s needs a PMU, and the model has one for %s only", what,
            names_of_pmu_arches(reader->scenario, "and"));
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

/* Those that some processor has. */
static uint64_t counters_of_any(const struct machine_config *machine)
{
    uint64_t counters = model_counters(&machine->pmu);

    for (size_t i = 0; i < machine->kind_count; i++) {
        counters |= model_counters(&machine->kind[i].pmu);
    }
    return counters;
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
    if (!bit_is_set(counters_of_any(&reader->scenario->machine), *counter)) {
        schema_error(schema, DIAGNOSTIC_OUT_OF_RANGE, node,
            "this PMU has no counter %u", *counter);
        diagnostics_hint(schema->diagnostics,
            "GP counter n is n, fixed counter n is 32 + n");
        return false;
    }
    return true;
}
