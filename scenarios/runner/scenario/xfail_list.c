/* xfail_list.c - files for --xfail: instances, or all of a scenario, that are
 * expected not to pass. */
#include "scenarios/runner/scenario/xfail_list.h"

#include <string.h>

#include "scenarios/runner/scenario/read_names.h"

void xfail_list_check(const struct schema *schema, const struct node *root)
{
    const struct node *list = node_get(root, "xfail");
    const char *text;

    schema_mapping(schema, root, MAPPING_XFAIL_FILE, root);
    if (!schema_sequence(schema, list)) {
        return;
    }
    for (size_t i = 0; i < list->count; i++) {
        const struct node *entry = list->item[i];

        if (read_verdict_key(schema, entry, MAPPING_XFAIL_ENTRY)) {
            schema_text(schema, node_get(entry, "id"), &text);
        }
    }
}

static bool is_meant(const struct node *entry, const struct instance *instance)
{
    const char *id = node_get(entry, "id")->text;

    return strcmp(id, instance->id) == 0 ||
           strcmp(id, instance->outline->id) == 0;
}

static bool holds(struct library *library, const struct node *entry,
    const struct instance *instance)
{
    const struct node *when = node_get(entry, "when");
    const struct resolver resolver = {.context = library,
        .statics = &instance->statics,
        .schema = library->schema};
    bool value = true;

    return when == NULL ||
           (resolve_condition(&resolver, when, &value) && value);
}

static void apply(struct library *library, const struct node *entry,
    struct instances *instances)
{
    bool any = false;

    for (size_t i = 0; i < instances->count; i++) {
        struct instance *instance = &instances->item[i];

        if (!is_meant(entry, instance) || !holds(library, entry, instance)) {
            continue;
        }
        any = true;
        if (instance->xfail != NULL && instance->xfail != entry) {
            schema_error(&library->schema, DIAGNOSTIC_CONFLICT, entry,
                "%s is expected to fail already", instance->id);
        }
        instance->xfail = entry;
    }
    if (!any) {
        schema_error(&library->schema, DIAGNOSTIC_UNUSED, node_get(entry, "id"),
            "no instance is meant by this");
        diagnostics_hint(library->schema.diagnostics,
            "ntpmu list shows the ids; leave it out when it passes");
    }
}

bool xfail_list_apply(
    struct library *library, const char *path, struct instances *instances)
{
    size_t before = diagnostics_errors(library->schema.diagnostics);
    const struct node *root = library_tree(library, path);

    if (root == NULL) {
        return false;
    }
    if (root->kind != NODE_MAPPING || root->count == 0 ||
        node_get(root, "xfail") == NULL) {
        diagnostics_add_file(library->schema.diagnostics,
            DIAGNOSTIC_NOT_A_SCENARIO, path, "the file is no list for --xfail");
        diagnostics_hint(library->schema.diagnostics,
            "its keys are ntpmu: 1 and xfail: [{id: ..., reason: ..., issue: "
            "...}]");
        return false;
    }
    xfail_list_check(&library->schema, root);
    if (diagnostics_errors(library->schema.diagnostics) != before) {
        return false;
    }
    for (size_t i = 0; i < node_get(root, "xfail")->count; i++) {
        apply(library, node_get(root, "xfail")->item[i], instances);
    }
    return diagnostics_errors(library->schema.diagnostics) == before;
}
