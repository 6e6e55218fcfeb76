/* state.c - expect state: typed probes of the kernel and the machine. They cost
 * no time and count nothing. */
#include <assert.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/checks/checks.h"
#include "scenarios/runner/language/bit_names.h"
#include "scenarios/runner/language/literal.h"
#include "scenarios/runner/language/match_accepts.h"
#include "scenarios/runner/language/names.h"
#include "scenarios/runner/language/scenario_limits.h"
#include "scenarios/runner/run/basis.h"
#include "scenarios/runner/run/evaluate.h"
#include "scenarios/runner/run/probe.h"
#include "scenarios/runner/scenario/check.h"
#include "scenarios/runner/scenario/check_kind.h"
#include "scenarios/runner/scenario/read_actors.h"
#include "scenarios/runner/scenario/read_checks.h"
#include "scenarios/runner/scenario/read_cpus.h"
#include "scenarios/runner/scenario/read_pci.h"
#include "scenarios/runner/scenario/read_ranges.h"
#include "scenarios/runner/scenario/reader.h"
#include "scenarios/runner/scenario/scenario.h"
#include "scenarios/runner/scenario/step.h"
#include "sim/machine/msr.h"

static void check_owner(struct reader *reader, const struct node *owner)
{
    if (owner != NULL && !node_is_word(owner, "nobody")) {
        read_owner(reader, owner);
    }
}

static void check_register(struct reader *reader, const struct node *index)
{
    uint32_t address;

    if (index != NULL &&
        (index->kind != NODE_SCALAR || !msr_address(index->text, &address))) {
        schema_error(&reader->scope.schema, DIAGNOSTIC_UNKNOWN_NAME, index,
            "unknown register '%s'", node_show(reader->scenario, index));
        diagnostics_hint(reader->scope.schema.diagnostics,
            "a probe names the register, as in IA32_PMC0");
    }
}

/* A thread that could be profiled, which a program's can. */
static void check_profiled(struct reader *reader, const struct node *node)
{
    const struct schema *schema = &reader->scope.schema;
    const struct node *thread = node_get(node, "thread");
    const struct node *what = node_get(node, "what");
    size_t actor, word;

    if (what != NULL) {
        schema_key_word(schema, MAPPING_PROFILING_PROBE, "what", what, &word);
    }
    if (thread == NULL || !read_actor(reader, thread, &actor) ||
        scenario_driver(reader->scenario, actor)->user) {
        return;
    }
    schema_error(schema, DIAGNOSTIC_NO_EFFECT, thread,
        "'%s' is no process, and no thread but a program's profiles itself",
        thread->text);
}

static void check_listed(struct reader *reader, const struct node *node)
{
    const struct schema *schema = &reader->scope.schema;
    const struct node *set = node_get(node, "counterset");
    const struct node *silo = node_get(node, "silo");
    const char *name;
    uint64_t number;

    if (set != NULL) {
        schema_text(schema, set, &name);
    }
    if (silo != NULL) {
        schema_key_number(schema, MAPPING_LISTED_PROBE, "silo", silo, &number);
    }
}

/* What the probe is asked, all but the value. */
static void check_question(
    struct reader *reader, const struct probe *probe, const struct node *node)
{
    const struct schema *schema = &reader->scope.schema;
    const struct node *cpu;
    struct cpu_list cpus;

    if (probe->needs_pmu && reader->needs_pmu) {
        schema_error(schema, DIAGNOSTIC_NOT_MODELLED, node,
            "the probe '%s' needs a PMU, and the model has one for %s only",
            probe->key, names_of_pmu_arches(reader->scenario, "and"));
    }
    if (probe->mapping == MAPPING_STATE) {
        if (!node_is_word(node, "system")) {
            schema_error(schema, DIAGNOSTIC_WRONG_TYPE, node,
                "expected 'system': there is one for all processors");
        }
        return;
    }
    if (!schema_mapping(schema, node, probe->mapping, node)) {
        return;
    }
    cpu = node_get(node, "cpu");
    if (cpu != NULL) {
        read_cpus(reader, cpu, &cpus);
    }
    if (probe->mapping == MAPPING_COUNTERS) {
        check_owner(reader, node_get(node, "owner"));
    }
    if (probe->mapping == MAPPING_MSR_PROBE) {
        check_register(reader, node_get(node, "index"));
    }
    if (probe->mapping == MAPPING_SYSREG_PROBE &&
        node_get(node, "register") != NULL) {
        size_t reg;

        schema_name(schema, node_get(node, "register"), "system register",
            name_of_sysreg, NULL, &reg);
    }
    if (probe->mapping == MAPPING_PROFILING_PROBE) {
        check_profiled(reader, node);
    }
    if (probe->mapping == MAPPING_DEVICE_PROBE ||
        probe->mapping == MAPPING_PHYSICAL_PROBE) {
        read_ranges_probe(reader, node, probe->mapping);
    }
    if (probe->mapping == MAPPING_PCI_PROBE) {
        read_pci_probe(reader, node);
    }
    if (probe->mapping == MAPPING_LISTED_PROBE) {
        check_listed(reader, node);
    }
    if (probe->mapping == MAPPING_POOL_PROBE &&
        node_get(node, "owner") != NULL) {
        read_owner(reader, node_get(node, "owner"));
    }
}

