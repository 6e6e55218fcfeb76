/* register.c - rdmsr, wrmsr, rdpmc and cpuid, mrs and msr: registers accessed
 * by code on a processor. */
#include <talloc.h>

#include "api/hal/register_access.h"
#include "scenarios/runner/language/names.h"
#include "scenarios/runner/language/value.h"
#include "scenarios/runner/run/outcome.h"
#include "scenarios/runner/run/run.h"
#include "scenarios/runner/scenario/read_cpus.h"
#include "scenarios/runner/scenario/reader.h"
#include "scenarios/runner/scenario/scenario.h"
#include "scenarios/runner/scenario/step.h"
#include "scenarios/runner/steps/steps.h"
#include "scenarios/runner/yaml/plain_word.h"
#include "sim/machine/msr.h"
#include "sim/pmu/armv8_registers.h"

struct access {
    /* Of cpuid the leaf; of mrs and msr as sysreg_read() takes it. */
    uint32_t index;
    enum ring ring;           /* of rdpmc */
    bool cr4_pce;             /* likewise */
    const struct node *value; /* of wrmsr and msr */
};

/* A register by name or number. A number may be one that no model has. */
static void read_index(
    struct reader *reader, const struct node *node, uint32_t *index)
{
    struct suggestion suggestion =
        suggest_for(node->kind == NODE_SCALAR ? node->text : "");
    char name[40];
    uint64_t number;

    if (node->kind == NODE_SCALAR && !node->quoted &&
        plain_word_number(node->text, &number)) {
        if (schema_number(
                &reader->scope.schema, node, 0, UINT32_MAX, &number)) {
            *index = (uint32_t)number;
        }
        return;
    }
    if (node->kind == NODE_SCALAR && msr_address(node->text, index)) {
        return;
    }
    schema_error(&reader->scope.schema, DIAGNOSTIC_UNKNOWN_NAME, node,
        "unknown register '%s'", node_show(reader->scenario, node));
    for (size_t i = 0; msr_name(i, name, sizeof(name)); i++) {
        suggest_offer(&suggestion, talloc_strdup(reader->scenario, name));
    }
    schema_suggest(&reader->scope.schema, &suggestion);
}

static void read_register(struct reader *reader, const struct node *node,
    struct step *step, enum mapping mapping)
{
    struct access *access = step->data;

    if (!schema_mapping(&reader->scope.schema, node, mapping, step->key)) {
        return;
    }
    read_cpus(reader, node_get(node, "cpu"), &step->cpus);
    if (node_get(node, "index") != NULL) {
        read_index(reader, node_get(node, "index"), &access->index);
    }
}

static void read_rdmsr(
    struct reader *reader, const struct node *node, struct step *step)
{
    read_register(reader, node, step, MAPPING_RDMSR);
}

static void read_wrmsr(
    struct reader *reader, const struct node *node, struct step *step)
{
    struct access *access = step->data;
    uint64_t value;

    read_register(reader, node, step, MAPPING_WRMSR);
    access->value = node_get(node, "value");
    if (access->value != NULL) {
        value_scalar(&reader->scope, access->value, NT_ULONG64, &value);
    }
}

/* Who executes it: a program in its own ring. */
static enum ring read_ring(
    struct reader *reader, const struct node *node, const struct step *step)
{
    const struct schema *schema = &reader->scope.schema;
    const struct driver *driver =
        scenario_driver(reader->scenario, step->actor);
    bool program = driver->user && !step->in_callback;
    size_t ring = program ? RING_USER : RING_KERNEL;

    if (node != NULL) {
        schema_name(schema, node, "ring", name_of_ring, NULL, &ring);
    }
    if (program && ring == RING_KERNEL) {
        schema_error(schema, DIAGNOSTIC_CONFLICT, node,
            "'%s' is a process, whose code is user code", driver->name);
        diagnostics_hint(schema->diagnostics, "let an actor, a driver, do it");
    }
    return (enum ring)ring;
}

/* CR4.PCE matters to user code alone (pmu.md 1.5). */
static void read_rdpmc_ring(
    struct reader *reader, const struct node *node, const struct step *step)
{
    const struct schema *schema = &reader->scope.schema;
    struct access *access = step->data;

    access->ring = read_ring(reader, node_get(node, "ring"), step);
    access->cr4_pce = !reader->scenario->no_pce;
    if (node_get(node, "pce") == NULL) {
        return;
    }
    schema_bool(schema, node_get(node, "pce"), &access->cr4_pce);
    if (access->ring == RING_KERNEL) {
        schema_error(schema, DIAGNOSTIC_NO_EFFECT, node_key(node, "pce"),
            "kernel code executes RDPMC whatever CR4.PCE is");
        diagnostics_hint(schema->diagnostics, "ring: user asks for it");
    }
}

/* The selector may be one that no counter has: that is a #GP. */
static void read_rdpmc(
    struct reader *reader, const struct node *node, struct step *step)
{
    const struct schema *schema = &reader->scope.schema;
    struct access *access = step->data;
    uint64_t selector;

    if (!schema_mapping(schema, node, MAPPING_RDPMC, step->key)) {
        return;
    }
    read_cpus(reader, node_get(node, "cpu"), &step->cpus);
    read_rdpmc_ring(reader, node, step);
    step->in_user_mode = access->ring == RING_USER;
    if (node_get(node, "index") == NULL) {
        return;
    }
    if (schema_number(
            schema, node_get(node, "index"), 0, UINT32_MAX, &selector)) {
        access->index = (uint32_t)selector;
    } else {
        diagnostics_hint(schema->diagnostics,
            "GP counter n is n, fixed counter n is 0x40000000 + n");
    }
}

