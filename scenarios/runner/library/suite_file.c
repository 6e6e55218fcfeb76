/* suite_file.c - another file that a scenario names, by a path that leads out
 * of the suite in no way: links are resolved first. */
#include "scenarios/runner/library/suite_file.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <talloc.h>

/* Whether the resolved path lies below the directory. */
static bool is_below(const char *path, const char *root)
{
    size_t length = strlen(root);

    return strncmp(path, root, length) == 0 &&
           (path[length] == '/' || strcmp(root, "/") == 0);
}

/* Beside the file that names it; child of `context`. */
static char *path_of(void *context, const struct suite_file *file)
{
    const char *own = file->name->source->path;
    const char *slash = strrchr(own, '/');
    int directory = slash == NULL ? 0 : (int)(slash - own) + 1;

    return talloc_asprintf(context, "%.*s%.*s", directory, own,
        (int)file->length, file->name->text);
}

static bool check_path(const struct schema *schema,
    const struct suite_file *file, const char *path, const char *root)
{
    char *resolved = realpath(path, NULL);
    struct stat status;
    bool inside;

    if (resolved == NULL || stat(resolved, &status) != 0) {
        free(resolved);
        schema_error(
            schema, file->code, file->name, "there is no file '%s'", path);
        diagnostics_hint(schema->diagnostics,
            "its path counts from the directory of this file");
        return false;
    }
    inside = is_below(resolved, root);
    free(resolved);
    if (!inside) {
        schema_error(
            schema, file->code, file->name, "this file is not in the suite");
        diagnostics_hint(schema->diagnostics,
            "a suite is the directory of this file, or what a defaults.yaml "
            "with root: true names");
        return false;
    }
    if (!S_ISREG(status.st_mode)) {
        schema_error(schema, file->code, file->name, "this is no regular file");
        return false;
    }
    return true;
}

char *suite_file_path(const struct schema *schema,
    const struct suite_file *file, const char *root)
{
    char *path;

    if (file->name->text[0] == '/' || strstr(file->name->text, "..") != NULL) {
        schema_error(schema, file->code, file->name,
            "a %s's path has no leading / and no ..", file->what);
        diagnostics_hint(schema->diagnostics,
            "keep %s below the scenarios that use them", file->plural);
        return NULL;
    }
    path = path_of(schema->diagnostics, file);
    return check_path(schema, file, path, root) ? path : NULL;
}
