/* scenario_file.c - one file of the language, from its text to what it holds: a
 * scenario, requirements, fragments, defaults, expected failures. */
#include "scenarios/runner/scenario/scenario_file.h"

#include <assert.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/library/fragment.h"
#include "scenarios/runner/scenario/xfail_list.h"

/* The key that a file of each kind has; a scenario has none of them but, as
 * one of its keys, xfail. */
static enum file_kind kind_of(const struct node *root)
{
    static const struct {
        const char *key;
        enum file_kind kind;
    } rows[] = {
        {"requirements", FILE_REQUIREMENTS},
        {"fragments", FILE_FRAGMENTS},
        {"defaults", FILE_DEFAULTS},
    };

    if (root->kind != NODE_MAPPING || root->count == 0 ||
        strcmp(root->entry[0].key->text, "ntpmu") != 0) {
        return FILE_OTHER;
    }
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (node_get(root, rows[i].key) != NULL) {
            return rows[i].kind;
        }
    }
    return node_get(root, "xfail") != NULL &&
                   node_get(root, "xfail")->kind == NODE_SEQUENCE
               ? FILE_XFAIL
               : FILE_SCENARIO;
}

/* Defaults hold for a directory under one name only. */
static void check_defaults(struct library *library, const struct node *root)
{
    const char *path = root->source->path;
    const char *slash = strrchr(path, '/');

    if (strcmp(slash == NULL ? path : slash + 1, "defaults.yaml") != 0) {
        schema_error(&library->schema, DIAGNOSTIC_NO_EFFECT,
            node_key(root, "defaults"), "nobody reads these defaults");
        diagnostics_hint(
            library->schema.diagnostics, "name the file defaults.yaml");
    } else {
        library_check(library, root, library_check_defaults);
    }
}

static void check_other(
    struct library *library, const struct node *root, enum file_kind kind)
{
    switch (kind) {
    case FILE_REQUIREMENTS:
        requirements_check(library->requirements, &library->schema, root);
        break;
    case FILE_FRAGMENTS:
        library_check(library, root, fragment_check_file);
        break;
    case FILE_DEFAULTS:
        check_defaults(library, root);
        break;
    case FILE_XFAIL:
        xfail_list_check(&library->schema, root);
        break;
    case FILE_SCENARIO:
    case FILE_OTHER:
    case FILE_BROKEN:
        break;
    }
}

static enum file_kind check_tree(void *context, struct library *library,
    const struct node *root, size_t errors_before, struct outline **outline)
{
    struct outline *made = NULL;
    enum file_kind kind;

    *outline = NULL;
    if (root == NULL) {
        return diagnostics_errors(library->schema.diagnostics) == errors_before
                   ? FILE_OTHER /* an empty file */
                   : FILE_BROKEN;
    }
    if (diagnostics_errors(library->schema.diagnostics) != errors_before) {
        return FILE_BROKEN; /* what it means depends on what was refused */
    }
    kind = kind_of(root);
    check_other(library, root, kind);
    if (kind == FILE_SCENARIO) {
        made = outline_read(context, library, root);
    }
    if (diagnostics_errors(library->schema.diagnostics) != errors_before ||
        (made != NULL && made->broken)) {
        return FILE_BROKEN;
    }
    *outline = made;
    return kind;
}

enum file_kind scenario_file_check(void *context, struct source *source,
    struct library *library, struct outline **outline)
{
    size_t before = diagnostics_errors(library->schema.diagnostics);
    const struct node *root =
        yaml_tree_read(library, source, library->schema.diagnostics);

    return check_tree(context, library, root, before, outline);
}

enum file_kind scenario_file_read(void *context, const char *path,
    struct library *library, struct outline **outline)
{
    size_t before = diagnostics_errors(library->schema.diagnostics);
    const struct node *root = library_tree(library, path);

    return check_tree(context, library, root, before, outline);
}
