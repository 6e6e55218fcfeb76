/* driver_files.c - the images of drivers that the command line allows, found by
 * name, read once and kept. */
#include "scenarios/runner/run/driver_files.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <talloc.h>
#include <unistd.h>

#include "scenarios/runner/yaml/source.h"

enum { DRIVER_FILE_BYTES = 64 << 20 };

struct driver_files {
    const char *const *allowed;
    size_t allowed_count;
    struct driver_file **item; /* that were asked for */
    size_t count;
};

struct driver_files *driver_files_new(
    void *context, const char *const *allowed, size_t count)
{
    struct driver_files *files = talloc_zero(context, struct driver_files);

    assert(files != NULL);
    files->allowed = allowed;
    files->allowed_count = count;
    return files;
}

const char *driver_files_missing(const struct driver_files *files)
{
    for (size_t i = 0; i < files->allowed_count; i++) {
        if (access(files->allowed[i], R_OK) != 0) {
            return files->allowed[i];
        }
    }
    return NULL;
}

const char *driver_files_allowed(const struct driver_files *files, size_t n)
{
    return n < files->allowed_count ? files->allowed[n] : NULL;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash == NULL ? path : slash + 1;
}

/* Where the image is; NULL: nowhere that is allowed. */
static const char *locate(struct driver_files *files, const char *name)
{
    for (size_t i = 0; i < files->allowed_count; i++) {
        const char *path = files->allowed[i];
        struct stat status;

        if (stat(path, &status) != 0 || !S_ISDIR(status.st_mode)) {
            if (strcasecmp(base_name(path), name) == 0) {
                return path;
            }
            continue;
        }
        path = talloc_asprintf(files, "%s/%s", path, name);
        if (stat(path, &status) == 0 && S_ISREG(status.st_mode)) {
            return path;
        }
    }
    return NULL;
}

static void read_file(struct driver_file *file)
{
    FILE *stream = source_open(file->path, &file->error);
    struct stat status;

    if (stream == NULL) {
        return;
    }
    if (fstat(fileno(stream), &status) != 0) {
        file->error = strerror(errno);
    } else if (status.st_size > DRIVER_FILE_BYTES) {
        file->error = "is larger than 64 MiB";
    } else {
        size_t size = (size_t)status.st_size;

        file->bytes = talloc_array(file, uint8_t, (unsigned)size + 1);
        assert(file->bytes != NULL);
        file->size = fread(file->bytes, 1, size, stream);
        if (file->size != size) {
            file->error = "it cannot be read to its end";
        }
    }
    fclose(stream);
}

struct driver_file *driver_files_find(
    struct driver_files *files, const char *name)
{
    struct driver_file *file;
    const char *path;

    for (size_t i = 0; i < files->count; i++) {
        if (strcasecmp(files->item[i]->name, name) == 0) {
            return files->item[i];
        }
    }
    path = locate(files, name);
    if (path == NULL) {
        return NULL;
    }
    files->item = talloc_realloc(
        files, files->item, struct driver_file *, (unsigned)files->count + 1);
    file = talloc_zero(files, struct driver_file);
    assert(files->item != NULL && file != NULL);
    file->name = talloc_strdup(file, name);
    file->path = path;
    read_file(file);
    files->item[files->count++] = file;
    return file;
}