/* A list of actors' names stands for their numbers. */
static void check_owners_value(struct reader *reader, const struct node *is)
{
    struct match match = {.scope = &reader->scope, .context = reader->scenario};
    const struct actual list = {.type = NT_ULONG64, .count = 1, .array = true};

    if (is->kind == NODE_MAPPING) {
        match_values(&match, is, &list); /* {len: 1} */
        return;
    }
    if (is->kind != NODE_SEQUENCE) {
        schema_error(&reader->scope.schema, DIAGNOSTIC_WRONG_TYPE, is,
            "expected a list of actors, [a, b], or [] for nobody");
        return;
    }
    for (size_t i = 0; i < is->count; i++) {
        read_owner(reader, is->item[i]);
    }
}

/* What it has to give. */
static void check_value(
    struct reader *reader, const struct probe *probe, const struct node *is)
{
    struct match match = {.scope = &reader->scope, .context = reader->scenario};
    const struct actual actual = {
        .type = probe->type, .count = 1, .array = probe->list};

    if (match_refuse_idle(&reader->scope, is,
            match_domain_of(&reader->scope, probe->type, probe->list))) {
        return;
    }
    if (probe->mapping == MAPPING_OWNERS) {
        check_owners_value(reader, is);
    } else {
        match_values(&match, is, &actual);
    }
}

static void check_probe(struct reader *reader, const struct node *node)
{
    const struct schema *schema = &reader->scope.schema;
    const char *covers[CHECK_COVERS] = {NULL};
    const struct probe *probe;
    const struct node *is;

    if (!schema_mapping(schema, node, MAPPING_STATE, node) ||
        schema_kind(schema, node, MAPPING_STATE, false) == NULL) {
        return;
    }
    probe = probe_find(node);
    assert(probe != NULL);
    check_question(reader, probe, node_get(node, probe->key));
    if (node_get(node, "covers") != NULL) {
        read_covers(reader, node_get(node, "covers"), covers);
    }
    is = node_get(node, "is");
    if (is != NULL) {
        reader->scope.per_us =
            probe->cycles ? reader->scenario->machine.pmu.mhz : 0;
        check_value(reader, probe, is);
        reader->scope.per_us = 0;
    }
}

static void read_state(struct reader *reader, const struct step *step,
    const struct node *key, const struct node *value)
{
    (void)step;
    (void)key;
    if (value->kind == NODE_MAPPING) {
        check_probe(reader, value);
        return;
    }
    if (schema_sequence(&reader->scope.schema, value)) {
        for (size_t i = 0; i < value->count; i++) {
            check_probe(reader, value->item[i]);
        }
    }
}

/* Whether the actors found are the named ones, in the order of `actors`. */
static void evaluate_owners(const struct evaluation *evaluation,
    const struct node *is, const struct probed *probed, const char *what)
{
    const struct scenario *scenario = evaluation->run->scenario;
    struct literals *literals = evaluation->run->verdict->literals;
    bool same = is->count == probed->count;
    char *found = talloc_strdup(evaluation->run->context, "");

    evaluate_cites(evaluation);
    for (size_t i = 0; i < probed->count; i++) {
        const char *name = scenario->actor[probed->value[i]].driver.name;

        same = same && node_is_word(is->item[i], name);
        found = talloc_asprintf_append_buffer(
            found, "%s%s", i == 0 ? "" : ", ", name);
    }
    literals_note(literals, is, same,
        talloc_asprintf(evaluation->run->context, "[%s]", found));
    if (!same) {
        evaluate_fail(evaluation, is, "%s: expected %s, actual [%s]", what,
            node_show(evaluation->run->context, is), found);
    }
    if (!same && literals != NULL) {
        literals->failures++;
    }
}

