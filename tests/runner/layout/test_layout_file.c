/* test_layout_file.c - which texts are laid out, and files that are replaced.
 */
#define _POSIX_C_SOURCE 200809L
#include "scenarios/runner/layout/layout_file.h"

#include <errno.h>

#include "tests/runner/directory.h"
#include "tests/runner/text_file.h"

static struct result_row {
    const char *name;
    const char *text;
    enum layout_result want;
    const char *want_text; /* NULL: none */
} result_rows[] = {
    {"file_that_is_laid_out", "ntpmu: 1\n", LAYOUT_CLEAN, NULL},
    {"file_that_is_not", "ntpmu:  [ ]", LAYOUT_CHANGED, "ntpmu:  []\n"},
    {"only_line_ends_differ", "ntpmu: 1\r\n", LAYOUT_CHANGED, "ntpmu: 1\n"},
    {"other_first_key", "other:  [ ]\n", LAYOUT_OTHER, NULL},
    {"no_mapping", "[ntpmu ]\n", LAYOUT_OTHER, NULL},
    {"only_a_comment", "  # ntpmu: 1\n", LAYOUT_OTHER, NULL},
    {"not_yaml", "ntpmu: [\n", LAYOUT_INVALID, NULL},
    {"error_in_a_tree", "ntpmu: 1\nntpmu:  2\n", LAYOUT_INVALID, NULL},
    {"error_in_a_file_of_others", "other: &a 1\n", LAYOUT_INVALID, NULL},
};

static void result_row(void **state)
{
    const struct result_row *row = *state;
    const struct source *made;
    struct text_file file;

    text_file_init(&file, row->text);
    assert_int_equal(
        layout_file_lay_out(file.memory, file.source, file.diagnostics, &made),
        row->want);
    assert_int_equal(
        diagnostics_errors(file.diagnostics) > 0, row->want == LAYOUT_INVALID);
    assert_int_equal(made != NULL, row->want_text != NULL);
    if (made != NULL) {
        assert_string_equal(made->text, row->want_text);
    }
    text_file_release(&file);
}

static void assert_file(
    const char *directory, const char *name, const char *want, mode_t want_mode)
{
    const char *problem = NULL;
    char *path = directory_path(directory, name);
    const struct source *source =
        source_from_file((void *)path, path, 1000, &problem);
    struct stat status;

    assert_non_null(source);
    assert_string_equal(source->text, want);
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(status.st_mode & 07777, want_mode);
}

static size_t count_entries(const char *directory)
{
    DIR *stream = opendir(directory);
    size_t count = 0;

    assert_non_null(stream);
    while (readdir(stream) != NULL) {
        count++;
    }
    closedir(stream);
    return count - 2; /* without . and .. */
}

static void file_is_replaced_and_keeps_its_mode(void **state)
{
    void *memory = talloc_new(NULL);
    char *directory = directory_new(memory);
    char *path = directory_path(directory, "a.yaml");

    (void)state;
    directory_write(directory, "a.yaml", "old");
    assert_int_equal(chmod(path, 0641), 0);
    assert_true(layout_file_replace(path, "new text", 8));
    assert_file(directory, "a.yaml", "new text", 0641);
    assert_int_equal(count_entries(directory), 1);
    directory_remove(directory);
    talloc_free(memory);
}

static void link_stays_one(void **state)
{
    void *memory = talloc_new(NULL);
    char *directory = directory_new(memory);
    char *path = directory_path(directory, "link.yaml");
    struct stat status;

    (void)state;
    directory_make(directory, "below");
    directory_write(directory, "below/a.yaml", "old");
    assert_int_equal(chmod(directory_path(directory, "below/a.yaml"), 0600), 0);
    assert_int_equal(symlink("below/a.yaml", path), 0);
    assert_true(layout_file_replace(path, "new", 3));
    assert_int_equal(lstat(path, &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    assert_file(directory, "below/a.yaml", "new", 0600);
    assert_int_equal(count_entries(directory), 2);
    directory_remove(directory);
    talloc_free(memory);
}

static void file_that_is_not_there_is_not_made(void **state)
{
    void *memory = talloc_new(NULL);
    char *directory = directory_new(memory);

    (void)state;
    assert_false(
        layout_file_replace(directory_path(directory, "a.yaml"), "new", 3));
    assert_int_equal(errno, ENOENT);
    assert_int_equal(count_entries(directory), 0);
    directory_remove(directory);
    talloc_free(memory);
}

/* A directory cannot be replaced by a file, whoever the user is. */
static void nothing_is_left_when_it_cannot_be_replaced(void **state)
{
    void *memory = talloc_new(NULL);
    char *directory = directory_new(memory);

    (void)state;
    directory_make(directory, "a.yaml");
    assert_false(
        layout_file_replace(directory_path(directory, "a.yaml"), "new", 3));
    assert_int_equal(errno, EISDIR);
    assert_int_equal(count_entries(directory), 1);
    directory_remove(directory);
    talloc_free(memory);
}

TEST_FILE(test_layout_file)
{
    TEST_ADD_ROWS(list, result_row, result_rows);
    test_add(list, "file_is_replaced_and_keeps_its_mode",
        file_is_replaced_and_keeps_its_mode, NULL);
    test_add(list, "link_stays_one", link_stays_one, NULL);
    test_add(list, "file_that_is_not_there_is_not_made",
        file_that_is_not_there_is_not_made, NULL);
    test_add(list, "nothing_is_left_when_it_cannot_be_replaced",
        nothing_is_left_when_it_cannot_be_replaced, NULL);
}
