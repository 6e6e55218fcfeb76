/* output_files.c - texts go into new files beside their places; when all are
 * whole they are renamed. */
#define _GNU_SOURCE
#include "scenarios/runner/output_files.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <talloc.h>
#include <unistd.h>

enum { OUTPUTS_MAX = 8 };

/* A path by which two names of a file are the same, child of `context`; NULL
 * with errno set: its directory cannot be reached. */
static char *whole_path(void *context, const char *path)
{
    const char *slash = strrchr(path, '/');
    char *found = realpath(path, NULL);
    char *whole = NULL;

    if (found != NULL) {
        whole = talloc_strdup(context, found);
    } else if (errno == ENOENT) {
        char *directory = talloc_strndup(
            context, path, slash == NULL ? 0 : (size_t)(slash - path) + 1);

        found = realpath(slash == NULL ? "." : directory, NULL);
        if (found != NULL) {
            whole = talloc_asprintf(
                context, "%s/%s", found, slash == NULL ? path : slash + 1);
        }
        talloc_free(directory);
    }
    free(found); /* which leaves errno as it is */
    return whole;
}

static bool refuse(const char *path, const char *why)
{
    fprintf(stderr, "ntpmu: cannot write '%s': %s\n", path, why);
    return false;
}

/* Whether there can be a file. */
static bool check_place(const char *path, const char *whole)
{
    struct stat status;

    if (path[0] == '\0') {
        return refuse(path, "it has no name");
    }
    if (whole == NULL && errno != ENOENT) {
        return refuse(path, strerror(errno));
    }
    if (whole == NULL || whole[strlen(whole) - 1] == '/') {
        return refuse(path, "its directory is not there");
    }
    if (lstat(whole, &status) != 0) {
        return errno == ENOENT || refuse(path, strerror(errno));
    }
    if (S_ISLNK(status.st_mode)) {
        return refuse(path, "is a link to what is not there");
    }
    if (!S_ISREG(status.st_mode)) {
        return refuse(path, "is not a regular file");
    }
    return access(whole, W_OK) == 0 || refuse(path, strerror(errno));
}

bool output_files_check(
    const struct output_file *file, size_t count, const char *input)
{
    void *context = talloc_new(NULL);
    char *whole[OUTPUTS_MAX + 1];
    bool right = true;

    assert(count <= OUTPUTS_MAX);
    whole[count] = whole_path(context, input);
    for (size_t i = 0; i < count; i++) {
        whole[i] = whole_path(context, file[i].path);
        right &= check_place(file[i].path, whole[i]);
        for (size_t k = 0; k <= count; k++) {
            if ((k < i || k == count) && whole[i] != NULL && whole[k] != NULL &&
                strcmp(whole[i], whole[k]) == 0) {
                right = refuse(file[i].path, k == count
                                                 ? "it is the manifest itself"
                                                 : "another output goes there");
            }
        }
    }
    talloc_free(context);
    return right;
}

/* The mode of the file that is replaced, or of a new one. */
static mode_t mode_of(const char *path)
{
    struct stat status;
    mode_t mask = umask(0);

    umask(mask);
    return stat(path, &status) == 0 ? status.st_mode & 0777 : 0666 & ~mask;
}

static bool fill(int file, const char *text, mode_t mode)
{
    FILE *out = fdopen(file, "wb");
    bool filled;

    if (out == NULL) {
        close(file);
        return false;
    }
    filled = fchmod(file, mode) == 0 && fputs(text, out) >= 0 &&
             fflush(out) == 0 && fsync(file) == 0;
    return fclose(out) == 0 && filled;
}

/* A whole file beside the place, child of `context`; NULL with errno set. */
static char *write_beside(
    void *context, const char *whole, const char *text, mode_t mode)
{
    char *name = talloc_asprintf(context, "%.*s/.ntpmu_XXXXXX",
        (int)(strrchr(whole, '/') - whole), whole);
    int file;

    assert(name != NULL);
    file = mkstemp(name);
    if (file < 0) {
        return NULL;
    }
    if (!fill(file, text, mode)) {
        int error = errno;

        unlink(name);
        errno = error;
        return NULL;
    }
    return name;
}

enum exit_code output_files_write(const struct output_file *file, size_t count)
{
    void *context = talloc_new(NULL);
    char *whole[OUTPUTS_MAX], *made[OUTPUTS_MAX];
    enum exit_code code = EXIT_OK;
    size_t done = 0;

    assert(count <= OUTPUTS_MAX);
    for (; done < count && code == EXIT_OK; done++) {
        whole[done] = whole_path(context, file[done].path);
        made[done] = whole[done] == NULL
                         ? NULL
                         : write_beside(context, whole[done], file[done].text,
                               mode_of(whole[done]));
        if (made[done] == NULL) {
            refuse(file[done].path, strerror(errno));
            code = EXIT_INTERNAL;
        }
    }
    for (size_t i = 0; i < done; i++) {
        if (made[i] == NULL) {
            continue;
        }
        if (code == EXIT_OK && rename(made[i], whole[i]) != 0) {
            refuse(file[i].path, strerror(errno));
            code = EXIT_INTERNAL;
        }
        if (code != EXIT_OK) {
            unlink(made[i]);
        }
    }
    talloc_free(context);
    return code;
}
