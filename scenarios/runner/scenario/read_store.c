/* read_store.c - store: what a driver's code writes, and where. */
#include "scenarios/runner/language/value.h"
#include "scenarios/runner/language/value_layout.h"
#include "scenarios/runner/scenario/read_steps.h"
#include "scenarios/runner/scenario/reader.h"
#include "scenarios/runner/scenario/step.h"

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
        value_layout_read(
            &reader->scope, reader->scenario, store->values, &block);
    }
}
