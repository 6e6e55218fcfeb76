/* output_files.c - files that ntpmu ctrpp writes, all of them or none: texts go
 * into new files beside their places; when all are whole, and devices have
 * taken theirs, they are renamed. */
#define _GNU_SOURCE
#include "scenarios/runner/commands/ctrpp/output_files.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <talloc.h>
#include <unistd.h>

#include "scenarios/runner/output/unfinished.h"
#include "scenarios/runner/text/visible_text.h"

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
    fprintf(stderr, "ntpmu: cannot write '%s': %s\n", visible_name(path), why);
    return false;
}

/* Nothing can be made where it has to be, before it is renamed. */
static bool refuse_directory(const char *path, const char *why)
{
    fprintf(stderr,
        "ntpmu: cannot write '%s': no file can be made in its directory: %s\n",
        visible_name(path), why);
    return false;
}

/* Child of `context`. */
static char *directory_of(void *context, const char *whole)
{
    const char *slash = strrchr(whole, '/');
    char *directory = talloc_strndup(
        context, whole, slash == whole ? 1 : (size_t)(slash - whole));

    assert(slash != NULL && directory != NULL);
    return directory;
}

/* False with errno set when nothing is there. */
static bool is_link(const char *path)
{
    struct stat status;

    return lstat(path, &status) == 0 && S_ISLNK(status.st_mode);
}

static bool is_device(const char *path)
{
    struct stat status;

    return stat(path, &status) == 0 && S_ISCHR(status.st_mode);
}

/* Whether a file can be made beside it, which becomes it. */
static bool check_directory(const char *path, const char *whole)
{
    char *directory = directory_of(NULL, whole);
    bool right = access(directory, W_OK | X_OK) == 0 ||
                 refuse_directory(path, strerror(errno));

    talloc_free(directory);
    return right;
}

/* Whether what stands there, or nothing, can be written: `error` is why there
 * is no whole path. Looked at through links, also those that only the kernel
 * can follow, as /dev/stdout. */
static bool check_place(const char *path, const char *whole, int error)
{
    struct stat status;

    if (stat(path, &status) == 0) {
        if (!S_ISREG(status.st_mode) && !S_ISCHR(status.st_mode)) {
            return refuse(
                path, "is neither a file nor a device such as /dev/null");
        }
        if (S_ISREG(status.st_mode) && (whole == NULL || is_link(whole))) {
            return refuse(path, "is a file that has no name any more");
        }
        return (access(path, W_OK) == 0 || refuse(path, strerror(errno))) &&
               (S_ISCHR(status.st_mode) || check_directory(path, whole));
    }
    if (whole == NULL && error != ENOENT) {
        return refuse(path, strerror(error));
    }
    if (whole == NULL || whole[strlen(whole) - 1] == '/') {
        return refuse(path, "its directory is not there");
    }
    if (is_link(whole)) {
        return refuse(path, "is a link to what is not there");
    }
    return errno == ENOENT ? check_directory(path, whole)
                           : refuse(path, strerror(errno));
}

/* Whether it can be meant so: not nothing, nor the manifest, `whole[count]`,
 * nor an output before it. */
static bool check_meaning(
    const struct output_file *file, char *const *whole, size_t i, size_t count)
{
    bool right = file[i].path[0] != '\0' || refuse("", "it has no name");

    for (size_t k = 0; k <= count; k++) {
        if ((k < i || k == count) && whole[i] != NULL && whole[k] != NULL &&
            strcmp(whole[i], whole[k]) == 0 && !is_device(whole[i])) {
            right =
                refuse(file[i].path, k == count ? "it is the manifest itself"
                                                : "another output goes there");
        }
    }
    return right;
}

