/* manifests.c - a list in the library, by resolved path. */
#include "scenarios/runner/counters/manifests.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <talloc.h>

#include "api/ctrpp/manifest.h"
#include "api/nt/rulings.h"
#include "scenarios/runner/scenario/suite_file.h"

/* Lines of a file in UTF-16 cannot be shown. */
static bool is_utf8(const struct source *source)
{
    return source->length < 2 ||
           ((unsigned char)source->text[0] < 0xFE && source->text[0] != '\0' &&
               source->text[1] != '\0');
}

static void report_problem(struct library *library, const struct source *source,
    const struct manifest_problem *problem)
{
    struct diagnostics *diagnostics = library->schema.diagnostics;
    const char *code = manifest_problem_rows[problem->code].code;
    struct mark mark = {problem->place.line, problem->place.column};

    if (is_utf8(source)) {
        diagnostics_add(diagnostics, DIAGNOSTIC_MANIFEST, source, mark, 1,
            "%s: %s", code, problem->message);
    } else {
        diagnostics_add_file(diagnostics, DIAGNOSTIC_MANIFEST, source->path,
            "line %u: %s: %s", (unsigned)problem->place.line, code,
            problem->message);
    }
    if (problem->hint != NULL) {
        diagnostics_hint(diagnostics, "%s", problem->hint);
    }
}

static const struct manifest *read_file(
    struct library *library, const char *path)
{
    const char *why = NULL;
    const struct source *source =
        source_from_file(library, path, MANIFEST_FILE_BYTES, &why);
    /* A scenario's rulings are about its machine, not about its manifests. */
    const struct rulings rulings = rulings_default();
    struct manifest_problems *problems;
    const struct manifest *manifest;

    if (source == NULL) {
        diagnostics_add_file(library->schema.diagnostics,
            why == source_too_large ? DIAGNOSTIC_LIMIT : DIAGNOSTIC_UNREADABLE,
            path, "%s", why);
        return NULL;
    }
    problems = manifest_problems_new(library);
    manifest = manifest_read(
        library, source->text, source->length, &rulings, problems);
    for (size_t i = 0; i < problems->count; i++) {
        const struct manifest_problem *problem = &problems->item[i];

        if (manifest_problem_rows[problem->code].severity == MANIFEST_ERROR) {
            report_problem(library, source, problem);
        }
    }
    return manifest;
}

static struct library_manifest find_file(
    struct library *library, const char *path)
{
    char *resolved = realpath(path, NULL);
    struct library_manifest *made;

    assert(resolved != NULL); /* suite_file_path() has looked */
    for (size_t i = 0; i < library->manifest_count; i++) {
        if (strcmp(library->manifest[i].path, resolved) == 0) {
            free(resolved);
            return library->manifest[i];
        }
    }
    library->manifest = talloc_realloc(library, library->manifest,
        struct library_manifest, (unsigned)library->manifest_count + 1);
    assert(library->manifest != NULL);
    made = &library->manifest[library->manifest_count++];
    made->path = talloc_strdup(library, resolved);
    free(resolved);
    made->manifest = read_file(library, path);
    return *made;
}

bool manifests_find(struct library *library, const struct schema *schema,
    const struct node *name, const char *root, struct library_manifest *found)
{
    struct suite_file file = {.name = name,
        .what = "manifest",
        .plural = "manifests",
        .code = DIAGNOSTIC_MANIFEST};
    char *path;

    if (library->no_files && !library->manifests_only) {
        schema_error(schema, DIAGNOSTIC_MANIFEST, name,
            "a text that is no file has no manifests");
        diagnostics_hint(schema->diagnostics, "save it as a file");
        return false;
    }
    file.length = strlen(name->text);
    path = suite_file_path(schema, &file, root);
    if (path == NULL) {
        return false;
    }
    *found = find_file(library, path);
    if (found->manifest == NULL) {
        schema_error(
            schema, DIAGNOSTIC_MANIFEST, name, "the manifest has errors");
    }
    return found->manifest != NULL;
}
