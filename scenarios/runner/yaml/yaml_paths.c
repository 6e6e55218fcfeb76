/* yaml_paths.c - the YAML files below a directory, found and put in order. */
#include "scenarios/runner/yaml/yaml_paths.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <talloc.h>

enum { YAML_PATHS_DEPTH = 32 };

bool yaml_paths_is_yaml(const char *path)
{
    const char *dot = strrchr(path, '.');

    return dot != NULL && dot != path &&
           (strcasecmp(dot, ".yaml") == 0 || strcasecmp(dot, ".yml") == 0);
}

static void walk(struct yaml_paths *paths, const char *directory,
    unsigned depth, struct diagnostics *diagnostics);

static void take(struct yaml_paths *paths, const char *path, const char *name,
    unsigned depth, struct diagnostics *diagnostics)
{
    struct stat status;

    if (name[0] == '.' || lstat(path, &status) != 0) {
        return;
    }
    if (S_ISDIR(status.st_mode)) {
        walk(paths, path, depth + 1, diagnostics);
    } else if (yaml_paths_is_yaml(name)) {
        paths->item = talloc_realloc(
            paths, paths->item, const char *, (unsigned)paths->count + 1);
        assert(paths->item != NULL);
        paths->item[paths->count++] = talloc_strdup(paths, path);
    }
}

static void walk(struct yaml_paths *paths, const char *directory,
    unsigned depth, struct diagnostics *diagnostics)
{
    DIR *stream = opendir(directory);
    const struct dirent *entry;

    if (stream == NULL || depth > YAML_PATHS_DEPTH) {
        diagnostics_add_file(diagnostics, DIAGNOSTIC_UNREADABLE, directory,
            "%s",
            stream == NULL ? strerror(errno) : "directories nested too deep");
        if (stream != NULL) {
            closedir(stream);
        }
        return;
    }
    while ((entry = readdir(stream)) != NULL) {
        const char *slash = directory[strlen(directory) - 1] == '/' ? "" : "/";
        char *path =
            talloc_asprintf(paths, "%s%s%s", directory, slash, entry->d_name);

        take(paths, path, entry->d_name, depth, diagnostics);
        talloc_free(path);
    }
    closedir(stream);
}

static int compare_paths(const void *left, const void *right)
{
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

struct yaml_paths *yaml_paths_below(
    void *context, const char *directory, struct diagnostics *diagnostics)
{
    struct yaml_paths *paths = talloc_zero(context, struct yaml_paths);

    assert(paths != NULL);
    walk(paths, directory, 0, diagnostics);
    if (paths->count > 0) {
        qsort(paths->item, paths->count, sizeof(*paths->item), compare_paths);
    }
    return paths;
}
