/* layout_file.c - a file laid out: read, judged to be one of ours, and replaced
 * in one step. */
#define _GNU_SOURCE
#include "scenarios/runner/layout/layout_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <talloc.h>
#include <unistd.h>

#include "scenarios/runner/layout/layout.h"
#include "scenarios/runner/output/unfinished.h"

enum layout_result layout_file_lay_out(void *context,
    const struct source *source, struct diagnostics *diagnostics,
    const struct source **made)
{
    size_t before = diagnostics_errors(diagnostics);
    void *memory = talloc_new(context);
    const struct node *root = yaml_tree_read(memory, source, diagnostics);
    enum layout_result result = LAYOUT_OTHER;

    *made = NULL;
    if (diagnostics_errors(diagnostics) != before) {
        result = LAYOUT_INVALID;
    } else if (root != NULL && root->kind == NODE_MAPPING && root->count > 0 &&
               strcmp(root->entry[0].key->text, "ntpmu") == 0) {
        *made = layout_source(context, source, root);
        result = *made == NULL ? LAYOUT_FAILED : LAYOUT_CHANGED;
    }
    talloc_free(memory);
    if (result == LAYOUT_CHANGED && (*made)->length == source->length &&
        memcmp((*made)->text, source->text, source->length) == 0) {
        *made = NULL;
        return LAYOUT_CLEAN;
    }
    if (result == LAYOUT_CHANGED && (*made)->length > YAML_FILE_BYTES) {
        diagnostics_add_file(diagnostics, DIAGNOSTIC_LIMIT, source->path,
            "laid out it would be larger than the limit of 1 MiB");
        return LAYOUT_INVALID;
    }
    return result;
}

static bool write_all(int file, const char *text, size_t length)
{
    while (length > 0) {
        ssize_t written = write(file, text, length);

        if (written < 0 && errno != EINTR) {
            return false;
        }
        if (written > 0) {
            text += written;
            length -= (size_t)written;
        }
    }
    return fsync(file) == 0;
}

/* Fills the new file, and puts it where the old one is. */
static bool fill_and_rename(int file, const char *name, const char *path,
    const char *text, size_t length)
{
    struct stat status;
    bool filled = stat(path, &status) == 0 &&
                  fchmod(file, status.st_mode & 0777) == 0 &&
                  write_all(file, text, length);
    int error = errno;

    if (close(file) != 0 && filled) {
        error = errno;
        filled = false;
    }
    if (filled && rename(name, path) == 0) {
        return true;
    }
    errno = filled ? errno : error;
    return false;
}

bool layout_file_replace(const char *path, const char *text, size_t length)
{
    char *target = realpath(path, NULL);
    const char *slash = target == NULL ? NULL : strrchr(target, '/');
    char *name = NULL;
    bool replaced = false;
    int file;

    if (slash != NULL && access(target, W_OK) == 0 &&
        asprintf(&name, "%.*s/.ntpmu_fmt_XXXXXX", (int)(slash - target),
            target) >= 0) {
        file = mkstemp(name);
        unfinished_add(name);
        replaced =
            file >= 0 && fill_and_rename(file, name, target, text, length);
        if (file >= 0 && !replaced) {
            int error = errno;

            unlink(name);
            errno = error;
        }
        unfinished_remove(name);
    }
    free(name);
    free(target);
    return replaced;
}