static void read_cpuid(
    struct reader *reader, const struct node *node, struct step *step)
{
    const struct schema *schema = &reader->scope.schema;
    struct access *access = step->data;
    uint64_t leaf;

    if (!schema_mapping(schema, node, MAPPING_CPUID, step->key)) {
        return;
    }
    read_cpus(reader, node_get(node, "cpu"), &step->cpus);
    if (node_get(node, "leaf") != NULL &&
        schema_key_number(
            schema, MAPPING_CPUID, "leaf", node_get(node, "leaf"), &leaf)) {
        access->index = (uint32_t)leaf;
    }
}

/* A system register by name, also one that this part lacks. */
static bool read_sysreg(struct reader *reader, const struct node *node,
    struct step *step, enum mapping mapping)
{
    const struct schema *schema = &reader->scope.schema;
    struct access *access = step->data;
    const struct node *name;
    size_t n;

    if (!schema_mapping(schema, node, mapping, step->key)) {
        return false;
    }
    read_cpus(reader, node_get(node, "cpu"), &step->cpus);
    name = node_get(node, "register");
    if (name != NULL && schema_name(schema, name, "system register",
                            name_of_sysreg, NULL, &n)) {
        armv8_register_find(name->text, &access->index);
    }
    return true;
}

static void read_mrs(
    struct reader *reader, const struct node *node, struct step *step)
{
    read_sysreg(reader, node, step, MAPPING_MRS);
}

static void read_msr(
    struct reader *reader, const struct node *node, struct step *step)
{
    struct access *access = step->data;
    uint64_t value;

    if (read_sysreg(reader, node, step, MAPPING_MSR)) {
        access->value = node_get(node, "value");
    }
    if (access->value != NULL) {
        value_scalar(&reader->scope, access->value, NT_ULONG64, &value);
    }
}

static uint32_t index_of(const struct outcome *outcome)
{
    const struct access *access = outcome->step->data;

    return access->index;
}

static void run_rdmsr(struct run *run, struct outcome *outcome)
{
    uint32_t index = index_of(outcome);
    struct kernel *kernel = &run->session->kernel;

    outcome->call = talloc_asprintf(outcome, "rdmsr(0x%X)", index);
    outcome->value[0] = register_read(kernel, kernel_cpu(kernel), index);
}

static void run_wrmsr(struct run *run, struct outcome *outcome)
{
    const struct access *access = outcome->step->data;
    struct kernel *kernel = &run->session->kernel;
    uint64_t value;

    if (!value_scalar(&run->scope, access->value, NT_ULONG64, &value)) {
        run_fail_value(run, outcome, access->value);
        return;
    }
    outcome->call = talloc_asprintf(outcome, "wrmsr(0x%X, 0x%llX)",
        access->index, (unsigned long long)value);
    register_write(kernel, kernel_cpu(kernel), access->index, value);
}

static void run_rdpmc(struct run *run, struct outcome *outcome)
{
    const struct access *access = outcome->step->data;
    struct kernel *kernel = &run->session->kernel;

    outcome->call = talloc_asprintf(outcome, "rdpmc(0x%X)", access->index);
    outcome->value[0] = register_rdpmc(kernel, kernel_cpu(kernel),
        access->index, access->ring, access->cr4_pce);
}

static void run_cpuid(struct run *run, struct outcome *outcome)
{
    uint32_t leaf = index_of(outcome);
    uint32_t registers[OUTCOME_VALUES];

    outcome->call = talloc_asprintf(outcome, "cpuid(0x%X)", leaf);
    register_cpuid(kernel_cpu(&run->session->kernel), leaf, registers);
    for (size_t i = 0; i < OUTCOME_VALUES; i++) {
        outcome->value[i] = registers[i];
    }
}

static void run_mrs(struct run *run, struct outcome *outcome)
{
    uint32_t reg = index_of(outcome);
    struct kernel *kernel = &run->session->kernel;
    char name[40];

    armv8_register_spell(reg, name, sizeof(name));
    outcome->call = talloc_asprintf(outcome, "mrs(%s)", name);
    outcome->value[0] = register_mrs(kernel, kernel_cpu(kernel), reg);
}

static void run_msr(struct run *run, struct outcome *outcome)
{
    const struct access *access = outcome->step->data;
    struct kernel *kernel = &run->session->kernel;
    char name[40];
    uint64_t value;

    if (!value_scalar(&run->scope, access->value, NT_ULONG64, &value)) {
        run_fail_value(run, outcome, access->value);
        return;
    }
    armv8_register_spell(access->index, name, sizeof(name));
    outcome->call = talloc_asprintf(
        outcome, "msr(%s, 0x%llX)", name, (unsigned long long)value);
    register_msr(kernel, kernel_cpu(kernel), access->index, value);
}

#define ACCESS(name)                                                           \
    const struct step_code step_##name = {                                     \
        .data_bytes = sizeof(struct access),                                   \
        .read = read_##name,                                                   \
        .run = run_##name,                                                     \
    }
ACCESS(rdmsr);
ACCESS(wrmsr);
ACCESS(rdpmc);
ACCESS(cpuid);
ACCESS(mrs);
ACCESS(msr);
