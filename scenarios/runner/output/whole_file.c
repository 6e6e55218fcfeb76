/* whole_file.c - a file that is written over time, and is under its name when
 * it is whole: until then it is beside it under another. */
#define _GNU_SOURCE
#include "scenarios/runner/output/whole_file.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <talloc.h>
#include <unistd.h>

#include "scenarios/runner/output/output_stream.h"
#include "scenarios/runner/output/unfinished.h"

struct whole_file {
    struct output_stream stream; /* out NULL: standard output, or closed */
    bool standard;
    enum whole_file_place place;
    char *path; /* without links */
    char *made; /* its name until it is whole; NULL: there is none */
};

static int give_up(struct whole_file *file)
{
    if (file->stream.out != NULL) {
        output_stream_close(&file->stream);
        close(file->stream.file);
    }
    if (file->made != NULL) {
        unlink(file->made);
        unfinished_remove(file->made);
    }
    return 0;
}

/* Our descriptor whose file it is; -1: none. */
static int own_descriptor(const struct stat *status)
{
    for (int i = STDOUT_FILENO; i <= STDERR_FILENO; i++) {
        struct stat own;

        if (fstat(i, &own) == 0 && own.st_dev == status->st_dev &&
            own.st_ino == status->st_ino) {
            return i;
        }
    }
    return -1;
}

/* The path without links, child of the file; of what is not there, as it is. */
static char *path_of(struct whole_file *file, const char *path)
{
    char *found = realpath(path, NULL);
    char *whole = talloc_strdup(file, found == NULL ? path : found);

    assert(whole != NULL);
    free(found);
    return whole;
}

/* A file beside the place; -1 with errno set. */
static int open_beside(struct whole_file *file, mode_t mode)
{
    const char *slash = strrchr(file->path, '/');
    char *made = talloc_asprintf(file, "%.*s.ntpmu_XXXXXX",
        slash == NULL ? 0 : (int)(slash - file->path) + 1, file->path);
    int descriptor;

    assert(made != NULL);
    descriptor = mkostemp(made, O_CLOEXEC);
    if (descriptor >= 0) {
        file->made = made;
        unfinished_add(made);
        fchmod(descriptor, mode);
    }
    return descriptor;
}

static mode_t usual_mode(void)
{
    mode_t mask = umask(0);

    umask(mask);
    return 0666 & ~mask;
}

/* -1 with errno set. */
static int open_descriptor(struct whole_file *file, const char *path)
{
    const int flags = O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY;
    struct stat status;
    int descriptor;

    if (stat(path, &status) != 0) {
        return open_beside(file, usual_mode());
    }
    if (file->place == WHOLE_FILE_NEW) {
        errno = EEXIST;
        return -1;
    }
    if (own_descriptor(&status) >= 0) {
        return fcntl(own_descriptor(&status), F_DUPFD_CLOEXEC, 0);
    }
    if (!S_ISREG(status.st_mode)) {
        return open(path, flags);
    }
    if (access(path, W_OK) != 0) {
        return -1;
    }
    descriptor = open_beside(file, status.st_mode & 0777);
    return descriptor >= 0 || errno != EACCES ? descriptor
                                              : open(path, flags | O_TRUNC);
}

struct whole_file *whole_file_open(
    void *context, const char *path, enum whole_file_place place)
{
    struct whole_file *file = talloc_zero(context, struct whole_file);
    int descriptor, error;

    assert(file != NULL);
    file->place = place;
    if (strcmp(path, "-") == 0) {
        file->standard = true;
        return file;
    }
    file->path = path_of(file, path);
    talloc_set_destructor(file, give_up);
    descriptor = open_descriptor(file, path);
    if (descriptor >= 0 && output_stream_open(&file->stream, descriptor)) {
        return file;
    }
    error = errno;
    talloc_free(file);
    errno = error;
    return NULL;
}

FILE *whole_file_stream(const struct whole_file *file)
{
    return file->standard ? stdout : file->stream.out;
}

/* The name that it is waited for under. */
static bool put_in_place(struct whole_file *file)
{
    bool done = file->place == WHOLE_FILE_NEW
                    ? link(file->made, file->path) == 0
                    : rename(file->made, file->path) == 0;
    int error = errno;

    if (!done || file->place == WHOLE_FILE_NEW) {
        unlink(file->made);
    }
    unfinished_remove(file->made);
    file->made = NULL;
    errno = error;
    return done;
}

bool whole_file_finish(struct whole_file *file)
{
    int error;

    if (file->standard) {
        return true;
    }
    assert(file->stream.out != NULL);
    error = output_stream_close(&file->stream);
    if (close(file->stream.file) != 0 && error == 0) {
        error = errno;
    }
    if (error != 0) {
        errno = error;
        return false; /* freeing it removes it */
    }
    return file->made == NULL || put_in_place(file);
}
