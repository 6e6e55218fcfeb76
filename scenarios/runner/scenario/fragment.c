/* fragment.c - finding a fragment without leaving the suite. */
#include "scenarios/runner/scenario/fragment.h"

#include <assert.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/scenario/suite_file.h"

static bool refuse(const struct schema *schema, const struct node *name,
    const char *what, const char *hint)
{
    schema_error(schema, DIAGNOSTIC_FRAGMENT, name, "%s", what);
    if (hint != NULL) {
        diagnostics_hint(schema->diagnostics, "%s", hint);
    }
    return false;
}

static void report_name(const struct schema *schema, const struct node *name,
    const struct node *fragments, const char *wanted)
{
    struct suggestion suggestion = suggest_for(wanted);

    schema_error(schema, DIAGNOSTIC_FRAGMENT, name,
        "the file has no fragment '%s'", wanted);
    for (size_t i = 0; i < fragments->count; i++) {
        suggest_offer(&suggestion, fragments->entry[i].key->text);
    }
    schema_suggest(schema, &suggestion);
}

static bool find_in_file(struct library *library, const struct schema *schema,
    const struct node *name, const char *root, struct fragment *fragment)
{
    const char *hash =
        name->kind == NODE_SCALAR ? strchr(name->text, '#') : NULL;
    struct suite_file file = {.name = name,
        .what = "fragment",
        .plural = "fragments",
        .code = DIAGNOSTIC_FRAGMENT};
    const struct node *tree, *fragments, *body;
    char *path;

    if (hash == NULL || hash == name->text || hash[1] == '\0') {
        return refuse(schema, name, "a fragment is named as file.yaml#name",
            "its path counts from the directory of this file");
    }
    if (library->no_files) {
        return refuse(schema, name, "a text that is no file has no fragments",
            "save it as a file");
    }
    file.length = (size_t)(hash - name->text);
    path = suite_file_path(schema, &file, root);
    if (path == NULL) {
        return false;
    }
    tree = library_tree(library, path);
    if (tree == NULL) {
        return refuse(schema, name, "the file has errors", NULL);
    }
    fragments = tree->kind == NODE_MAPPING ? node_get(tree, "fragments") : NULL;
    if (fragments == NULL || fragments->kind != NODE_MAPPING) {
        return refuse(schema, name, "the file holds no fragments",
            "its keys are ntpmu: 1 and fragments");
    }
    if (!library_check(library, tree, fragment_check_file)) {
        return refuse(schema, name, "the file has errors", NULL);
    }
    body = node_get(fragments, hash + 1);
    if (body == NULL) {
        report_name(schema, name, fragments, hash + 1);
        return false;
    }
    *fragment = (struct fragment){.key = node_key(fragments, hash + 1),
        .body = body,
        .params = node_get(body, "params"),
        .gives = node_get(body, "gives"),
        .steps = node_get(body, "steps")};
    return true;
}

bool fragment_find(struct library *library, const struct schema *schema,
    const struct node *name, const char *root, struct fragments_found *found,
    struct fragment *fragment)
{
    for (size_t i = 0; i < found->count; i++) {
        size_t k = (found->next + i) % found->count;

        if (found->item[k].name == name) {
            found->next = k + 1;
            *fragment = found->item[k].fragment;
            return true;
        }
    }
    if (!find_in_file(library, schema, name, root, fragment)) {
        return false;
    }
    found->item = talloc_realloc(
        found, found->item, struct fragment_found, (unsigned)found->count + 1);
    assert(found->item != NULL);
    found->item[found->count++] = (struct fragment_found){name, *fragment};
    return true;
}
