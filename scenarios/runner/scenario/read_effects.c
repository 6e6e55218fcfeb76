/* read_effects.c - what a device does when a register of it is written, and
 * what its registers hold when it interrupts. */
#include "scenarios/runner/scenario/read_effects.h"

#include <assert.h>
#include <talloc.h>

#include "api/mm/given_memory.h"
#include "scenarios/runner/language/names.h"
#include "scenarios/runner/scenario/read_ranges.h"
#include "scenarios/runner/scenario/reader.h"
#include "scenarios/runner/scenario/scenario.h"

/* A register that may change: what it holds is what it gives. */
static bool read_target(const struct schema *schema, const struct node *node,
    const struct given_range *range, size_t *reg)
{
    if (!read_register_name(schema, node, range, reg)) {
        return false;
    }
    if (range->reg[*reg].read_count == 0) {
        return true;
    }
    schema_error(schema, DIAGNOSTIC_NO_EFFECT, node,
        "'%s' gives what its reads say, whatever it holds",
        range->reg[*reg].name);
    diagnostics_hint(schema->diagnostics, "leave out its reads");
    return false;
}

/* Bits of that register; left out: none. */
static bool read_bits(const struct schema *schema, const struct node *node,
    enum mapping mapping, const char *key, const struct given_register *reg,
    uint64_t *bits)
{
    const struct node *value = node_get(node, key);

    if (value == NULL) {
        return true;
    }
    return schema_key_number(schema, mapping, key, value, bits) &&
           read_register_fits(schema, value, reg, *bits);
}

static bool read_effect(struct reader *reader, const struct node *node,
    const struct given_range *range, const struct given_register *reg,
    struct register_effect *effect)
{
    const struct schema *schema = &reader->scope.schema;

    if (!schema_mapping(schema, node, MAPPING_DEVICE_EFFECT, node) ||
        node_get(node, "register") == NULL || node_get(node, "bits") == NULL ||
        !read_target(schema, node_get(node, "register"), range, &effect->reg)) {
        return false;
    }
    if (node_get(node, "sets") == NULL && node_get(node, "clears") == NULL) {
        schema_error(schema, DIAGNOSTIC_NO_EFFECT, node,
            "nothing happens to '%s'", range->reg[effect->reg].name);
        diagnostics_hint(schema->diagnostics,
            "sets: 0x1, or clears: 0x1, says which bits of it change");
        return false;
    }
    return read_bits(schema, node, MAPPING_DEVICE_EFFECT, "bits", reg,
               &effect->bits) &&
           read_bits(schema, node, MAPPING_DEVICE_EFFECT, "sets",
               &range->reg[effect->reg], &effect->sets) &&
           read_bits(schema, node, MAPPING_DEVICE_EFFECT, "clears",
               &range->reg[effect->reg], &effect->clears);
}

void read_effects(struct reader *reader, const struct node *node,
    const struct given_range *range, struct given_register *reg)
{
    const struct schema *schema = &reader->scope.schema;
    const struct node *effects = node_get(node, "effects");
    struct register_effect *list;

    if (effects == NULL) {
        return;
    }
    if (reg->access == REGISTER_RO || reg->access == REGISTER_RC) {
        schema_error(schema, DIAGNOSTIC_NO_EFFECT, node_key(node, "effects"),
            "nothing comes of a write to '%s', whose access is %s", reg->name,
            name_of_register_access(reg->access, NULL));
        return;
    }
    if (!schema_sequence(schema, effects)) {
        return;
    }
    list = talloc_zero_array(
        reader->scenario, struct register_effect, (unsigned)effects->count + 1);
    assert(list != NULL);
    for (size_t i = 0; i < effects->count; i++) {
        if (read_effect(reader, effects->item[i], range, reg,
                &list[reg->effect_count])) {
            reg->effect_count++;
        }
    }
    reg->effect = list;
}

static bool read_held_one(
    struct reader *reader, const struct node *node, struct held_register *held)
{
    const struct schema *schema = &reader->scope.schema;
    const struct node *memory = node_get(node, "memory");
    const struct node *reg = node_get(node, "register");

    if (!schema_mapping(schema, node, MAPPING_DEVICE_STATE, node) ||
        memory == NULL || reg == NULL || node_get(node, "value") == NULL) {
        return false;
    }
    held->range = read_range_name(reader, memory);
    if (held->range == NULL) {
        return false;
    }
    if (held->range->kind != GIVEN_REGISTERS) {
        schema_error(schema, DIAGNOSTIC_CONFLICT, memory,
            "'%s' has no registers", held->range->name);
        return false;
    }
    return read_target(schema, reg, held->range, &held->reg) &&
           read_bits(schema, node, MAPPING_DEVICE_STATE, "value",
               &held->range->reg[held->reg], &held->value);
}

const struct held_register *read_held(
    struct reader *reader, const struct node *node, size_t *count)
{
    struct held_register *list;

    *count = 0;
    if (node == NULL || !schema_sequence(&reader->scope.schema, node)) {
        return NULL;
    }
    list = talloc_zero_array(
        reader->scenario, struct held_register, (unsigned)node->count + 1);
    assert(list != NULL);
    for (size_t i = 0; i < node->count; i++) {
        if (read_held_one(reader, node->item[i], &list[*count])) {
            (*count)++;
        }
    }
    return list;
}
