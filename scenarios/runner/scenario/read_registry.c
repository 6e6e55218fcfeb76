/* read_registry.c - registry: each key's path and values, as far as they can be
 * wrong before anything runs. */
#include "scenarios/runner/scenario/read_registry.h"

#include <assert.h>
#include <talloc.h>

#include "scenarios/runner/language/registry_data.h"
#include "scenarios/runner/language/scenario_limits.h"
#include "scenarios/runner/language/stored_path.h"
#include "scenarios/runner/scenario/reader.h"
#include "scenarios/runner/scenario/scenario.h"

static void read_value(struct reader *reader, const struct entry *entry)
{
    const struct schema *schema = &reader->scope.schema;
    struct registry_data data;

    if (schema_mapping(
            schema, entry->value, MAPPING_REGISTRY_VALUE, entry->key) &&
        schema_kind(schema, entry->value, MAPPING_REGISTRY_VALUE, false) !=
            NULL) {
        registry_data_read(
            &reader->scope, reader->scenario, entry->value, &data);
    }
}

static void read_values(struct reader *reader, const struct node *values)
{
    const struct schema *schema = &reader->scope.schema;

    if (values->kind != NODE_MAPPING) {
        schema_error(schema, DIAGNOSTIC_WRONG_TYPE, values,
            "expected the key's values, {Speed: {REG_DWORD: 5}}, or {}");
        return;
    }
    if (values->count > SCENARIO_STORED) {
        schema_error(schema, DIAGNOSTIC_LIMIT, values,
            "more than %d values of a key", SCENARIO_STORED);
        return;
    }
    for (size_t i = 0; i < values->count; i++) {
        const struct node *key = values->entry[i].key;

        for (size_t k = 0; k < i; k++) {
            if (stored_name_same(key->text, values->entry[k].key->text)) {
                schema_error(schema, DIAGNOSTIC_CONFLICT, key,
                    "'%s' is the value '%s', for case makes no difference",
                    key->text, values->entry[k].key->text);
            }
        }
        read_value(reader, &values->entry[i]);
    }
}

void read_registry(struct reader *reader)
{
    const struct schema *schema = &reader->scope.schema;
    const struct node *node = node_get(reader->scenario->root, "registry");
    struct stored_path *path;

    if (node == NULL) {
        return;
    }
    if (node->kind != NODE_MAPPING || node->count == 0) {
        schema_error(schema, DIAGNOSTIC_WRONG_TYPE, node,
            "expected {'\\Registry\\Machine\\Software\\Mill': {Speed: "
            "{REG_DWORD: 5}}}");
        return;
    }
    if (node->count > SCENARIO_STORED) {
        schema_error(schema, DIAGNOSTIC_LIMIT, node,
            "more than %d keys of the registry", SCENARIO_STORED);
        return;
    }
    path = talloc_zero_array(
        reader->scenario, struct stored_path, (unsigned)node->count);
    assert(path != NULL);
    for (size_t i = 0; i < node->count; i++) {
        const struct entry *entry = &node->entry[i];
        bool right = stored_path_of_key(schema, entry->key, &path[i]);

        for (size_t k = 0; right && k < i; k++) {
            if (stored_path_same(&path[i], &path[k])) {
                schema_error(schema, DIAGNOSTIC_CONFLICT, entry->key,
                    "'%s' is the key '%s', for case makes no difference",
                    entry->key->text, node->entry[k].key->text);
            }
        }
        read_values(reader, entry->value);
    }
    talloc_free(path);
}
