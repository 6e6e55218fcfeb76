/* directory.h - a directory of a test's own, with files of a few lines. Who
 * includes it defines _POSIX_C_SOURCE. */
#ifndef TESTS_RUNNER_DIRECTORY_H
#define TESTS_RUNNER_DIRECTORY_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <talloc.h>
#include <unistd.h>

#include "tests/rows.h"

/* A new, empty directory; the path is a child of `memory`. */
static inline char *directory_new(void *memory)
{
    char *path = talloc_strdup(memory, "/tmp/ntpmu_test_XXXXXX");

    assert_non_null(path);
    assert_non_null(mkdtemp(path));
    return path;
}

/* The path of something in it, child of the directory's own. */
static inline char *directory_path(const char *directory, const char *name)
{
    return talloc_asprintf(directory, "%s/%s", directory, name);
}

static inline void directory_make(const char *directory, const char *name)
{
    assert_int_equal(mkdir(directory_path(directory, name), 0700), 0);
}

static inline void directory_write(
    const char *directory, const char *name, const char *text)
{
    FILE *file = fopen(directory_path(directory, name), "wb");

    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    fclose(file);
}

/* The same, but whoever watches the directory sees the whole file or none. */
static inline void directory_put(
    const char *directory, const char *name, const char *text)
{
    char *part = talloc_asprintf(directory, "%s.part", name);

    directory_write(directory, part, text);
    assert_int_equal(rename(directory_path(directory, part),
                         directory_path(directory, name)),
        0);
}

/* Removes it with everything in it. */
static inline void directory_remove(const char *directory)
{
    DIR *stream = opendir(directory);
    const struct dirent *entry;

    assert_non_null(stream);
    while ((entry = readdir(stream)) != NULL) {
        char *path = directory_path(directory, entry->d_name);
        struct stat status;

        if (strcmp(entry->d_name, ".") == 0 ||
            strcmp(entry->d_name, "..") == 0) {
            continue;
        }
        assert_int_equal(lstat(path, &status), 0);
        if (S_ISDIR(status.st_mode)) {
            directory_remove(path);
        } else {
            assert_int_equal(unlink(path), 0);
        }
    }
    closedir(stream);
    assert_int_equal(rmdir(directory), 0);
}

#endif
