/* read_manifests.c - manifests: what describes the counter sets. */
#include <assert.h>
#include <string.h>
#include <talloc.h>

#include "api/ctrpp/guid_text.h"
#include "scenarios/runner/counters/counter_names.h"
#include "scenarios/runner/counters/manifests.h"
#include "scenarios/runner/language/scenario_limits.h"
#include "scenarios/runner/scenario/read_manifests.h"
#include "scenarios/runner/scenario/reader.h"
#include "scenarios/runner/scenario/scenario.h"

/* Says what the sets of two manifests share: of a set that both describe the
 * first one's would count, silently. Returns whether it is nothing. */
static bool are_sets_apart(struct reader *reader,
    const struct named_manifest *one, const struct manifest_set *one_set,
    const struct named_manifest *other, const struct manifest_set *set)
{
    struct code_out guid;

    switch (counter_names_share(set, one_set)) {
    case COUNTER_NAMES_APART:
        return true;
    case COUNTER_NAMES_SHARE_NAME:
        schema_error(&reader->scope.schema, DIAGNOSTIC_CONFLICT, other->name,
            "counter set '%s' is in '%s', too", counter_names_call(set),
            one->name->text);
        diagnostics_hint(reader->scope.schema.diagnostics,
            "leave one of the two manifests out");
        return false;
    case COUNTER_NAMES_SHARE_GUID:
        break;
    }
    guid = code_out_new(NULL);
    guid_add(&guid, &set->guid);
    schema_error(&reader->scope.schema, DIAGNOSTIC_CONFLICT, other->name,
        "counter set '%s' has the guid of '%s' in '%s', %s",
        counter_names_call(set), counter_names_call(one_set), one->name->text,
        guid.text);
    diagnostics_hint(reader->scope.schema.diagnostics,
        "give one of the two sets a new guid");
    talloc_free(guid.text);
    return false;
}

static void check_apart(struct reader *reader, const struct named_manifest *one,
    struct named_manifest *other)
{
    for (size_t i = 0; i < other->manifest->set_count; i++) {
        for (size_t k = 0; k < one->manifest->set_count; k++) {
            if (!are_sets_apart(reader, one, &one->manifest->set[k], other,
                    &other->manifest->set[i])) {
                other->used = true; /* that it is not would be no news */
            }
        }
    }
}

static void read_one(struct reader *reader, const struct node *name)
{
    struct scenario *scenario = reader->scenario;
    struct named_manifest *made =
        &scenario->manifests.item[scenario->manifests.count];
    struct library_manifest found;
    const char *text;

    if (!schema_text(&reader->scope.schema, name, &text)) {
        return;
    }
    if (!manifests_find(reader->outline->library, &reader->scope.schema, name,
            reader->outline->suite, &found)) {
        scenario->manifests.broken = true;
        return;
    }
    *made = (struct named_manifest){
        .name = name, .path = found.path, .manifest = found.manifest};
    for (size_t i = 0; i < scenario->manifests.count; i++) {
        if (strcmp(scenario->manifests.item[i].path, made->path) == 0) {
            schema_error(&reader->scope.schema, DIAGNOSTIC_CONFLICT, name,
                "manifest '%s' stands twice", text);
            return;
        }
    }
    for (size_t i = 0; i < scenario->manifests.count; i++) {
        check_apart(reader, &scenario->manifests.item[i], made);
    }
    scenario->manifests.count++;
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
    reader->scenario->manifests.item = talloc_zero_array(
        reader->scenario, struct named_manifest, (unsigned)node->count);
    assert(reader->scenario->manifests.item != NULL);
    for (size_t i = 0; i < node->count; i++) {
        read_one(reader, node->item[i]);
    }
}
