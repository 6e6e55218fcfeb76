/* driver_files.h - the driver images that the command line allows: the only
 * machine code that a scenario can run. */
#ifndef RUNNER_RUN_DRIVER_FILES_H
#define RUNNER_RUN_DRIVER_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct patch;

struct driver_file {
    const char *name; /* without directory */
    const char *path;
    uint8_t *bytes; /* NULL: could not be read */
    size_t size;
    const char *error;         /* why */
    size_t ordered_bytes;      /* image_scanner_ordered() */
    const struct patch *known; /* what image_scan_file() finds; NULL: nobody has
                                  looked */
};

struct driver_files;

/* Of files and of directories, whose images are looked up by name. Nothing is
 * read yet. Child of `context`. */
struct driver_files *driver_files_new(
    void *context, const char *const *allowed, size_t count);

/* The first path that does not lead anywhere; NULL: all do. */
const char *driver_files_missing(const struct driver_files *files);

/* The n-th path that was allowed; NULL after the last one. */
const char *driver_files_allowed(const struct driver_files *files, size_t n);

/* The image of this name, read the first time. NULL: it was not allowed. */
struct driver_file *driver_files_find(
    struct driver_files *files, const char *name);

#endif