enum exit_code output_files_check(
    const struct output_file *file, size_t count, const char *input)
{
    void *context = talloc_new(NULL);
    char *whole[OUTPUTS_MAX + 1];
    bool meant = true, right = true;

    assert(count <= OUTPUTS_MAX);
    whole[count] = whole_path(context, input);
    for (size_t i = 0; i < count; i++) {
        int error;

        whole[i] = whole_path(context, file[i].path);
        error = errno;
        if (check_meaning(file, whole, i, count)) {
            right &= check_place(file[i].path, whole[i], error);
        } else {
            meant = false;
        }
    }
    talloc_free(context);
    return !meant ? EXIT_USAGE : !right ? EXIT_INTERNAL : EXIT_OK;
}

/* The mode of the file that is replaced, or of a new one. */
static mode_t mode_of(const char *path)
{
    struct stat status;
    mode_t mask = umask(0);

    umask(mask);
    return stat(path, &status) == 0 ? status.st_mode & 0777 : 0666 & ~mask;
}

static bool fill(int file, const struct output_file *output, mode_t mode)
{
    FILE *out = fdopen(file, "wb");
    bool filled;

    if (out == NULL) {
        close(file);
        return false;
    }
    filled = fchmod(file, mode) == 0 &&
             fwrite(output->text, 1, output->length, out) == output->length &&
             fflush(out) == 0 && fsync(file) == 0;
    return fclose(out) == 0 && filled;
}

/* A whole file beside the place, child of `context`; NULL after saying why it
 * is not there. */
static char *write_beside(
    void *context, const char *whole, const struct output_file *output)
{
    char *name = talloc_asprintf(context, "%.*s/.ntpmu_XXXXXX",
        (int)(strrchr(whole, '/') - whole), whole);
    int file;

    assert(name != NULL);
    file = mkstemp(name);
    if (file < 0) {
        refuse_directory(output->path, strerror(errno));
        return NULL;
    }
    unfinished_add(name);
    if (!fill(file, output, mode_of(whole))) {
        refuse(output->path, strerror(errno));
        unlink(name);
        unfinished_remove(name);
        return NULL;
    }
    return name;
}

/* False with errno set. */
static bool write_to_device(const struct output_file *output)
{
    FILE *out = fopen(output->path, "wb");
    bool written;

    if (out == NULL) {
        return false;
    }
    written = fwrite(output->text, 1, output->length, out) == output->length &&
              fflush(out) == 0;
    return fclose(out) == 0 && written;
}

/* Where one output goes, and the file that becomes it. */
struct writing {
    char *whole;
    char *made; /* NULL: there is none, or none is needed */
};

/* False after saying why. */
static bool prepare(
    void *context, const struct output_file *output, struct writing *writing)
{
    writing->whole = whole_path(context, output->path);
    if (writing->whole == NULL) {
        return refuse(output->path, strerror(errno));
    }
    if (is_device(writing->whole)) {
        return true;
    }
    writing->made = write_beside(context, writing->whole, output);
    return writing->made != NULL;
}

static bool finish(const struct output_file *output, struct writing *writing)
{
    if (writing->made == NULL) {
        return true; /* a device */
    }
    return rename(writing->made, writing->whole) == 0 ||
           refuse(output->path, strerror(errno));
}

enum exit_code output_files_write(const struct output_file *file, size_t count)
{
    void *context = talloc_new(NULL);
    struct writing writing[OUTPUTS_MAX] = {{NULL, NULL}};
    bool right = true;

    assert(count <= OUTPUTS_MAX);
    for (size_t i = 0; i < count && right; i++) {
        right = prepare(context, &file[i], &writing[i]);
    }
    for (size_t i = 0; i < count && right; i++) {
        right = writing[i].made != NULL || write_to_device(&file[i]) ||
                refuse(file[i].path, strerror(errno));
    }
    for (size_t i = 0; i < count; i++) {
        right = right && finish(&file[i], &writing[i]);
        if (!right && writing[i].made != NULL) {
            unlink(writing[i].made);
        }
        if (writing[i].made != NULL) {
            unfinished_remove(writing[i].made);
        }
    }
    talloc_free(context);
    return right ? EXIT_OK : EXIT_INTERNAL;
}
