/* header_files.c - the C headers that a scenario names in `headers`: found,
 * read once each, and their structures put together. */
#include "scenarios/runner/headers/header_files.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <talloc.h>

#include "scenarios/runner/headers/header_reading.h"
#include "scenarios/runner/headers/header_report.h"
#include "scenarios/runner/language/scenario_limits.h"

struct library_header {
    const char *path; /* resolved; child of the library */
    struct structures structures;
    bool broken;
};

static void read_structures(struct library *library, const char *path,
    const char *text, struct library_header *made)
{
    const struct source *source =
        source_from_text(library, path, text, strlen(text));
    const struct node *tree =
        yaml_tree_read(library, source, library->schema.diagnostics);
    const struct node *node =
        tree == NULL ? NULL : node_get(tree, "structures");

    if (node != NULL) {
        structures_reserve(library, &made->structures, node->count);
        structures_read(&library->schema, library, node, &made->structures);
    }
}

/* `path` is as messages have it. */
static void read_file(struct library *library, const char *path,
    const struct node *name, struct library_header *made)
{
    size_t errors = diagnostics_errors(library->schema.diagnostics);
    const struct header_reading reading = header_read(library, path);

    if (reading.failure != NULL) {
        schema_error(
            &library->schema, DIAGNOSTIC_HEADER, name, "%s", reading.failure);
        diagnostics_hint(
            library->schema.diagnostics, "%s", header_failure_hint);
    }
    header_report(library, &reading.problems, library->schema.diagnostics);
    if (reading.structures != NULL) {
        read_structures(library, path, reading.structures, made);
    }
    made->broken = diagnostics_errors(library->schema.diagnostics) != errors;
}

static struct library_header find_file(struct library *library,
    const char *path, char *resolved, const struct node *name)
{
    struct library_header made = {.path = NULL};

    for (size_t i = 0; i < library->header_count; i++) {
        if (strcmp(library->header[i].path, resolved) == 0) {
            return library->header[i];
        }
    }
    made.path = talloc_strdup(library, resolved);
    read_file(library, path, name, &made);
    library->header = talloc_realloc(library, library->header,
        struct library_header, (unsigned)library->header_count + 1);
    assert(library->header != NULL);
    library->header[library->header_count++] = made;
    return made;
}

/* Beside the file that names it, or where its path leads. */
static char *path_of(void *context, const struct node *name)
{
    const char *own = name->source->path;
    const char *slash = strrchr(own, '/');
    int directory = slash == NULL ? 0 : (int)(slash - own) + 1;

    return talloc_asprintf(context, "%.*s%s", directory, own, name->text);
}

static bool check_file(const struct schema *schema, const struct node *name,
    const char *path, const char *resolved)
{
    struct stat status;

    if (name->text[0] == '/') {
        schema_error(schema, DIAGNOSTIC_HEADER, name,
            "a header's path has no leading /");
        diagnostics_hint(schema->diagnostics,
            "it counts from the directory of this file, and .. leads up");
        return false;
    }
    if (resolved == NULL || stat(resolved, &status) != 0) {
        schema_error(
            schema, DIAGNOSTIC_HEADER, name, "there is no file '%s'", path);
        diagnostics_hint(schema->diagnostics,
            "its path counts from the directory of this file");
        return false;
    }
    if (!S_ISREG(status.st_mode)) {
        schema_error(
            schema, DIAGNOSTIC_HEADER, name, "this is no regular file");
        return false;
    }
    return true;
}

/* Returns false after reporting; what is wrong inside of the file is reported
 * once. */
static bool find_header(struct library *library, const struct schema *schema,
    const struct node *name, struct structures *structures)
{
    struct library_header found = {.broken = true};
    char *path, *resolved;

    if (library->no_files && !library->manifests_only) {
        schema_error(schema, DIAGNOSTIC_HEADER, name,
            "a text that is no file has no headers");
        diagnostics_hint(schema->diagnostics, "save it as a file");
        return false;
    }
    path = path_of(library, name);
    resolved = realpath(path, NULL);
    if (check_file(schema, name, path, resolved)) {
        found = find_file(library, path, resolved, name);
        if (found.broken) {
            schema_error(
                schema, DIAGNOSTIC_HEADER, name, "the header has errors");
        }
    }
    free(resolved);
    *structures = found.structures;
    return !found.broken;
}

static bool is_same(const struct structure *one, const struct structure *other)
{
    bool same = one->count == other->count && one->size == other->size;

    for (size_t i = 0; same && i < one->count; i++) {
        const struct structure_field *field = &one->field[i];
        const struct structure_field *like = &other->field[i];

        same = strcmp(field->name, like->name) == 0 && field->at == like->at &&
               field->size == like->size && field->count == like->count &&
               field->bit == like->bit && field->bits == like->bits &&
               (field->own == NULL) == (like->own == NULL) &&
               (field->own == NULL ? field->type == like->type
                                   : is_same(field->own, like->own));
    }
    return same;
}

/* One that another header has, too, as where both include a third one; NULL:
 * there is none. */
static const struct structure *find_known(
    const struct structures *structures, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(structures->item[i].name, name) == 0) {
            return &structures->item[i];
        }
    }
    return NULL;
}

static void add_structures(const struct schema *schema, const struct node *name,
    const struct structures *header, struct structures *structures)
{
    size_t before = structures->count;

    for (size_t i = 0; i < header->count; i++) {
        const struct structure *found = &header->item[i];
        const struct structure *known =
            find_known(structures, before, found->name);
        struct structure *made = &structures->item[structures->count];

        if (known == NULL) {
            *made = *found;
            made->defined = name;
            made->in_header = true;
            made->used = false;
            structures->count++;
        } else if (!is_same(known, found)) {
            schema_error(schema, DIAGNOSTIC_CONFLICT, name,
                "'%s' is in '%s' too, and not the same", known->name,
                known->defined->text);
            diagnostics_hint(schema->diagnostics,
                "leave one of the two headers out, or call one otherwise");
            return;
        }
    }
}

void header_files_read(struct library *library, const struct schema *schema,
    void *context, const struct node *list, size_t more,
    struct structures *structures)
{
    struct structures header[SCENARIO_HEADERS];
    size_t count = 0, names = 0;
    const char *text;

    if (list != NULL && schema_sequence(schema, list)) {
        names = list->count;
    }
    if (names > SCENARIO_HEADERS) {
        schema_error(schema, DIAGNOSTIC_LIMIT, list, "more than %d headers",
            SCENARIO_HEADERS);
        names = 0;
    }
    for (size_t i = 0; i < names; i++) {
        header[i] = (struct structures){.item = NULL};
        structures->incomplete |=
            !schema_text(schema, list->item[i], &text) ||
            !find_header(library, schema, list->item[i], &header[i]);
        count += header[i].count;
    }
    structures_reserve(context, structures, count + more);
    for (size_t i = 0; i < names; i++) {
        add_structures(schema, list->item[i], &header[i], structures);
    }
}
