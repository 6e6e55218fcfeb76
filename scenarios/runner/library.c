/* library.c - files by their resolved path. */
#include "scenarios/runner/library.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <talloc.h>
#include <unistd.h>

struct library_file {
    const char *path; /* resolved */
    const struct node *root;
    bool checked; /* as a file of fragments or defaults */
};

struct library *library_new(void *context,
    const struct requirements *requirements, struct diagnostics *diagnostics)
{
    struct library *library = talloc_zero(context, struct library);

    assert(library != NULL);
    library->schema.diagnostics = diagnostics;
    library->requirements = requirements;
    return library;
}

const struct node *library_scalar(
    struct library *library, const char *what, const char *text)
{
    struct node *node = talloc_zero(library, struct node);
    size_t length = strlen(text);

    assert(node != NULL);
    node->kind = NODE_SCALAR;
    node->source =
        source_from_text(library, what, talloc_strdup(library, text), length);
    node->mark = (struct mark){1, 1};
    node->width = length;
    node->text = node->source->text;
    return node;
}

bool library_give(struct library *library, const char *text)
{
    const char *equals = strchr(text, '=');

    if (equals == NULL || equals == text || equals[1] == '\0') {
        return false;
    }
    library->given = talloc_realloc(library, library->given, struct given,
        (unsigned)library->given_count + 1);
    assert(library->given != NULL);
    library->given[library->given_count++] = (struct given){
        .name = talloc_strndup(library, text, (size_t)(equals - text)),
        .value = library_scalar(library, "-D", equals + 1)};
    return true;
}

bool library_check_once(struct library *library, const struct node *root)
{
    for (size_t i = 0; i < library->file_count; i++) {
        if (library->file[i].root == root) {
            bool first = !library->file[i].checked;

            library->file[i].checked = true;
            return first;
        }
    }
    return true; /* a text in memory */
}

/* From the working directory, where the file is below it. */
static const char *shown_path(struct library *library, const char *path)
{
    char *directory = realpath(".", NULL);
    size_t length = directory == NULL ? 0 : strlen(directory);
    bool below = length > 1 && strncmp(path, directory, length) == 0 &&
                 path[length] == '/';

    free(directory);
    return talloc_strdup(library, below ? path + length + 1 : path);
}

const struct node *library_tree(struct library *library, const char *path)
{
    char *resolved = realpath(path, NULL);
    const char *problem = NULL;
    struct source *source;
    struct library_file *file;

    for (size_t i = 0; resolved != NULL && i < library->file_count; i++) {
        if (strcmp(library->file[i].path, resolved) == 0) {
            free(resolved);
            return library->file[i].root;
        }
    }
    source = source_from_file(library, path, YAML_FILE_BYTES, &problem);
    if (source == NULL) {
        diagnostics_add_file(library->schema.diagnostics,
            problem == source_too_large ? DIAGNOSTIC_LIMIT
                                        : DIAGNOSTIC_UNREADABLE,
            path, "%s", problem);
        free(resolved);
        return NULL;
    }
    library->file = talloc_realloc(library, library->file, struct library_file,
        (unsigned)library->file_count + 1);
    assert(library->file != NULL);
    file = &library->file[library->file_count++];
    *file = (struct library_file){
        .path = talloc_strdup(library, resolved == NULL ? path : resolved)};
    file->root = yaml_tree_read(library, source, library->schema.diagnostics);
    free(resolved);
    return file->root;
}

/* Whether the file is one, and says that its directory is the suite's. */
static bool check_defaults(struct library *library, const struct node *root,
    const char *path, const struct node **defaults, bool *is_root)
{
    const struct schema *schema = &library->schema;
    const struct node *body =
        root->kind == NODE_MAPPING ? node_get(root, "defaults") : NULL;

    if (body == NULL) {
        diagnostics_add_file(schema->diagnostics, DIAGNOSTIC_NOT_A_SCENARIO,
            path, "a file of this name holds defaults");
        diagnostics_hint(schema->diagnostics,
            "write ntpmu: 1 and defaults: {root: true}, or name it otherwise");
        return false;
    }
    if (library_check_once(library, root)) {
        schema_mapping(schema, root, MAPPING_DEFAULTS_FILE, root->entry[0].key);
        schema_mapping(schema, body, MAPPING_DEFAULTS, body);
    }
    if (body->kind != NODE_MAPPING) {
        return false;
    }
    *defaults = body;
    if (node_get(body, "root") != NULL) {
        return schema_bool(schema, node_get(body, "root"), is_root);
    }
    return true;
}

/* Cuts the last name off. Returns false at the top. */
static bool go_up(char *directory)
{
    char *slash = strrchr(directory, '/');

    if (slash == NULL || directory[1] == '\0') {
        return false;
    }
    slash[slash == directory ? 1 : 0] = '\0';
    return true;
}

bool library_find_defaults(struct library *library, const char *path,
    struct library_defaults *defaults)
{
    char *directory = library->no_files ? NULL : realpath(path, NULL);
    size_t own = 0;
    bool is_root = false;
    bool right = true;

    *defaults = (struct library_defaults){.root = ""};
    if (directory == NULL) {
        return true;
    }
    go_up(directory);
    defaults->root = talloc_strdup(library, directory);
    do {
        char *whole = talloc_asprintf(library, "%s/defaults.yaml",
            strcmp(directory, "/") == 0 ? "" : directory);
        const char *file = shown_path(library, whole);

        talloc_free(whole);
        if (access(file, F_OK) == 0 && defaults->count < LIBRARY_DEFAULTS) {
            const struct node *root = library_tree(library, file);

            right =
                root != NULL && check_defaults(library, root, file,
                                    &defaults->item[defaults->count], &is_root);
            defaults->count += right;
        }
        own = strcmp(directory, defaults->root) == 0 ? defaults->count : own;
        if (is_root) {
            defaults->root = talloc_strdup(library, directory);
        }
    } while (right && !is_root && go_up(directory));
    free(directory);
    if (!is_root) {
        defaults->count = own; /* without a suite, the file's directory */
    }
    return right;
}
