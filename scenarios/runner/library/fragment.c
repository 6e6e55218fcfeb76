/* fragment.c - fragments, steps of other files: found by "path#name" without
 * leaving the suite, and what can be said of one before anybody uses it. */
#include "scenarios/runner/library/fragment.h"

#include <assert.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/language/scope.h"
#include "scenarios/runner/language/type_name.h"
#include "scenarios/runner/library/suite_file.h"

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

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9') || c == '_';
}

/* Whether an expression has the name, not as a part of another. */
static bool expression_names(const char *text, const char *name)
{
    size_t length = strlen(name);
    bool quoted = false;

    for (const char *at = text; *at != '\0'; at++) {
        bool begins = at == text || (!is_word(at[-1]) && at[-1] != '.');

        quoted ^= *at == '\'';
        if (!quoted && begins && strncmp(at, name, length) == 0 &&
            !is_word(at[length])) {
            return true;
        }
    }
    return false;
}

/* Whether the name stands anywhere below, as $name or inside of $( ). */
static bool tree_names(const struct node *node, const char *name)
{
    if (node->kind == NODE_SCALAR) {
        return node_is_computed(node) && expression_names(node->text + 1, name);
    }
    for (size_t i = 0; i < node->count; i++) {
        if (tree_names(node->kind == NODE_SEQUENCE ? node->item[i]
                                                   : node->entry[i].value,
                name)) {
            return true;
        }
    }
    return false;
}

/* Whether a step below saves something under the name. */
static bool tree_saves(const struct node *node, const char *name)
{
    for (size_t i = 0; node->kind != NODE_SCALAR && i < node->count; i++) {
        const struct node *below =
            node->kind == NODE_SEQUENCE ? node->item[i] : node->entry[i].value;

        if (node->kind == NODE_MAPPING && below->kind == NODE_MAPPING &&
            strcmp(node->entry[i].key->text, "save") == 0 &&
            node_get(below, name) != NULL) {
            return true;
        }
        if (tree_saves(below, name)) {
            return true;
        }
    }
    return false;
}

static void check_gives(const struct schema *schema, const struct node *gives,
    const struct node *steps)
{
    for (size_t i = 0; i < gives->count; i++) {
        const struct node *name = gives->item[i];

        if (name->kind != NODE_SCALAR ||
            (steps != NULL && !tree_saves(steps, name->text))) {
            schema_error(schema, DIAGNOSTIC_UNKNOWN_NAME, name,
                "no step sets '%s'",
                name->kind == NODE_SCALAR ? name->text : "this");
            diagnostics_hint(
                schema->diagnostics, "a step does with save: {name: result}");
        }
    }
}

/* Their keys; what those mean is seen where the fragment is used. */
static void check_steps(const struct schema *schema, const struct node *steps)
{
    if (!schema_sequence(schema, steps)) {
        return;
    }
    for (size_t i = 0; i < steps->count; i++) {
        schema_mapping(schema, steps->item[i], MAPPING_STEP, steps->item[i]);
    }
}

static void check_param(const struct schema *schema, const struct entry *entry,
    const struct node *steps)
{
    const struct node *value;
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
    value = entry->value->kind == NODE_MAPPING
                ? node_get(entry->value, "default")
                : NULL;
    if (value != NULL && node_is_computed(value)) {
        schema_error(
            schema, DIAGNOSTIC_WRONG_TYPE, value, "a default is written out");
    }
    if (steps != NULL && !tree_names(steps, entry->key->text)) {
        schema_error(schema, DIAGNOSTIC_UNUSED, entry->key,
            "parameter '%s' is never used", entry->key->text);
        diagnostics_hint(schema->diagnostics, "use it or leave it out");
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
        check_param(schema, &params->entry[i], node_get(entry->value, "steps"));
    }
    if (gives != NULL && schema_sequence(schema, gives)) {
        check_gives(schema, gives, node_get(entry->value, "steps"));
    }
    if (node_get(entry->value, "steps") != NULL) {
        check_steps(schema, node_get(entry->value, "steps"));
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
