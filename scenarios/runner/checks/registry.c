/* registry.c - expect registry: keys after the step, and values of them. It
 * costs no time and counts nothing. */
#include "api/cm/registry.h"

#include <string.h>
#include <talloc.h>

#include "scenarios/runner/checks/checks.h"
#include "scenarios/runner/language/facts.h"
#include "scenarios/runner/language/match_accepts.h"
#include "scenarios/runner/language/registry_data.h"
#include "scenarios/runner/run/evaluate.h"
#include "scenarios/runner/scenario/check.h"
#include "scenarios/runner/scenario/check_kind.h"
#include "scenarios/runner/scenario/reader.h"
#include "scenarios/runner/scenario/scenario.h"
#include "scenarios/runner/scenario/stores.h"

/* How the data of a value are compared as a list or a number; NT_VOID: as a
 * whole, text for text. */
static enum nt_type compared_as(const struct node *node)
{
    const struct registry_type *type = registry_type_of(node);

    switch (type == NULL ? REGISTRY_BYTES : type->form) {
    case REGISTRY_BYTES:
        return NT_UCHAR;
    case REGISTRY_ULONG:
        return NT_ULONG;
    case REGISTRY_ULONG64:
        return NT_ULONG64;
    case REGISTRY_TEXT:
    case REGISTRY_TEXTS:
        break;
    }
    return NT_VOID;
}

static void read_value(struct reader *reader, const struct entry *entry)
{
    struct match match = {.scope = &reader->scope, .context = reader->scenario};
    const struct schema *schema = &reader->scope.schema;
    const struct node *node = entry->value;
    struct actual actual = {.count = 1};
    struct registry_data data;

    if (node_is_word(node, "none") ||
        !schema_mapping(schema, node, MAPPING_REGISTRY_LEFT, entry->key) ||
        schema_kind(schema, node, MAPPING_REGISTRY_LEFT, false) == NULL) {
        return;
    }
    actual.type = compared_as(node);
    actual.array = actual.type == NT_UCHAR;
    if (actual.type == NT_VOID) {
        registry_data_read(&reader->scope, reader->scenario, node, &data);
        return;
    }
    if (registry_data_type(&reader->scope, node, &data.type) &&
        !match_refuse_idle(&reader->scope, registry_data_node(node),
            match_domain_of(&reader->scope, actual.type, actual.array))) {
        match_values(&match, registry_data_node(node), &actual);
    }
}

static void read_registry(struct reader *reader, const struct step *step,
    const struct node *key, const struct node *value)
{
    const struct schema *schema = &reader->scope.schema;

    (void)step;
    (void)key;
    if (value->kind != NODE_MAPPING || value->count == 0) {
        schema_error(schema, DIAGNOSTIC_WRONG_TYPE, value,
            "expected {'\\Registry\\Machine\\Software\\Mill': {Speed: "
            "{REG_DWORD: 5}}}");
        return;
    }
    for (size_t i = 0; i < value->count; i++) {
        const struct node *values = value->entry[i].value;
        struct stored_path path;

        stored_path_of_key(schema, value->entry[i].key, &path);
        if (node_is_word(values, "none")) {
            continue;
        }
        if (values->kind != NODE_MAPPING) {
            schema_error(schema, DIAGNOSTIC_WRONG_TYPE, values,
                "expected values of the key, {Speed: {REG_DWORD: 5}}, {} where "
                "the key has to be there, or none");
            continue;
        }
        for (size_t k = 0; k < values->count; k++) {
            read_value(reader, &values->entry[k]);
        }
    }
}

/* The type is right: the data are compared. */
static void evaluate_data(const struct evaluation *evaluation,
    const struct node *node, const struct registry_data *data, const char *what)
{
    struct run *run = evaluation->run;
    struct actual actual = {.type = compared_as(node), .at = data->bytes};
    struct registry_data wanted;
    size_t element;

    if (actual.type == NT_VOID) {
        registry_data_read(&run->scope, run->context, node, &wanted);
        if (wanted.size != data->size ||
            memcmp(wanted.bytes, data->bytes, data->size) != 0) {
            evaluate_fail(evaluation, node, "%s: expected %s, actual %s", what,
                node_show(run->context, node),
                registry_data_show(run->context, data));
        }
        return;
    }
    element = nt_type_row(actual.type)->size;
    actual.array = actual.type == NT_UCHAR;
    actual.count = data->size / element;
    if (!actual.array && data->size != element) {
        evaluate_fail(evaluation, node, "%s: expected %zu bytes, actual %s",
            what, element, registry_data_show(run->context, data));
        return;
    }
    evaluate_values(evaluation, registry_data_node(node), &actual, what);
}

static void evaluate_value(const struct evaluation *evaluation,
    const struct registry_key *key, const struct entry *entry, const char *path)
{
    struct run *run = evaluation->run;
    struct facts *facts = run->scope.facts;
    const struct registry_value *value =
        facts_heard(facts) ? NULL : stores_find_value(key, entry->key->text);
    char *what = talloc_asprintf(
        run->context, "registry, %s, %s", path, entry->key->text);
    struct registry_data data = {0};
    uint32_t type;

    if (!facts_flag(facts, value != NULL)) {
        if (!node_is_word(entry->value, "none")) {
            evaluate_fail(evaluation, entry->value,
                "%s: expected %s, actual: there is no such value", what,
                node_show(run->context, entry->value));
        }
        return;
    }
    if (value != NULL) {
        data = (struct registry_data){value->type, value->data, value->size};
    }
    data.type = (uint32_t)facts_below(facts, data.type, UINT64_C(1) << 32);
    data.size = facts_count(facts, data.size);
    data.bytes = facts_bytes(facts, data.bytes, data.size);
    if (node_is_word(entry->value, "none") ||
        !registry_data_type(&run->scope, entry->value, &type) ||
        type != data.type) {
        evaluate_fail(evaluation, entry->value, "%s: expected %s, actual %s",
            what, node_show(run->context, entry->value),
            registry_data_show(run->context, &data));
        return;
    }
    evaluate_data(evaluation, entry->value, &data, what);
}

static void evaluate_key(
    const struct evaluation *evaluation, const struct entry *entry)
{
    struct run *run = evaluation->run;
    struct facts *facts = run->scope.facts;
    const struct node *values = entry->value;
    const struct registry_key *key = NULL;
    struct stored_path path;

    if (!facts_heard(facts)) {
        stored_path_of_key(NULL, entry->key, &path);
        key = stores_find_key(&run->session->kernel, &path);
    }
    if (!facts_flag(facts, key != NULL)) {
        if (!node_is_word(values, "none")) {
            evaluate_fail(evaluation, values,
                "registry, %s: there is no such key", entry->key->text);
        }
        return;
    }
    if (node_is_word(values, "none")) {
        evaluate_fail(evaluation, values,
            "registry, %s: expected none, actual: the key is there",
            entry->key->text);
        return;
    }
    for (size_t i = 0; i < values->count; i++) {
        evaluate_value(evaluation, key, &values->entry[i], entry->key->text);
    }
}

static void evaluate_registry(const struct evaluation *evaluation)
{
    const struct node *value = evaluation->check->value;

    evaluate_cites(evaluation);
    for (size_t i = 0; i < value->count; i++) {
        evaluate_key(evaluation, &value->entry[i]);
    }
}

const struct check_code check_registry = {
    .read = read_registry,
    .evaluate = evaluate_registry,
};
