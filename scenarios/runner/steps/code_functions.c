/* code_functions.c - the functions that a run's events come from, read: where
 * each one is, and its share. */
#include "scenarios/runner/steps/code_functions.h"

#include <assert.h>
#include <inttypes.h>
#include <talloc.h>

#include "scenarios/runner/language/keys.h"
#include "scenarios/runner/language/scenario_limits.h"
#include "scenarios/runner/scenario/scenario.h"

enum { INSTRUCTION_BYTES = 4 };

/* The key's number, or `fallback` where it is left out or wrong. */
static uint64_t read_number(struct reader *reader, const struct node *node,
    const char *key, uint64_t fallback)
{
    const struct node *value = node_get(node, key);
    uint64_t number;

    return value != NULL && schema_key_number(&reader->scope.schema,
                                MAPPING_FUNCTION, key, value, &number)
               ? number
               : fallback;
}

/* Instructions of `step` bytes fill the function. */
static uint64_t count_instructions(struct reader *reader,
    const struct node *node, uint64_t bytes, uint64_t step)
{
    const struct schema *schema = &reader->scope.schema;

    if (bytes % step != 0) {
        schema_error(schema, DIAGNOSTIC_OUT_OF_RANGE, node_get(node, "bytes"),
            "%" PRIu64 " bytes are no whole number of instructions of %" PRIu64,
            bytes, step);
        diagnostics_hint(schema->diagnostics,
            "instruction: n says how long one is; left out: 4 bytes");
    }
    return bytes / step == 0 ? 1 : bytes / step;
}

static void read_function(struct reader *reader, const struct node *node,
    struct code_function *function)
{
    const struct schema *schema = &reader->scope.schema;
    uint64_t ip, bytes, step;

    if (!schema_mapping(schema, node, MAPPING_FUNCTION, node)) {
        return;
    }
    ip = read_number(reader, node, "ip", 0);
    step = node_get(node, "instruction") == NULL
               ? INSTRUCTION_BYTES
               : read_number(reader, node, "instruction", 1);
    bytes = read_number(reader, node, "bytes", step);
    if (bytes - 1 > UINT64_MAX - ip) {
        schema_error(schema, DIAGNOSTIC_OUT_OF_RANGE, node_get(node, "bytes"),
            "it ends past the last address");
    }
    *function = (struct code_function){
        .ip = ip,
        .instructions = (uint32_t)count_instructions(reader, node, bytes, step),
        .share = (uint32_t)read_number(reader, node, "share", 1),
        .branch_to = read_number(reader, node, "branch_to", ip),
        .step = (uint8_t)step,
    };
}

/* ip and next_ip name one instruction. */
static void refuse_one_place(struct reader *reader, const struct node *node)
{
    static const char *const keys[] = {"ip", "next_ip"};
    const struct schema *schema = &reader->scope.schema;

    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        if (node_get(node, keys[i]) != NULL) {
            schema_error(schema, DIAGNOSTIC_CONFLICT, node_key(node, keys[i]),
                "functions say already where events come from");
            diagnostics_hint(schema->diagnostics, "leave one of them out");
        }
    }
}

const struct code *code_functions_read(
    struct reader *reader, const struct node *node)
{
    const struct schema *schema = &reader->scope.schema;
    const struct node *list = node_get(node, "functions");
    struct code_function *function;
    struct code *code;

    if (list == NULL || !schema_sequence(schema, list)) {
        return NULL;
    }
    refuse_one_place(reader, node);
    if (list->count > RUN_FUNCTIONS) {
        schema_error(schema, DIAGNOSTIC_LIMIT, list, "more than %d functions",
            RUN_FUNCTIONS);
        return NULL;
    }
    code = talloc_zero(reader->scenario, struct code);
    function = talloc_zero_array(
        reader->scenario, struct code_function, (unsigned)list->count);
    assert(code != NULL && function != NULL);
    *code = (struct code){.function = function, .count = list->count};
    for (size_t i = 0; i < list->count; i++) {
        read_function(reader, list->item[i], &function[i]);
        code->round += function[i].share;
    }
    return code;
}