static void evaluate_on(const struct evaluation *evaluation,
    const struct probe *probe, const struct node *node, const struct cpu *cpu)
{
    const struct node *is = node_get(node, "is");
    char *what = probe_is_per_cpu(probe)
                     ? talloc_asprintf(evaluation->run->context,
                           "state of cpu %u, %s", cpu->index, probe->key)
                     : talloc_asprintf(
                           evaluation->run->context, "state, %s", probe->key);
    struct probed probed = {.context = what};
    const struct node *asked = node_get(node, probe->key);
    struct actual found = {.type = probe->type,
        .array = probe->list,
        .bits_of = bit_names_register(asked)};

    probe_ask(evaluation->run, probe, asked, cpu, &probed);
    found.at = probe->type == NT_HARDWARE_COUNTER
                   ? (const uint8_t *)probed.configured
                   : (const uint8_t *)probed.value;
    found.count = probed.count;
    if (!probe->list && probed.count == 0) {
        evaluate_fail(evaluation, is, "%s: there is no such register", what);
    } else if (probe->mapping == MAPPING_OWNERS && is->kind == NODE_SEQUENCE) {
        evaluate_owners(evaluation, is, &probed, what);
    } else {
        evaluation->run->scope.per_us = probe->cycles ? cpu->pmu.model->mhz : 0;
        evaluate_values(evaluation, is, &found, what);
        evaluation->run->scope.per_us = 0;
    }
    talloc_free(what);
}

/* The entry's own covers stand for it, where it has them. */
static struct check check_of_entry(
    const struct check *check, const struct node *node)
{
    const struct node *covers = node_get(node, "covers");
    struct check own = *check;

    for (size_t i = 0; covers != NULL && i < CHECK_COVERS; i++) {
        own.covers[i] = i < covers->count ? covers->item[i]->text : NULL;
    }
    return own;
}

/* Whether it is asked at all. */
static bool evaluate_probe(
    const struct evaluation *outer, const struct node *node)
{
    struct check *check = talloc(outer->run->context, struct check);
    const struct evaluation own = {outer->run, outer->outcome, check};
    const struct evaluation *evaluation = &own;
    const struct probe *probe = probe_find(node);
    struct machine *machine = &evaluation->run->session->machine;
    size_t before = evaluation->run->verdict->failure_count;
    const struct node *cpu = NULL;
    struct cpu_list cpus;
    bool right;

    *check = check_of_entry(outer->check, node);
    if (!basis_asks(outer->run->session, check->covers)) {
        basis_leave_out(outer->run);
        return false;
    }
    if (probe_is_per_cpu(probe)) {
        cpu = node_get(node_get(node, probe->key), "cpu");
    }
    if (cpu == NULL) {
        evaluate_on(evaluation, probe, node, machine_cpu(machine, 0));
        return true;
    }
    right = read_cpu_list(&outer->run->scope.schema, check,
        machine->config.processors, cpu, &cpus);
    assert(right); /* it was found valid */
    (void)right;
    for (size_t i = 0; i < cpu_list_count(&cpus); i++) {
        evaluate_on(evaluation, probe, node,
            machine_cpu(machine, cpu_list_nth(&cpus, i)));
        /* The first processor that differs says it all, but for a value that
         * would have to be right for all. */
        if (evaluation->run->verdict->failure_count != before &&
            evaluation->run->verdict->literals == NULL) {
            break;
        }
    }
    return true;
}

static void evaluate_state(const struct evaluation *evaluation)
{
    const struct node *value = evaluation->check->value;
    bool asked = false;

    if (value->kind == NODE_MAPPING) {
        asked = evaluate_probe(evaluation, value);
    }
    for (size_t i = 0; value->kind == NODE_SEQUENCE && i < value->count; i++) {
        asked |= evaluate_probe(evaluation, value->item[i]);
    }
    evaluation->run->verdict->checks += asked ? 1 : 0;
}

/* An entry may cite for itself. */
static bool entries_cite(const struct node *value)
{
    if (value->kind == NODE_MAPPING) {
        return node_get(value, "covers") != NULL;
    }
    for (size_t i = 0; i < value->count; i++) {
        if (entries_cite(value->item[i])) {
            return true;
        }
    }
    return false;
}

const struct check_code check_state = {
    .read = read_state,
    .evaluate = evaluate_state,
    .entries_cite = entries_cite,
};
