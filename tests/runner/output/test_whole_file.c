/* test_whole_file.c - a file is under its name when it is whole, and why it
 * could not be written is known. */
#define _GNU_SOURCE
#include "scenarios/runner/output/whole_file.h"

#include <dirent.h>
#include <errno.h>
#include <sys/stat.h>

#include "scenarios/runner/output/unfinished.h"
#include "tests/runner/directory.h"

static char *read_back(const char *path)
{
    static char text[100];
    FILE *in = fopen(path, "r");
    size_t got;

    if (in == NULL) {
        return NULL;
    }
    got = fread(text, 1, sizeof(text) - 1, in);
    text[got] = '\0';
    fclose(in);
    return text;
}

static size_t entries_in(const char *directory)
{
    DIR *stream = opendir(directory);
    size_t count = 0;

    assert_non_null(stream);
    while (readdir(stream) != NULL) {
        count++;
    }
    closedir(stream);
    return count - 2; /* . and .. */
}

static struct whole_file *begin(
    const char *path, enum whole_file_place place, const char *text)
{
    struct whole_file *file = whole_file_open(NULL, path, place);

    assert_non_null(file);
    fputs(text, whole_file_stream(file));
    return file;
}

static void replaces_a_file_when_it_is_whole(void **state)
{
    char *directory = directory_new(NULL);
    char *path = directory_path(directory, "a");
    struct whole_file *file;
    struct stat status;

    (void)state;
    directory_write(directory, "a", "old");
    assert_int_equal(chmod(path, 0640), 0);
    file = begin(path, WHOLE_FILE_ANY, "new");
    assert_int_equal(fflush(whole_file_stream(file)), 0);
    assert_string_equal(read_back(path), "old");
    assert_true(whole_file_finish(file));
    assert_string_equal(read_back(path), "new");
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0640);
    talloc_free(file);
    assert_int_equal(entries_in(directory), 1);
    directory_remove(directory);
    talloc_free(directory);
}

static void leaves_nothing_when_it_is_given_up(void **state)
{
    char *directory = directory_new(NULL);
    char *path = directory_path(directory, "a");
    struct whole_file *file = begin(path, WHOLE_FILE_ANY, "new");

    (void)state;
    assert_int_equal(entries_in(directory), 1);
    talloc_free(file);
    assert_int_equal(entries_in(directory), 0);
    directory_remove(directory);
    talloc_free(directory);
}

/* As a handler of a signal does. */
static void is_removed_by_what_ends_the_program(void **state)
{
    char *directory = directory_new(NULL);
    struct whole_file *file =
        begin(directory_path(directory, "a"), WHOLE_FILE_ANY, "new");

    (void)state;
    unfinished_unlink();
    assert_int_equal(entries_in(directory), 0);
    talloc_free(file);
    directory_remove(directory);
    talloc_free(directory);
}

/* The other comes between. */
static void new_file_takes_nobodys_place(void **state)
{
    char *directory = directory_new(NULL);
    char *path = directory_path(directory, "a");
    struct whole_file *file = begin(path, WHOLE_FILE_NEW, "new");

    (void)state;
    directory_write(directory, "a", "other");
    assert_false(whole_file_finish(file));
    assert_int_equal(errno, EEXIST);
    talloc_free(file);
    assert_string_equal(read_back(path), "other");
    assert_int_equal(entries_in(directory), 1);
    assert_null(whole_file_open(NULL, path, WHOLE_FILE_NEW));
    assert_int_equal(errno, EEXIST);
    directory_remove(directory);
    talloc_free(directory);
}

static void link_leads_to_what_is_replaced(void **state)
{
    char *directory = directory_new(NULL);
    struct whole_file *file;
    struct stat status;

    (void)state;
    directory_write(directory, "a", "old");
    assert_int_equal(symlink("a", directory_path(directory, "b")), 0);
    file = begin(directory_path(directory, "b"), WHOLE_FILE_ANY, "new");
    assert_true(whole_file_finish(file));
    talloc_free(file);
    assert_string_equal(read_back(directory_path(directory, "a")), "new");
    assert_int_equal(lstat(directory_path(directory, "b"), &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    directory_remove(directory);
    talloc_free(directory);
}

static void device_that_is_full_is_told_of(void **state)
{
    struct whole_file *file = begin("/dev/full", WHOLE_FILE_ANY, "text");

    (void)state;
    assert_false(whole_file_finish(file));
    assert_int_equal(errno, ENOSPC);
    talloc_free(file);
}

static void directory_is_no_file(void **state)
{
    char *directory = directory_new(NULL);

    (void)state;
    assert_null(whole_file_open(NULL, directory, WHOLE_FILE_ANY));
    assert_int_equal(errno, EISDIR);
    assert_null(whole_file_open(
        NULL, directory_path(directory, "none/a"), WHOLE_FILE_ANY));
    assert_int_equal(errno, ENOENT);
    directory_remove(directory);
    talloc_free(directory);
}

TEST_FILE(test_whole_file)
{
    test_add(list, "replaces_a_file_when_it_is_whole",
        replaces_a_file_when_it_is_whole, NULL);
    test_add(list, "leaves_nothing_when_it_is_given_up",
        leaves_nothing_when_it_is_given_up, NULL);
    test_add(list, "is_removed_by_what_ends_the_program",
        is_removed_by_what_ends_the_program, NULL);
    test_add(list, "new_file_takes_nobodys_place", new_file_takes_nobodys_place,
        NULL);
    test_add(list, "link_leads_to_what_is_replaced",
        link_leads_to_what_is_replaced, NULL);
    test_add(list, "device_that_is_full_is_told_of",
        device_that_is_full_is_told_of, NULL);
    test_add(list, "directory_is_no_file", directory_is_no_file, NULL);
}
