/* library.c - what the files of one run share: files that scenarios take
 * defaults and fragments from, each read once, and values from the command
 * line. */
#include "scenarios/runner/library/library.h"

#include <assert.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <talloc.h>
#include <unistd.h>

#include "scenarios/runner/library/kinds.h"
#include "scenarios/runner/text/key_index.h"
#include "scenarios/runner/yaml/source.h"

struct library_file {
    const char *path; /* resolved, if it can be */
    const struct node *root;
    bool checked; /* as a file of fragments or defaults */
    bool broken;  /* in its YAML, or as that */
};

struct library *library_new(void *context, const struct kinds *kinds,
    const struct requirements *requirements, struct diagnostics *diagnostics)
{
    struct library *library = talloc_zero(context, struct library);

    assert(library != NULL);
    library->schema.diagnostics = diagnostics;
    library->kinds = kinds;
    library->requirements = requirements;
    library->paths = key_index_new(library);
    library->roots = key_index_new(library);
    library->directories = key_index_new(library);
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

void library_give_again(struct library *library, const struct library *other)
{
    library->given = talloc_memdup(
        library, other->given, other->given_count * sizeof(other->given[0]));
    library->given_count = other->given_count;
}

void library_note_given(struct library *library, const struct library *other)
{
    assert(library->given_count == other->given_count);
    for (size_t i = 0; i < other->given_count; i++) {
        library->given[i].used |= other->given[i].used;
    }
}

bool library_check(struct library *library, const struct node *root,
    void (*check)(const struct schema *schema, const struct node *root))
{
    size_t before = diagnostics_errors(library->schema.diagnostics);
    size_t i;
    bool is_file = key_index_find(library->roots, &root, sizeof(root), &i);

    if (is_file && library->file[i].checked) {
        return !library->file[i].broken;
    }
    check(&library->schema, root);
    if (is_file) { /* no text in memory */
        library->file[i].checked = true;
        library->file[i].broken |=
            diagnostics_errors(library->schema.diagnostics) != before;
        return !library->file[i].broken;
    }
    return diagnostics_errors(library->schema.diagnostics) == before;
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

/* A new file, the last one. */
static struct library_file *add_file(
    struct library *library, const char *path, const struct node *root)
{
    size_t room = talloc_array_length(library->file);
    size_t at = library->file_count, other;

    if (at == room) {
        library->file = talloc_realloc(library, library->file,
            struct library_file, (unsigned)(room == 0 ? 64 : 2 * room));
        assert(library->file != NULL);
    }
    library->file[library->file_count++] = (struct library_file){
        .path = talloc_strdup(library, path), .root = root};
    if (!key_index_find(library->paths, path, strlen(path), &other)) {
        key_index_add(library->paths, path, strlen(path), at);
    }
    if (root != NULL) {
        key_index_add(library->roots, &root, sizeof(root), at);
    }
    return &library->file[at];
}

const struct node *library_tree(struct library *library, const char *path)
{
    char *resolved = realpath(path, NULL);
    const char *problem = NULL;
    struct source *source;
    struct library_file *file;
    size_t before, at;

    if (resolved != NULL &&
        key_index_find(library->paths, resolved, strlen(resolved), &at)) {
        free(resolved);
        return library->file[at].root;
    }
    before = diagnostics_errors(library->schema.diagnostics);
    source = source_from_file(library, path, YAML_FILE_BYTES, &problem);
    if (source == NULL) {
        diagnostics_add_file(library->schema.diagnostics,
            problem == source_too_large ? DIAGNOSTIC_LIMIT
                                        : DIAGNOSTIC_UNREADABLE,
            path, "%s", problem);
        free(resolved);
        return NULL;
    }
    file = add_file(library, resolved == NULL ? path : resolved,
        yaml_tree_read(library, source, library->schema.diagnostics));
    file->broken = diagnostics_errors(library->schema.diagnostics) != before;
    free(resolved);
    return file->root;
}

void library_note_files(struct library *library, const struct library *other)
{
    for (size_t i = 0; i < other->file_count; i++) {
        const struct library_file *file = &other->file[i];
        size_t at;

        if (!key_index_find(
                library->paths, file->path, strlen(file->path), &at)) {
            add_file(library, file->path, file->root);
        }
    }
}

const struct source *library_file_source(
    const struct library *library, size_t n)
{
    return n < library->file_count && library->file[n].root != NULL
               ? library->file[n].root->source
               : NULL;
}

static bool has_fragments(const struct node *root)
{
    return root != NULL && root->kind == NODE_MAPPING &&
           node_get(root, "fragments") != NULL;
}

bool library_agrees(const struct library *library, const struct library *other)
{
    bool agrees = true;

    for (size_t i = 0; i < other->file_count && agrees; i++) {
        const struct library_file *file = &other->file[i];
        size_t at;

        if (has_fragments(file->root) &&
            key_index_find(
                library->paths, file->path, strlen(file->path), &at) &&
            library->file[at].root != NULL) {
            agrees = strcmp(library->file[at].root->source->path,
                         file->root->source->path) == 0;
        }
    }
    return agrees;
}

void library_check_defaults(
    const struct schema *schema, const struct node *root)
{
    const struct node *body =
        root->kind == NODE_MAPPING ? node_get(root, "defaults") : NULL;
    const struct node *suite;
    bool is_root;

    if (body == NULL) {
        diagnostics_add_file(schema->diagnostics, DIAGNOSTIC_NOT_A_SCENARIO,
            root->source->path, "a file of this name holds defaults");
        diagnostics_hint(schema->diagnostics,
            "write ntpmu: 1 and defaults: {root: true}, or name it otherwise");
        return;
    }
    schema_mapping(schema, root, MAPPING_DEFAULTS_FILE, root->entry[0].key);
    if (!schema_mapping(
            schema, body, MAPPING_DEFAULTS, node_key(root, "defaults"))) {
        return;
    }
    if (node_get(body, "covers") != NULL) {
        size_t word;

        schema_key_word(schema, MAPPING_DEFAULTS, "covers",
            node_get(body, "covers"), &word);
    }
    suite = node_get(body, "root");
    if (suite != NULL && schema_bool(schema, suite, &is_root) && !is_root) {
        schema_error(schema, DIAGNOSTIC_NO_EFFECT, suite,
            "a directory is no suite's unless it says so");
        diagnostics_hint(schema->diagnostics, "leave root out");
    }
}

/* Whether the file is one, and says that its directory is the suite's. */
static bool take_defaults(struct library *library, const struct node *root,
    const struct node **defaults, bool *is_root)
{
    if (!library_check(library, root, library_check_defaults)) {
        return false;
    }
    *defaults = node_get(root, "defaults");
    *is_root = node_get(*defaults, "root") != NULL;
    return true;
}

/* A file of that name above a scenario's own directory may be another
 * program's. */
static bool is_ours(const char *path)
{
    const char *problem;
    FILE *file = source_open(path, &problem);
    char line[256] = "";

    while (file != NULL && fgets(line, sizeof(line), file) != NULL &&
           (line[0] == '#' || line[0] == '\n' || line[0] == '\r')) {
    }
    if (file != NULL) {
        fclose(file);
    }
    return strncmp(line, "ntpmu", strlen("ntpmu")) == 0;
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

/* What library_find_defaults() says of every file in a directory. */
struct library_directory {
    struct library_defaults defaults;
    bool right;
};

/* Looks at the directories from this one up to the suite's. */
static bool read_defaults(
    struct library *library, const char *of, struct library_defaults *defaults)
{
    char *directory = talloc_strdup(NULL, of);
    size_t own = 0;
    bool is_root = false;
    bool right = true;

    defaults->root = talloc_strdup(library, of);
    do {
        char *whole = talloc_asprintf(library, "%s/defaults.yaml",
            strcmp(directory, "/") == 0 ? "" : directory);
        const char *file = shown_path(library, whole);

        talloc_free(whole);
        if (access(file, F_OK) == 0 && defaults->count < LIBRARY_DEFAULTS &&
            (strcmp(directory, defaults->root) == 0 || is_ours(file))) {
            const struct node *root = library_tree(library, file);

            right =
                root != NULL && take_defaults(library, root,
                                    &defaults->item[defaults->count], &is_root);
            defaults->count += right;
        }
        own = strcmp(directory, defaults->root) == 0 ? defaults->count : own;
        if (is_root) {
            defaults->root = talloc_strdup(library, directory);
        }
    } while (right && !is_root && go_up(directory));
    talloc_free(directory);
    if (!is_root) {
        defaults->count = own; /* without a suite, the file's directory */
    }
    return right;
}

/* The directory's entry, made when a file of it is the first. */
static const struct library_directory *find_directory(
    struct library *library, const char *directory)
{
    struct library_directory *made;
    size_t at;

    if (key_index_find(
            library->directories, directory, strlen(directory), &at)) {
        return library->directory[at];
    }
    made = talloc_zero(library, struct library_directory);
    assert(made != NULL);
    made->right = read_defaults(library, directory, &made->defaults);
    at = library->directory_count++;
    library->directory = talloc_realloc(library, library->directory,
        struct library_directory *, (unsigned)library->directory_count);
    assert(library->directory != NULL);
    library->directory[at] = made;
    key_index_add(library->directories, directory, strlen(directory), at);
    return made;
}

/* The directory that the file is in; "": there is none. Child of `context`. */
static char *directory_of(
    void *context, const struct library *library, const struct node *root)
{
    char *resolved = NULL, *directory;
    size_t i;

    if (key_index_find(library->roots, &root, sizeof(root), &i)) {
        directory = talloc_strdup(context, library->file[i].path);
    } else {
        resolved =
            library->no_files ? NULL : realpath(root->source->path, NULL);
        directory = talloc_strdup(context, resolved == NULL ? "" : resolved);
    }
    free(resolved);
    assert(directory != NULL);
    if (directory[0] != '\0') {
        go_up(directory);
    }
    return directory;
}

bool library_find_defaults(struct library *library, const struct node *root,
    struct library_defaults *defaults)
{
    char *directory = directory_of(NULL, library, root);
    const struct library_directory *found;

    *defaults = (struct library_defaults){.root = ""};
    if (directory[0] == '\0') {
        talloc_free(directory);
        return true;
    }
    found = find_directory(library, directory);
    talloc_free(directory);
    *defaults = found->defaults;
    return found->right;
}
