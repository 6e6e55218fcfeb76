/* asked.c - what a consumer asks of a counter set, read: set, instance, id,
 * counters (PCW-CON-01). */
#include "scenarios/runner/steps/asked.h"

#include <string.h>
#include <talloc.h>

#include "scenarios/runner/counters/counter_scope.h"
#include "scenarios/runner/language/value.h"
#include "scenarios/runner/language/value_inner.h"
#include "scenarios/runner/scenario/reader.h"
#include "scenarios/runner/text/wide_text.h"

enum { MASK_BITS = 64 }; /* PCW-TYPE-06a */

static void report_set(struct reader *reader, const struct node *node)
{
    const struct named_manifests *manifests = &reader->scenario->manifests;
    struct suggestion suggestion = suggest_for(node->text);

    schema_error(&reader->scope.schema, DIAGNOSTIC_UNKNOWN_NAME, node,
        "no manifest of the scenario has a counter set '%s'", node->text);
    for (size_t i = 0; i < manifests->count; i++) {
        const struct manifest *manifest = manifests->item[i].manifest;

        for (size_t k = 0; k < manifest->set_count; k++) {
            suggest_offer(&suggestion, manifest->set[k].name);
        }
    }
    schema_suggest(&reader->scope.schema, &suggestion);
}

/* A text that fits the kernel's; false after reporting anything else. */
static bool read_counted_text(
    struct reader *reader, const struct node *node, const char **text)
{
    const struct schema *schema = &reader->scope.schema;
    struct pcw_text wide;
    size_t bytes;

    if (!schema_text(schema, node, text)) {
        return false;
    }
    wide = wide_text(reader->scenario, *text);
    bytes = wide.length * sizeof(*wide.at);
    talloc_free((void *)(uintptr_t)wide.at);
    if (bytes > VALUE_TEXT_BYTES) {
        schema_error(schema, DIAGNOSTIC_LIMIT, node,
            "a counted text has at most %d bytes, and this has %zu",
            VALUE_TEXT_BYTES, bytes);
    }
    return bytes <= VALUE_TEXT_BYTES;
}

static void read_set(
    struct reader *reader, const struct node *node, struct asked *asked)
{
    const struct named_manifests *manifests = &reader->scenario->manifests;

    if (!read_counted_text(reader, node, &asked->set)) {
        return;
    }
    asked->manifest = counter_names_set(manifests, asked->set);
    if (asked->manifest != NULL && asked->manifest->name != NULL) {
        asked->set = asked->manifest->name;
    } else if (manifests->count > 0 && !manifests->broken) {
        report_set(reader, node);
    }
}

static void read_one_counter(
    struct reader *reader, const struct node *node, struct asked *asked)
{
    const struct schema *schema = &reader->scope.schema;
    const struct collection collection = {.asked = asked};
    const struct counter_scope scope = {schema, &reader->scenario->manifests,
        &reader->scenario->rulings, &collection};
    uint32_t id;

    if (node->kind != NODE_SCALAR ||
        !counter_names_find(asked->manifest, node->text, &id)) {
        counter_scope_report(&scope, node,
            node->kind == NODE_SCALAR ? node->text
                                      : node_show(reader->scenario, node));
        return;
    }
    if (id >= MASK_BITS) {
        schema_error(schema, DIAGNOSTIC_IMPOSSIBLE, node,
            "no mask has a bit for counter %u", (unsigned)id);
        diagnostics_hint(schema->diagnostics,
            "counters: all asks for those from 64 on, too (PCW-TYPE-06b)");
        return;
    }
    if ((asked->counters & (UINT64_C(1) << id)) != 0) {
        schema_error(schema, DIAGNOSTIC_CONFLICT, node,
            "counter '%s' stands twice", node->text);
    }
    asked->counters |= UINT64_C(1) << id;
}

static void read_counters(
    struct reader *reader, const struct node *node, struct asked *asked)
{
    size_t before = diagnostics_errors(reader->scope.schema.diagnostics);

    asked->counters = UINT64_MAX;
    if (node == NULL || node_is_word(node, "all")) {
        return;
    }
    if (!schema_sequence(&reader->scope.schema, node)) {
        diagnostics_hint(reader->scope.schema.diagnostics,
            "names or ids of counters, or all");
        return;
    }
    asked->counters = 0;
    for (size_t i = 0; i < node->count; i++) {
        read_one_counter(reader, node->item[i], asked);
    }
    if (diagnostics_errors(reader->scope.schema.diagnostics) != before) {
        asked->counters = UINT64_MAX; /* nobody knows what else was meant */
    }
}

/* NULL after reporting what is no id. */
static const struct node *read_id(
    struct reader *reader, const struct node *node)
{
    uint64_t number;

    if (value_scalar(&reader->scope, node, NT_ULONG, &number)) {
        return node;
    }
    if (node->kind == NODE_SCALAR && !node_is_computed(node) &&
        strchr("0123456789", node->text[0]) == NULL) {
        diagnostics_hint(reader->scope.schema.diagnostics,
            "the number of an instance, or any");
    }
    return NULL;
}

void asked_read(
    struct reader *reader, const struct node *node, struct asked *asked)
{
    const struct schema *schema = &reader->scope.schema;
    const struct node *id = node_get(node, "id");
    const struct node *instance = node_get(node, "instance");
    const struct node *multiple = node_get(node, "multiple");

    *asked = (struct asked){.instance = "*", .set = ""};
    if (node_get(node, "counterset") != NULL) {
        read_set(reader, node_get(node, "counterset"), asked);
    }
    if (instance != NULL && instance->kind == NODE_SCALAR &&
        instance->text[0] == '\0') {
        asked->instance = ""; /* of an instance without a name (PCW-CON-01) */
    } else if (instance != NULL) {
        read_counted_text(reader, instance, &asked->instance);
    }
    if (id != NULL && !node_is_word(id, "any")) {
        asked->id = read_id(reader, id);
    }
    read_counters(reader, node_get(node, "counters"), asked);
    /* PCW-TYPE-07: of what its manifest calls a set of one instance the
     * consumer takes one [C]. */
    asked->multiple = asked->manifest == NULL ||
                      asked->manifest->instances != MANIFEST_SINGLE;
    if (multiple != NULL) {
        schema_bool(schema, multiple, &asked->multiple);
    }
}
