/* fragment.c - finding a fragment without leaving the suite. */
#include "scenarios/runner/fragment.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <talloc.h>

#include "scenarios/runner/scope.h"
#include "scenarios/runner/type_name.h"

static bool refuse(const struct schema *schema, const struct node *name,
    const char *what, const char *hint)
{
    schema_error(schema, DIAGNOSTIC_FRAGMENT, name, "%s", what);
    if (hint != NULL) {
        diagnostics_hint(schema->diagnostics, "%s", hint);
    }
    return false;
}

/* Whether the resolved path lies below the directory. */
static bool is_below(const char *path, const char *root)
{
    size_t length = strlen(root);

    return strncmp(path, root, length) == 0 &&
           (path[length] == '/' || strcmp(root, "/") == 0);
}

/* Beside the file that names it. */
static char *path_of(const struct node *name, size_t length)
{
    const char *own = name->source->path;
    const char *slash = strrchr(own, '/');
    int directory = slash == NULL ? 0 : (int)(slash - own) + 1;

    return talloc_asprintf(
        name->source, "%.*s%.*s", directory, own, (int)length, name->text);
}

static bool check_path(const struct schema *schema, const struct node *name,
    const char *path, const char *root)
{
    char *resolved = realpath(path, NULL);
    struct stat status;
    bool inside;

    if (resolved == NULL || stat(resolved, &status) != 0) {
        free(resolved);
        schema_error(
            schema, DIAGNOSTIC_FRAGMENT, name, "there is no file '%s'", path);
        diagnostics_hint(schema->diagnostics,
            "its path counts from the directory of this file");
        return false;
    }
    inside = is_below(resolved, root);
    free(resolved);
    if (!inside) {
        return refuse(schema, name, "this file is not in the suite",
            "a suite is the directory of this file, or what a defaults.yaml "
            "with root: true names");
    }
    if (!S_ISREG(status.st_mode)) {
        return refuse(schema, name, "this is no regular file", NULL);
    }
    return true;
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

bool fragment_find(struct library *library, const struct schema *schema,
    const struct node *name, const char *root, struct fragment *fragment)
{
    const char *hash =
        name->kind == NODE_SCALAR ? strchr(name->text, '#') : NULL;
    const struct node *tree, *fragments, *body;
    char *path;

    if (hash == NULL || hash == name->text || hash[1] == '\0') {
        return refuse(schema, name, "a fragment is named as file.yaml#name",
            "its path counts from the directory of this file");
    }
    if (name->text[0] == '/' || strstr(name->text, "..") != NULL) {
        return refuse(schema, name,
            "a fragment's path has no leading / and no ..",
            "keep fragments below the scenarios that use them");
    }
    path = path_of(name, (size_t)(hash - name->text));
    if (library->no_files || !check_path(schema, name, path, root)) {
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
    if (library_check_once(library, tree)) {
        fragment_check_file(&library->schema, tree);
    }
    body = node_get(fragments, hash + 1);
    if (body == NULL) {
        report_name(schema, name, fragments, hash + 1);
        return false;
    }
    *fragment =
        (struct fragment){.key = node_key(fragments, hash + 1), .body = body};
    if (body->kind != NODE_MAPPING) {
        return refuse(schema, name, "the fragment has errors", NULL);
    }
    fragment->params = node_get(body, "params");
    fragment->gives = node_get(body, "gives");
    fragment->steps = node_get(body, "steps");
    return fragment->steps != NULL ||
           refuse(schema, name, "the fragment has no steps", NULL);
}

static void check_param(const struct schema *schema, const struct entry *entry)
{
    enum nt_type type;

    if (!scope_is_variable_name(entry->key->text)) {
        schema_error(schema, DIAGNOSTIC_UNKNOWN_NAME, entry->key,
            "'%s' is not a parameter's name", entry->key->text);
        diagnostics_hint(schema->diagnostics,
            "a lower-case letter, then letters, digits and _");
    }
    if (schema_mapping(schema, entry->value, MAPPING_PARAM, entry->key) &&
        node_get(entry->value, "type") != NULL) {
        read_type(schema, node_get(entry->value, "type"), &type);
    }
}

static void check_gives(const struct schema *schema, const struct node *gives)
{
    for (size_t i = 0; i < gives->count; i++) {
        if (gives->item[i]->kind != NODE_SCALAR ||
            !scope_is_variable_name(gives->item[i]->text)) {
            schema_error(schema, DIAGNOSTIC_UNKNOWN_NAME, gives->item[i],
                "expected the name of a variable that the steps set");
        }
    }
}

static void check_fragment(
    const struct schema *schema, const struct entry *entry)
{
    const struct node *params, *gives;
    const char *text;

    if (!schema_mapping(schema, entry->value, MAPPING_FRAGMENT, entry->key)) {
        return;
    }
    if (node_get(entry->value, "title") != NULL) {
        schema_text(schema, node_get(entry->value, "title"), &text);
    }
    params = node_get(entry->value, "params");
    gives = node_get(entry->value, "gives");
    if (params != NULL &&
        (params->kind != NODE_MAPPING || params->count == 0)) {
        schema_error(schema, DIAGNOSTIC_WRONG_TYPE, params,
            "expected {name: {type: ULONG}}");
    }
    for (size_t i = 0;
         params != NULL && params->kind == NODE_MAPPING && i < params->count;
         i++) {
        check_param(schema, &params->entry[i]);
    }
    if (gives != NULL && schema_sequence(schema, gives)) {
        check_gives(schema, gives);
    }
    if (node_get(entry->value, "steps") != NULL) {
        schema_sequence(schema, node_get(entry->value, "steps"));
    }
}

void fragment_check_file(const struct schema *schema, const struct node *root)
{
    const struct node *fragments = node_get(root, "fragments");

    schema_mapping(schema, root, MAPPING_FRAGMENTS_FILE, root->entry[0].key);
    if (fragments->kind != NODE_MAPPING || fragments->count == 0) {
        schema_error(schema, DIAGNOSTIC_WRONG_TYPE, fragments,
            "expected {name: {title: ..., steps: [...]}}");
        return;
    }
    for (size_t i = 0; i < fragments->count; i++) {
        check_fragment(schema, &fragments->entry[i]);
    }
}
