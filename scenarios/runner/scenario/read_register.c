/* read_register.c - rdmsr, wrmsr, rdpmc and cpuid; mrs and msr. */
#include <talloc.h>

#include "scenarios/runner/language/names.h"
#include "scenarios/runner/language/value.h"
#include "scenarios/runner/scenario/read_machine.h"
#include "scenarios/runner/scenario/read_steps.h"
#include "scenarios/runner/scenario/reader.h"
#include "scenarios/runner/scenario/step.h"
#include "scenarios/runner/yaml/plain_word.h"
#include "sim/machine/msr.h"
#include "sim/pmu/armv8_registers.h"

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

static bool read_register(struct reader *reader, const struct node *node,
    struct step *step, enum mapping mapping)
{
    if (!read_pmu_of(reader, step->key, false) ||
        !schema_mapping(&reader->scope.schema, node, mapping, step->key)) {
        return false;
    }
    read_cpu(reader, node_get(node, "cpu"), &step->cpu);
    if (node_get(node, "index") != NULL) {
        read_index(reader, node_get(node, "index"), &step->u.msr.index);
    }
    return true;
}

void read_rdmsr(
    struct reader *reader, const struct node *node, struct step *step)
{
    read_register(reader, node, step, MAPPING_RDMSR);
}

void read_wrmsr(
    struct reader *reader, const struct node *node, struct step *step)
{
    uint64_t value;

    if (read_register(reader, node, step, MAPPING_WRMSR)) {
        step->u.msr.value = node_get(node, "value");
    }
    if (step->u.msr.value != NULL) {
        value_scalar(&reader->scope, step->u.msr.value, NT_ULONG64, &value);
    }
}

/* Who executes it. CR4.PCE matters to user code alone (pmu.md 1.5). */
static void read_rdpmc_ring(
    struct reader *reader, const struct node *node, struct step *step)
{
    const struct schema *schema = &reader->scope.schema;
    size_t ring = RING_KERNEL;

    if (node_get(node, "ring") != NULL) {
        schema_name(
            schema, node_get(node, "ring"), "ring", name_of_ring, NULL, &ring);
    }
    step->u.msr.ring = (enum ring)ring;
    step->u.msr.cr4_pce = true;
    if (node_get(node, "pce") == NULL) {
        return;
    }
    schema_bool(schema, node_get(node, "pce"), &step->u.msr.cr4_pce);
    if (node_get(node, "ring") == NULL || ring == RING_KERNEL) {
        schema_error(schema, DIAGNOSTIC_NO_EFFECT, node_key(node, "pce"),
            "kernel code executes RDPMC whatever CR4.PCE is");
        diagnostics_hint(schema->diagnostics, "ring: user asks for it");
    }
}

/* The selector may be one that no counter has: that is a #GP. */
void read_rdpmc(
    struct reader *reader, const struct node *node, struct step *step)
{
    const struct schema *schema = &reader->scope.schema;
    uint64_t selector;

    if (!read_pmu_of(reader, step->key, false) ||
        !schema_mapping(schema, node, MAPPING_RDPMC, step->key)) {
        return;
    }
    read_cpu(reader, node_get(node, "cpu"), &step->cpu);
    read_rdpmc_ring(reader, node, step);
    if (node_get(node, "index") == NULL) {
        return;
    }
    if (schema_number(
            schema, node_get(node, "index"), 0, UINT32_MAX, &selector)) {
        step->u.msr.index = (uint32_t)selector;
    } else {
        diagnostics_hint(schema->diagnostics,
            "GP counter n is n, fixed counter n is 0x40000000 + n");
    }
}

void read_cpuid(
    struct reader *reader, const struct node *node, struct step *step)
{
    const struct schema *schema = &reader->scope.schema;
    uint64_t leaf;

    if (!read_pmu_of(reader, step->key, false) ||
        !schema_mapping(schema, node, MAPPING_CPUID, step->key)) {
        return;
    }
    read_cpu(reader, node_get(node, "cpu"), &step->cpu);
    if (node_get(node, "leaf") != NULL &&
        schema_key_number(
            schema, MAPPING_CPUID, "leaf", node_get(node, "leaf"), &leaf)) {
        step->u.msr.index = (uint32_t)leaf;
    }
}

/* A system register by name, also one that this part lacks. */
static bool read_sysreg(struct reader *reader, const struct node *node,
    struct step *step, enum mapping mapping)
{
    const struct schema *schema = &reader->scope.schema;
    const struct node *name;
    size_t n;

    if (!read_pmu_of(reader, step->key, true) ||
        !schema_mapping(schema, node, mapping, step->key)) {
        return false;
    }
    read_cpu(reader, node_get(node, "cpu"), &step->cpu);
    name = node_get(node, "register");
    if (name != NULL && schema_name(schema, name, "system register",
                            name_of_sysreg, NULL, &n)) {
        armv8_register_find(name->text, &step->u.msr.index);
    }
    return true;
}

void read_mrs(struct reader *reader, const struct node *node, struct step *step)
{
    read_sysreg(reader, node, step, MAPPING_MRS);
}

void read_msr(struct reader *reader, const struct node *node, struct step *step)
{
    uint64_t value;

    if (read_sysreg(reader, node, step, MAPPING_MSR)) {
        step->u.msr.value = node_get(node, "value");
    }
    if (step->u.msr.value != NULL) {
        value_scalar(&reader->scope, step->u.msr.value, NT_ULONG64, &value);
    }
}
