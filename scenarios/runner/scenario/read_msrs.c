/* read_msrs.c - machine: {msrs: ..}, values of registers that the processors
 * have and the model has not. */
#include "scenarios/runner/scenario/read_msrs.h"

#include <assert.h>
#include <talloc.h>

#include "scenarios/runner/scenario/reader.h"
#include "scenarios/runner/scenario/scenario.h"
#include "scenarios/runner/yaml/plain_word.h"
#include "sim/machine/msr.h"
#include "sim/machine/real_msr.h"

static bool read_address(
    const struct schema *schema, const struct node *key, uint32_t *address)
{
    uint64_t number;

    if (key->quoted || !plain_word_number(key->text, &number) ||
        number > UINT32_MAX) {
        schema_error(schema, DIAGNOSTIC_WRONG_TYPE, key,
            "expected the address of an MSR");
        diagnostics_hint(schema->diagnostics,
            "as the manual has it: 0x19C; ntpmu explain has those that are "
            "modelled");
        return false;
    }
    *address = (uint32_t)number;
    return true;
}

/* Whether the part has the register and the model has not. */
static bool can_be_given(
    struct reader *reader, const struct node *key, uint32_t address)
{
    const struct schema *schema = &reader->scope.schema;
    const struct machine_config *machine = &reader->scenario->machine;
    const struct pmu_model *model = &machine->pmu;
    bool modelled = msr_is_modelled(model, address);

    for (size_t i = 0; i < machine->kind_count; i++) {
        modelled |= msr_is_modelled(&machine->kind[i].pmu, address);
    }
    if (modelled) {
        schema_error(schema, DIAGNOSTIC_IMPOSSIBLE, key,
            "MSR %XH is modelled, so it has a value of its own",
            (unsigned)address);
        diagnostics_hint(schema->diagnostics,
            "msrs is for what is not modelled; a wrmsr step writes this one");
        return false;
    }
    if (!real_msr_find(model, address, NULL)) {
        schema_error(schema, DIAGNOSTIC_IMPOSSIBLE, key, "%s has no MSR %XH",
            model->name, (unsigned)address);
        diagnostics_hint(schema->diagnostics,
            "an access to it raises #GP, as on the processor");
        return false;
    }
    return true;
}

static bool is_given(const struct machine_config *machine, uint32_t address)
{
    for (size_t i = 0; i < machine->given_count; i++) {
        if (machine->given[i].address == address) {
            return true;
        }
    }
    return false;
}

/* Its value alone, or {value: .., stored: true}. */
static bool read_given(const struct schema *schema, const struct node *node,
    struct msr_given *given)
{
    const struct node *value, *stored;

    if (node->kind != NODE_MAPPING) {
        return schema_key_number(
            schema, MAPPING_GIVEN_MSR, "value", node, &given->value);
    }
    if (!schema_mapping(schema, node, MAPPING_GIVEN_MSR, node)) {
        return false;
    }
    value = node_get(node, "value");
    if (value == NULL || !schema_key_number(schema, MAPPING_GIVEN_MSR, "value",
                             value, &given->value)) {
        return false;
    }
    stored = node_get(node, "stored");
    if (stored == NULL) {
        return true;
    }
    if (!schema_bool(schema, stored, &given->stored)) {
        return false;
    }
    if (!given->stored) {
        schema_error(schema, DIAGNOSTIC_NO_EFFECT, stored,
            "'false' is what holds without this");
    }
    return given->stored;
}

void read_msrs(
    struct reader *reader, const struct node *key, const struct node *msrs)
{
    const struct schema *schema = &reader->scope.schema;
    struct machine_config *machine = &reader->scenario->machine;
    struct msr_given *given;

    if (msrs->kind != NODE_MAPPING || msrs->count == 0) {
        schema_error(
            schema, DIAGNOSTIC_WRONG_TYPE, msrs, "expected {address: value}");
        return;
    }
    if (msrs->count > LIMIT_GIVEN_MSRS) {
        schema_error(schema, DIAGNOSTIC_OUT_OF_RANGE, key,
            "at most %d MSRs can be given", LIMIT_GIVEN_MSRS);
        return;
    }
    given = talloc_zero_array(
        reader->scenario, struct msr_given, (unsigned)msrs->count);
    assert(given != NULL);
    machine->given = given;
    for (size_t i = 0; i < msrs->count; i++) {
        const struct entry *entry = &msrs->entry[i];
        struct msr_given one = {.address = 0};

        if (!read_address(schema, entry->key, &one.address) ||
            !can_be_given(reader, entry->key, one.address)) {
            continue;
        }
        if (is_given(machine, one.address)) {
            schema_error(schema, DIAGNOSTIC_CONFLICT, entry->key,
                "MSR %XH stands twice", (unsigned)one.address);
        } else if (read_given(schema, entry->value, &one)) {
            given[machine->given_count++] = one;
        }
    }
}
