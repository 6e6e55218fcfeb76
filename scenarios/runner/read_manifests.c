/* read_manifests.c - manifests: what describes the counter sets. */
#include <assert.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/manifests.h"
#include "scenarios/runner/reader.h"

static void read_one(struct reader *reader, const struct node *name)
{
    struct scenario *scenario = reader->scenario;
    const struct manifest *manifest;
    const char *text;

    if (!schema_text(&reader->scope.schema, name, &text)) {
        return;
    }
    for (size_t i = 0; i < scenario->manifest_count; i++) {
        if (strcmp(scenario->manifest[i].name->text, text) == 0) {
            schema_error(&reader->scope.schema, DIAGNOSTIC_CONFLICT, name,
                "manifest '%s' stands twice", text);
            return;
        }
    }
    manifest = manifests_find(reader->outline->library, &reader->scope.schema,
        name, reader->outline->suite);
    if (manifest == NULL) {
        reader->manifests_broken = true;
        return;
    }
    scenario->manifest[scenario->manifest_count++] =
        (struct scenario_manifest){.name = name, .manifest = manifest};
}

void read_manifests(struct reader *reader)
{
    const struct node *node = node_get(reader->scenario->root, "manifests");

    if (node == NULL || !schema_sequence(&reader->scope.schema, node)) {
        return;
    }
    if (node->count > SCENARIO_MANIFESTS) {
        schema_error(&reader->scope.schema, DIAGNOSTIC_LIMIT, node,
            "more than %d manifests", SCENARIO_MANIFESTS);
        return;
    }
    reader->scenario->manifest = talloc_zero_array(
        reader->scenario, struct scenario_manifest, (unsigned)node->count);
    assert(reader->scenario->manifest != NULL);
    for (size_t i = 0; i < node->count; i++) {
        read_one(reader, node->item[i]);
    }
}
