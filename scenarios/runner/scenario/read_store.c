/* read_store.c - store: what a driver's code writes, and where. */
#include "scenarios/runner/language/value.h"
#include "scenarios/runner/language/value_layout.h"
#include "scenarios/runner/scenario/reader.h"

bool read_layout(
    struct reader *reader, const struct node *node, struct value_block *block)
{
    if (!value_is_layout(node)) {
        schema_error(&reader->scope.schema, DIAGNOSTIC_WRONG_TYPE, node,
            "expected a list of values with their types, [{ULONG: 5}]");
        return false;
    }
    return value_layout(&reader->scope, reader->scenario, node, block);
}

void read_store(
    struct reader *reader, const struct node *node, struct step *step)
{
    const struct schema *schema = &reader->scope.schema;
    struct step_store *store = &step->u.store;
    const struct node *at;
    struct value_block block;
    uint64_t address;

    if (!schema_mapping(schema, node, MAPPING_STORE, step->key)) {
        return;
    }
    store->to = node_get(node, "to");
    if (store->to != NULL) {
        value_scalar(&reader->scope, store->to, NT_PVOID, &address);
    }
    at = node_get(node, "at");
    if (at != NULL) {
        schema_key_number(schema, MAPPING_STORE, "at", at, &store->at);
    }
    store->values = node_get(node, "values");
    if (store->values != NULL) {
        read_layout(reader, store->values, &block);
    }
}
