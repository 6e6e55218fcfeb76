/* read_rulings.c - rulings: {ID: value}, what a scenario flips of
 * api/nt/rulings.def. */
#include "scenarios/runner/scenario/read_rulings.h"
#include "scenarios/runner/language/duration.h"

#include <inttypes.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/scenario/reader.h"
#include "scenarios/runner/yaml/plain_word.h"

/* Why an id has no switch: it is none, or what it says is not ours to flip. */
static void refuse_id(struct reader *reader, const struct node *key)
{
    const struct schema *schema = &reader->scope.schema;
    const struct requirement *requirement =
        requirements_find(reader->requirements, key->text);
    struct suggestion suggestion = suggest_for(key->text);

    if (requirement == NULL) {
        schema_error(schema, DIAGNOSTIC_REQUIREMENT, key, "no requirement '%s'",
            key->text);
        for (size_t i = 0; i < RULING_COUNT; i++) {
            suggest_offer(&suggestion, ruling_rows[i].id);
        }
        schema_suggest(schema, &suggestion);
        return;
    }
    if (requirement->tag != 'C') {
        schema_error(schema, DIAGNOSTIC_REQUIREMENT, key,
            "'%s' is [%c], no ruling of ours", key->text, requirement->tag);
        diagnostics_hint(schema->diagnostics,
            "only [C] rulings can be flipped: api/nt/rulings.def");
        return;
    }
    schema_error(schema, DIAGNOSTIC_REQUIREMENT, key,
        "ruling '%s' has no switch: there is no other value", key->text);
    diagnostics_hint(
        schema->diagnostics, "those that have one are in api/nt/rulings.def");
}

/* The ruling's values are side by side, the default first. */
static bool is_value_of(enum ruling ruling, size_t n)
{
    return n < RULED_COUNT && ruled_rows[n].ruling == ruling;
}

/* Stands in the table for every number. */
static bool is_number(size_t n)
{
    return strcmp(ruled_rows[n].name, "number") == 0;
}

/* Says what the ruling may be flipped to. */
static void suggest_values(
    struct reader *reader, enum ruling ruling, const char *wrong)
{
    const struct ruling_number *range = &ruling_numbers[ruling];
    struct suggestion suggestion = suggest_for(wrong);

    for (size_t n = ruling_rows[ruling].usual; is_value_of(ruling, n); n++) {
        if (is_number(n)) {
            suggest_offer(&suggestion,
                talloc_asprintf(reader->scenario,
                    "a number%s from %" PRIu64 " to %" PRIu64 "%s",
                    range->is_time ? " of microseconds" : "", range->low,
                    range->high, range->is_time ? " or a time, 10us" : ""));
        } else if (n != ruling_rows[ruling].usual &&
                   ruled_rows[n].why == NULL) {
            suggest_offer(&suggestion, ruled_rows[n].name);
        }
    }
    schema_suggest(&reader->scope.schema, &suggestion);
}

static void refuse_value(
    struct reader *reader, enum ruling ruling, const struct node *node)
{
    const struct schema *schema = &reader->scope.schema;

    schema_error(schema, DIAGNOSTIC_UNKNOWN_NAME, node,
        "ruling '%s' has no value '%s'", ruling_rows[ruling].id,
        node_show(reader->scenario, node));
    suggest_values(reader, ruling, node->kind == NODE_SCALAR ? node->text : "");
}

static void refuse_default(
    struct reader *reader, enum ruling ruling, const struct node *node)
{
    schema_error(&reader->scope.schema, DIAGNOSTIC_NO_EFFECT, node,
        "'%s' is what holds without this", node->text);
    suggest_values(reader, ruling, "");
}

static void read_number(struct reader *reader, enum ruling ruling,
    enum ruled value, const struct node *node)
{
    const struct ruling_number *range = &ruling_numbers[ruling];
    struct rulings *rulings = &reader->scenario->rulings;
    uint64_t number;

    if (range->is_time ? !duration_read(&reader->scope.schema, node, 1,
                             range->low, range->high, &number)
                       : !schema_number(&reader->scope.schema, node, range->low,
                             range->high, &number)) {
        return;
    }
    if (number == range->usual) {
        refuse_default(reader, ruling, node);
        return;
    }
    rulings->value[ruling] = (uint16_t)value;
    rulings->number[ruling] = number;
}

static void read_word(
    struct reader *reader, enum ruled value, const struct node *node)
{
    enum ruling ruling = ruled_rows[value].ruling;

    if (value == ruling_rows[ruling].usual) {
        refuse_default(reader, ruling, node);
    } else if (ruled_rows[value].why != NULL) {
        schema_error(&reader->scope.schema, DIAGNOSTIC_NOT_MODELLED, node,
            "ruling '%s' cannot be '%s': %s", ruling_rows[ruling].id,
            node->text, ruled_rows[value].why);
    } else {
        reader->scenario->rulings.value[ruling] = (uint16_t)value;
    }
}

static void read_value(
    struct reader *reader, enum ruling ruling, const struct node *node)
{
    uint64_t number;
    bool numeric = node->kind == NODE_SCALAR &&
                   (plain_word_number(node->text, &number) ||
                       duration_is(node) || duration_is_meant(node));

    for (size_t n = ruling_rows[ruling].usual; is_value_of(ruling, n); n++) {
        if (is_number(n) && numeric) {
            read_number(reader, ruling, (enum ruled)n, node);
            return;
        }
        if (!is_number(n) && node_is_word(node, ruled_rows[n].name)) {
            read_word(reader, (enum ruled)n, node);
            return;
        }
    }
    refuse_value(reader, ruling, node);
}

static const char *const state_words[] = {
    [RULING_FIXED] = "fixed",
    [RULING_NOT_MODELLED] = "not modelled",
    [RULING_OF_CTRPP] = "not a machine's",
};

static void read_ruling(struct reader *reader, const struct entry *entry)
{
    enum ruling ruling;

    if (!ruling_find(entry->key->text, &ruling)) {
        refuse_id(reader, entry->key);
        return;
    }
    if (ruling_rows[ruling].why != NULL) {
        schema_error(&reader->scope.schema, DIAGNOSTIC_NOT_MODELLED, entry->key,
            "ruling '%s' is %s: %s", ruling_rows[ruling].id,
            state_words[ruling_rows[ruling].state], ruling_rows[ruling].why);
        return;
    }
    read_value(reader, ruling, entry->value);
}

void read_rulings(struct reader *reader)
{
    const struct schema *schema = &reader->scope.schema;
    const struct node *node = node_get(reader->scenario->root, "rulings");

    reader->scenario->rulings = rulings_default();
    if (node == NULL) {
        return;
    }
    if (node->kind != NODE_MAPPING || node->count == 0) {
        schema_error(schema, DIAGNOSTIC_WRONG_TYPE, node,
            "expected what is flipped, {HAL-ALLOC-37a: insufficient}");
        return;
    }
    for (size_t i = 0; i < node->count; i++) {
        read_ruling(reader, &node->entry[i]);
    }
}
