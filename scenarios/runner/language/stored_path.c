/* stored_path.c - paths of keys and files: what they may begin with, and their
 * names one by one. */
#include "scenarios/runner/language/stored_path.h"

#include <assert.h>
#include <string.h>
#include <talloc.h>

#include "api/cm/registry.h"
#include "api/fs/volume_path.h"
#include "api/text/character.h"
#include "scenarios/runner/text/wide_text.h"

static void add_unit(struct stored_path *path, WCHAR unit)
{
    assert(path->length < STORED_PATH_UNITS);
    path->unit[path->length++] = unit;
}

static void add_name(struct stored_path *path, const WCHAR *unit, size_t length)
{
    if (path->length > 0) {
        add_unit(path, '\\');
    }
    for (size_t i = 0; i < length; i++) {
        add_unit(path, unit[i]);
    }
}

struct stored_name stored_path_next(const struct stored_path *path, size_t *at)
{
    struct volume_name name = volume_path_name(path->unit, path->length, at);

    return (struct stored_name){name.unit, name.length};
}

static bool begins(const struct pcw_text *text, const char *with)
{
    size_t length = strlen(with);

    for (size_t i = 0; i < length; i++) {
        if (i >= text->length || character_upper(text->at[i]) != with[i]) {
            return false;
        }
    }
    return true;
}

static const char key_hint[] = "a key is written with its whole path, "
                               "'\\Registry\\Machine\\Software\\Mill' or "
                               "'\\Registry\\User\\.Default\\Mill'";
static const char file_hint[] =
    "a file is written as drivers do, '\\??\\C:\\Data\\a.bin' or "
    "'\\SystemRoot\\Temp\\a.bin'";

/* False, for who returns it. */
static bool path_error(const struct schema *schema, const struct node *node,
    const char *what, const char *hint)
{
    schema_error(
        schema, DIAGNOSTIC_WRONG_TYPE, node, "'%s' %s", node->text, what);
    diagnostics_hint(schema->diagnostics, "%s", hint);
    return false;
}

bool stored_path_of_key(const struct schema *schema, const struct node *node,
    struct stored_path *path)
{
    static const char root[] = "\\REGISTRY\\";
    void *context = talloc_new(NULL);
    struct pcw_text text;
    size_t at = sizeof(root) - 1;
    bool right;

    assert(context != NULL);
    text = wide_text(context, node->text);
    path->length = 0;
    right = begins(&text, "\\REGISTRY\\MACHINE\\") ||
            begins(&text, "\\REGISTRY\\USER\\");
    if (!right) {
        path_error(schema, node, "is no path of a key", key_hint);
    }
    while (right && at < text.length) {
        struct volume_name name = volume_path_name(text.at, text.length, &at);

        if (name.length == 0 || text.at[text.length - 1] == '\\') {
            right =
                path_error(schema, node, "has a name that is empty", key_hint);
        }
        add_name(path, name.unit, name.length);
    }
    talloc_free(context);
    return right;
}

bool stored_path_of_file(const struct schema *schema, const struct node *node,
    struct stored_path *path)
{
    void *context = talloc_new(NULL);
    struct volume_start start = {0, false};
    struct pcw_text text;
    bool right;

    assert(context != NULL);
    text = wide_text(context, node->text);
    path->length = 0;
    right = volume_path_starts(text.at, text.length, &start);
    if (!right) {
        path_error(schema, node, "is no path on the volume", file_hint);
    } else if (start.length >= text.length) {
        right = path_error(schema, node, "names no file", file_hint);
    }
    if (start.system_root) {
        add_name(path, volume_windows.unit, volume_windows.length);
    }
    while (right && start.length < text.length) {
        struct volume_name name =
            volume_path_name(text.at, text.length, &start.length);

        if (!volume_name_is_right(&name) || text.at[text.length - 1] == '\\') {
            right = path_error(
                schema, node, "has a name that no file can have", file_hint);
        }
        add_name(path, name.unit, name.length);
    }
    talloc_free(context);
    return right;
}

bool stored_path_same(
    const struct stored_path *first, const struct stored_path *second)
{
    return first->length == second->length &&
           stored_path_leads_to(first, second);
}

bool stored_name_same(const char *first, const char *second)
{
    void *context = talloc_new(NULL);
    struct pcw_text a = wide_text(context, first);
    struct pcw_text b = wide_text(context, second);
    bool same = a.length == b.length;

    for (size_t i = 0; same && i < a.length; i++) {
        same = character_upper(a.at[i]) == character_upper(b.at[i]);
    }
    talloc_free(context);
    return same;
}

bool stored_path_leads_to(
    const struct stored_path *first, const struct stored_path *second)
{
    for (size_t i = 0; i < first->length; i++) {
        if (i >= second->length || character_upper(first->unit[i]) !=
                                       character_upper(second->unit[i])) {
            return false;
        }
    }
    return first->length == second->length ||
           second->unit[first->length] == '\\';
}
