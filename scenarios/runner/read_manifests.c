/* read_manifests.c - manifests: what describes the counter sets. */
#include <assert.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/counter_names.h"
#include "scenarios/runner/manifests.h"
#include "scenarios/runner/reader.h"

/* A set that two manifests describe would be the first one's, silently. */
static void check_apart(struct reader *reader,
    const struct scenario_manifest *one, struct scenario_manifest *other)
{
    for (size_t i = 0; i < other->manifest->set_count; i++) {
        const struct manifest_set *set = &other->manifest->set[i];

        for (size_t k = 0; k < one->manifest->set_count; k++) {
            if (counter_names_is_same(set, &one->manifest->set[k])) {
                schema_error(&reader->scope.schema, DIAGNOSTIC_CONFLICT,
                    other->name, "counter set '%s' is in '%s', too",
                    set->name == NULL ? set->symbol : set->name,
                    one->name->text);
                diagnostics_hint(reader->scope.schema.diagnostics,
                    "leave one of the two manifests out");
                other->used = true; /* that it is not would be no news */
            }
        }
    }
}

static void read_one(struct reader *reader, const struct node *name)
{
    struct scenario *scenario = reader->scenario;
    struct scenario_manifest *made =
        &scenario->manifest[scenario->manifest_count];
    struct library_manifest found;
    const char *text;

    if (!schema_text(&reader->scope.schema, name, &text)) {
        return;
    }
    if (!manifests_find(reader->outline->library, &reader->scope.schema, name,
            reader->outline->suite, &found)) {
        reader->manifests_broken = true;
        return;
    }
    *made = (struct scenario_manifest){
        .name = name, .path = found.path, .manifest = found.manifest};
    for (size_t i = 0; i < scenario->manifest_count; i++) {
        if (strcmp(scenario->manifest[i].path, made->path) == 0) {
            schema_error(&reader->scope.schema, DIAGNOSTIC_CONFLICT, name,
                "manifest '%s' stands twice", text);
            return;
        }
    }
    for (size_t i = 0; i < scenario->manifest_count; i++) {
        check_apart(reader, &scenario->manifest[i], made);
    }
    scenario->manifest_count++;
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
