/* store.c - store: values are written to a driver's memory, one store
 * instruction a value. */
#include <talloc.h>

#include "api/mm/store.h"
#include "api/mm/touch.h"
#include "scenarios/runner/language/value.h"
#include "scenarios/runner/language/value_layout.h"
#include "scenarios/runner/run/outcome.h"
#include "scenarios/runner/run/run.h"
#include "scenarios/runner/run/run_guarded.h"
#include "scenarios/runner/scenario/reader.h"
#include "scenarios/runner/scenario/scenario.h"
#include "scenarios/runner/scenario/step.h"
#include "scenarios/runner/steps/steps.h"

struct store {
    const struct node *to; /* an address */
    uint64_t at;           /* bytes from there */
    const struct node *values;
};

static void read_store(
    struct reader *reader, const struct node *node, struct step *step)
{
    const struct schema *schema = &reader->scope.schema;
    struct store *store = step->data;
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

static void run_store(struct run *run, struct outcome *outcome)
{
    const struct store *store = outcome->step->data;
    const struct node *values = store->values;
    struct value_block block = {.state = BLOCK_GOOD};
    size_t *end =
        talloc_zero_array(outcome, size_t, (unsigned)values->count + 1);
    uint64_t to;

    outcome->call = "store";
    if (!value_scalar(&run->scope, store->to, NT_PVOID, &to)) {
        run_fail_value(run, outcome, store->to);
        return;
    }
    for (size_t i = 0; i < values->count; i++) {
        if (!value_layout_add(&run->scope, outcome, values->item[i], &block)) {
            run_fail_value(run, outcome, values->item[i]);
            return;
        }
        end[i + 1] = block.size;
    }
    if (run_guarded_by_program(&run->session->kernel)) {
        touch_by_program(
            &run->session->kernel, to + store->at, block.size, TOUCH_WRITE);
    }
    for (size_t i = 0; i < values->count; i++) {
        store_bytes(&run->session->kernel, to + store->at + end[i],
            block.bytes + end[i], end[i + 1] - end[i]);
    }
}

const struct step_code step_store = {
    .data_bytes = sizeof(struct store),
    .read = read_store,
    .run = run_store,
};
