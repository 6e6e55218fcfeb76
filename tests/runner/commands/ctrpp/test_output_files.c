/* test_output_files.c - outputs are written all together or not at all, and
 * never over what they are made of. */
#define _POSIX_C_SOURCE 200809L
#include "scenarios/runner/commands/ctrpp/output_files.h"

#include <fcntl.h>
#include <unistd.h>

#include "tests/runner/directory.h"

static char *read_back(const char *path)
{
    char text[64] = "";
    FILE *file = fopen(path, "rb");
    size_t size;

    assert_non_null(file);
    size = fread(text, 1, sizeof(text) - 1, file);
    fclose(file);
    text[size] = '\0';
    return talloc_strdup(path, text);
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

static void all_are_written(void **state)
{
    char *directory = directory_new(NULL);
    const struct output_file file[] = {
        {directory_path(directory, "a"), "first\n", 6},
        {directory_path(directory, "b"), "second\n", 7},
    };

    (void)state;
    assert_int_equal(
        output_files_check(file, 2, directory_path(directory, "m")), EXIT_OK);
    assert_int_equal(output_files_write(file, 2), EXIT_OK);
    assert_string_equal(read_back(file[0].path), "first\n");
    assert_string_equal(read_back(file[1].path), "second\n");
    assert_int_equal(entries_in(directory), 2);
    directory_remove(directory);
    talloc_free(directory);
}

/* The directory of the second goes between the check and the writing. */
static void none_is_written_when_one_cannot_be(void **state)
{
    char *directory = directory_new(NULL);
    const struct output_file file[] = {
        {directory_path(directory, "a"), "new\n", 4},
        {directory_path(directory, "gone/b"), "new\n", 4},
    };

    (void)state;
    directory_write(directory, "a", "old\n");
    assert_int_equal(output_files_write(file, 2), EXIT_INTERNAL);
    assert_string_equal(read_back(file[0].path), "old\n");
    assert_int_equal(entries_in(directory), 1);
    directory_remove(directory);
    talloc_free(directory);
}

static void bytes_of_any_kind_are_written(void **state)
{
    char *directory = directory_new(NULL);
    const struct output_file file = {
        directory_path(directory, "a"), "\0a\0b", 4};
    struct stat status;

    (void)state;
    assert_int_equal(output_files_write(&file, 1), EXIT_OK);
    assert_int_equal(stat(file.path, &status), 0);
    assert_int_equal(status.st_size, 4);
    directory_remove(directory);
    talloc_free(directory);
}

/* Several may go there; none is replaced by a file. */
static void devices_take_what_is_written(void **state)
{
    char *directory = directory_new(NULL);
    const struct output_file file[] = {
        {"/dev/null", "first\n", 6},
        {directory_path(directory, "a"), "second\n", 7},
        {"/dev/null", "third\n", 6},
    };
    struct stat status;

    (void)state;
    assert_int_equal(
        output_files_check(file, 3, directory_path(directory, "m")), EXIT_OK);
    assert_int_equal(output_files_write(file, 3), EXIT_OK);
    assert_string_equal(read_back(file[1].path), "second\n");
    assert_int_equal(stat("/dev/null", &status), 0);
    assert_true(S_ISCHR(status.st_mode));
    assert_int_equal(entries_in(directory), 1);
    directory_remove(directory);
    talloc_free(directory);
}

static void nothing_is_written_when_a_device_fails(void **state)
{
    char *directory = directory_new(NULL);
    const struct output_file file[] = {
        {directory_path(directory, "a"), "new\n", 4},
        {"/dev/full", "new\n", 4},
    };

    (void)state;
    assert_int_equal(
        output_files_check(file, 2, directory_path(directory, "m")), EXIT_OK);
    assert_int_equal(output_files_write(file, 2), EXIT_INTERNAL);
    assert_int_equal(entries_in(directory), 0);
    directory_remove(directory);
    talloc_free(directory);
}

static void mode_and_link_stay(void **state)
{
    char *directory = directory_new(NULL);
    const struct output_file file = {
        directory_path(directory, "link"), "new\n", 4};
    struct stat status;

    (void)state;
    directory_write(directory, "a", "old\n");
    assert_int_equal(chmod(directory_path(directory, "a"), 0640), 0);
    assert_int_equal(symlink("a", file.path), 0);
    assert_int_equal(output_files_write(&file, 1), EXIT_OK);
    assert_int_equal(lstat(file.path, &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    assert_int_equal(stat(file.path, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0640);
    assert_string_equal(read_back(directory_path(directory, "a")), "new\n");
    directory_remove(directory);
    talloc_free(directory);
}

/* Paths below a directory that has the files m and n, a link to m, one to
 * nothing and one to itself, and a directory that is called d. */
static struct refused_row {
    const char *name;
    const char *first, *second;
    enum exit_code want;
} refused_rows[] = {
    {"two_others", "a", "b", EXIT_OK},
    {"over_a_file", "n", "b", EXIT_OK},
    {"over_the_input", "m", "b", EXIT_USAGE},
    {"over_a_link_to_the_input", "b", "link", EXIT_USAGE},
    {"over_the_input_by_another_way", "b", "./../DIRECTORY/m", EXIT_USAGE},
    {"into_one_file", "a", "a", EXIT_USAGE},
    {"into_one_file_by_another_way", "a", "./a", EXIT_USAGE},
    {"over_the_input_and_into_no_directory", "m", "none/b", EXIT_USAGE},
    {"into_a_directory_that_is_not_there", "none/a", "b", EXIT_INTERNAL},
    {"over_a_directory", ".", "b", EXIT_INTERNAL},
    {"with_a_slash_behind", "a/", "b", EXIT_INTERNAL},
    {"over_a_directory_with_a_name", "d", "b", EXIT_INTERNAL},
    {"into_a_file", "n/a", "b", EXIT_INTERNAL},
    {"over_a_link_to_nothing", "b", "nowhere", EXIT_INTERNAL},
    {"over_a_link_to_itself", "b", "itself", EXIT_INTERNAL},
    {"with_a_name_too_long", "b",
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
        "a",
        EXIT_INTERNAL},
};

static void refused_row(void **state)
{
    const struct refused_row *row = *state;
    char *directory = directory_new(NULL);
    const char *name = strrchr(directory, '/') + 1;
    const char *placeholder = strstr(row->second, "DIRECTORY");
    const struct output_file file[] = {
        {directory_path(directory, row->first), "", 0},
        {placeholder == NULL
                ? directory_path(directory, row->second)
                : talloc_asprintf(directory, "%s/./../%s/m", directory, name),
            "", 0},
    };

    directory_write(directory, "m", "");
    directory_write(directory, "n", "");
    assert_int_equal(symlink("m", directory_path(directory, "link")), 0);
    assert_int_equal(symlink("o", directory_path(directory, "nowhere")), 0);
    assert_int_equal(symlink("itself", directory_path(directory, "itself")), 0);
    assert_int_equal(mkdir(directory_path(directory, "d"), 0700), 0);
    assert_int_equal(
        output_files_check(file, 2, directory_path(directory, "m")), row->want);
    assert_int_equal(entries_in(directory), 6);
    assert_int_equal(rmdir(directory_path(directory, "d")), 0);
    directory_remove(directory);
    talloc_free(directory);
}

/* What the kernel alone can follow, as where /dev/stdout leads to. */
static void what_has_no_path_is_refused(void **state)
{
    char *directory = directory_new(NULL);
    const char *gone = directory_path(directory, "gone");
    struct output_file file = {NULL, "new\n", 4};
    int end[2], open_file;

    (void)state;
    assert_int_equal(pipe(end), 0);
    file.path = talloc_asprintf(directory, "/proc/self/fd/%d", end[1]);
    assert_int_equal(
        output_files_check(&file, 1, directory_path(directory, "m")),
        EXIT_INTERNAL);
    directory_write(directory, "gone", "old\n");
    open_file = open(gone, O_WRONLY | O_CLOEXEC);
    assert_true(open_file >= 0);
    assert_int_equal(unlink(gone), 0);
    file.path = talloc_asprintf(directory, "/proc/self/fd/%d", open_file);
    assert_int_equal(
        output_files_check(&file, 1, directory_path(directory, "m")),
        EXIT_INTERNAL);
    close(open_file);
    close(end[0]);
    close(end[1]);
    directory_remove(directory);
    talloc_free(directory);
}

/* A file in it, and a new one. Who may do everything is not refused. */
static void directory_must_be_writable(void **state)
{
    char *directory = directory_new(NULL);
    const struct output_file file[] = {
        {directory_path(directory, "a"), "new\n", 4},
        {directory_path(directory, "b"), "new\n", 4},
    };

    (void)state;
    directory_write(directory, "a", "old\n");
    assert_int_equal(chmod(directory, 0500), 0);
    for (size_t i = 0; i < 2 && geteuid() != 0; i++) {
        assert_int_equal(output_files_check(&file[i], 1, "m"), EXIT_INTERNAL);
        assert_int_equal(output_files_write(&file[i], 1), EXIT_INTERNAL);
    }
    assert_int_equal(chmod(directory, 0700), 0);
    assert_int_equal(chmod(file[0].path, 0400), 0);
    if (geteuid() != 0) {
        assert_int_equal(output_files_check(file, 2, "m"), EXIT_INTERNAL);
    }
    assert_string_equal(read_back(file[0].path), "old\n");
    directory_remove(directory);
    talloc_free(directory);
}

TEST_FILE(test_output_files)
{
    test_add(list, "all_are_written", all_are_written, NULL);
    test_add(list, "none_is_written_when_one_cannot_be",
        none_is_written_when_one_cannot_be, NULL);
    test_add(list, "bytes_of_any_kind_are_written",
        bytes_of_any_kind_are_written, NULL);
    test_add(list, "devices_take_what_is_written", devices_take_what_is_written,
        NULL);
    test_add(list, "nothing_is_written_when_a_device_fails",
        nothing_is_written_when_a_device_fails, NULL);
    test_add(list, "mode_and_link_stay", mode_and_link_stay, NULL);
    test_add(
        list, "what_has_no_path_is_refused", what_has_no_path_is_refused, NULL);
    test_add(
        list, "directory_must_be_writable", directory_must_be_writable, NULL);
    TEST_ADD_ROWS(list, refused_row, refused_rows);
}
