/* read_manifests.c - manifests: what describes the counter sets. Each file is
 * read once, whatever scenarios name it. */
#include "scenarios/runner/scenario/read_manifests.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <talloc.h>

#include "api/ctrpp/guid_text.h"
#include "api/ctrpp/manifest.h"
#include "api/nt/rulings.h"
#include "scenarios/runner/counters/counter_names.h"
#include "scenarios/runner/language/scenario_limits.h"
#include "scenarios/runner/library/suite_file.h"
#include "scenarios/runner/scenario/reader.h"
#include "scenarios/runner/scenario/scenario.h"

enum { MANIFEST_FILE_BYTES = 1 << 22 };

struct library_manifest {
    const char *path;                /* resolved; child of the library */
    const struct manifest *manifest; /* NULL: it has errors */
};

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

        if (manifest_problem_rows[problem->code].severity != MANIFEST_WARNING) {
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

/* The manifest that the scalar names, its path counted from the scalar's file,
 * below `root`. False after reporting why there is none; what is wrong inside
 * of the file is reported once, and its warnings never are: they are the
 * manifest's author's. */
static bool find_manifest(struct library *library, const struct schema *schema,
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
    if (!find_manifest(reader->outline->library, &reader->scope.schema, name,
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
