/* read_memory.c - memory: blocks that last as long as the scenario. */
#include "scenarios/runner/scenario/read_memory.h"

#include <talloc.h>

#include "scenarios/runner/language/type_name.h"
#include "scenarios/runner/language/value.h"
#include "scenarios/runner/language/value_layout.h"
#include "scenarios/runner/scenario/reader.h"
#include "scenarios/runner/scenario/scenario.h"

static void read_size(
    struct reader *reader, const struct entry *entry, struct memory_area *area)
{
    const struct schema *schema = &reader->scope.schema;
    const struct node *type = node_get(entry->value, "type");
    const struct node *bytes = node_get(entry->value, "bytes");
    enum nt_type found;
    uint64_t number = 0;

    if ((type == NULL) == (bytes == NULL)) {
        schema_error(schema, DIAGNOSTIC_CONFLICT, entry->key,
            "a memory block has a type or a number of bytes");
        return;
    }
    if (type != NULL && read_type(schema, type, &found)) {
        area->bytes = nt_type_row(found)->size;
    }
    if (bytes != NULL &&
        schema_key_number(schema, MAPPING_MEMORY, "bytes", bytes, &number)) {
        area->bytes = number;
    }
}

/* What it begins with, which has to fit. */
static void read_values(
    struct reader *reader, const struct entry *entry, struct memory_area *area)
{
    const struct node *values = node_get(entry->value, "values");
    struct value_block block;

    if (values == NULL ||
        !value_layout_read(&reader->scope, reader->scenario, values, &block)) {
        return;
    }
    if (block.size > area->bytes && area->bytes > 0) {
        schema_error(&reader->scope.schema, DIAGNOSTIC_OUT_OF_RANGE, values,
            "%zu bytes of values do not fit into %zu", block.size, area->bytes);
        return;
    }
    area->values = values;
}

static void read_area(
    struct reader *reader, const struct entry *entry, struct memory_area *area)
{
    const struct schema *schema = &reader->scope.schema;
    const struct node *pool;
    size_t word = 0;
    struct variable *variable;

    if (!schema_mapping(schema, entry->value, MAPPING_MEMORY, entry->key)) {
        return;
    }
    read_size(reader, entry, area);
    pool = node_get(entry->value, "pool");
    if (pool != NULL) {
        schema_key_word(schema, MAPPING_MEMORY, "pool", pool, &word);
    }
    area->paged = word == 1; /* nonpaged, paged, user */
    area->user = word == 2;
    read_values(reader, entry, area);
    variable = scope_define(&reader->scope, entry->key, NT_PVOID);
    if (variable != NULL) {
        variable->address = true;
        area->variable = (size_t)(variable - reader->scenario->variables->item);
        reader->scenario->memory_count++;
    }
}

void read_memory(struct reader *reader)
{
    struct scenario *scenario = reader->scenario;
    const struct node *node = node_get(scenario->root, "memory");

    if (node == NULL) {
        return;
    }
    if (node->kind != NODE_MAPPING || node->count == 0) {
        schema_error(&reader->scope.schema, DIAGNOSTIC_WRONG_TYPE, node,
            "expected {name: {type: KSPIN_LOCK}} or {name: {bytes: 64}}");
        return;
    }
    scenario->memory =
        talloc_zero_array(scenario, struct memory_area, (unsigned)node->count);
    for (size_t i = 0; i < node->count; i++) {
        read_area(
            reader, &node->entry[i], &scenario->memory[scenario->memory_count]);
    }
}
