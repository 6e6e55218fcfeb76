/* test_source.c - a file's text by line and column, and files that cannot be
 * read. */
#define _POSIX_C_SOURCE 200809L
#include <sys/stat.h>
#include <unistd.h>

#include "tests/runner/text_file.h"

/* "ab", "é€", an empty line, "c" with CR, and what follows the last end. */
static const char sample[] = "ab\n\xC3\xA9\xE2\x82\xAC\n\nc\r\n";

static struct mark_row {
    const char *name;
    size_t offset;
    size_t want_line, want_column;
} mark_rows[] = {
    {"first_byte_is_1_1", 0, 1, 1},
    {"second_byte_is_1_2", 1, 1, 2},
    {"end_of_a_line_belongs_to_it", 2, 1, 3},
    {"first_byte_of_the_second_line", 3, 2, 1},
    {"character_after_two_bytes", 5, 2, 2},
    {"end_after_five_bytes_of_two_characters", 8, 2, 3},
    {"empty_line", 9, 3, 1},
    {"fourth_line", 10, 4, 1},
    {"carriage_return_is_a_character", 11, 4, 2},
    {"end_of_the_file_is_a_line_of_its_own", 13, 5, 1},
};

static void mark_row(void **state)
{
    const struct mark_row *row = *state;
    struct text_file file;
    struct mark mark;

    text_file_init(&file, sample);
    mark = source_mark(file.source, row->offset);
    assert_int_equal(mark.line, row->want_line);
    assert_int_equal(mark.column, row->want_column);
    text_file_release(&file);
}

static struct line_row {
    const char *name;
    size_t line;
    const char *want;
} line_rows[] = {
    {"first_line_has_no_end", 1, "ab"},
    {"line_has_all_its_bytes", 2, "\xC3\xA9\xE2\x82\xAC"},
    {"empty_line_is_empty", 3, ""},
    {"line_loses_its_carriage_return", 4, "c"},
    {"last_line_is_what_follows_the_last_end", 5, ""},
};

static void line_row(void **state)
{
    const struct line_row *row = *state;
    struct text_file file;
    const char *line;
    size_t length = 99;

    text_file_init(&file, sample);
    line = source_line(file.source, row->line, &length);
    assert_int_equal(length, strlen(row->want));
    assert_memory_equal(line, row->want, length);
    text_file_release(&file);
}

static struct count_row {
    const char *name;
    const char *text;
    size_t want;
} count_rows[] = {
    {"empty_file_has_one_line", "", 1},
    {"line_without_end_is_a_line", "a", 1},
    {"end_begins_another_line", "a\n", 2},
    {"two_ends_are_three_lines", "\n\n", 3},
};

static void count_row(void **state)
{
    const struct count_row *row = *state;
    struct text_file file;

    text_file_init(&file, row->text);
    assert_int_equal(file.source->line_count, row->want);
    text_file_release(&file);
}

/* A file of a test's own, with this content. */
static char *make_file(void *memory, const char *text, size_t length)
{
    char *path = talloc_strdup(memory, "/tmp/ntpmu_source_XXXXXX");
    int file = mkstemp(path);

    assert_true(file >= 0);
    assert_int_equal(write(file, text, length), length);
    close(file);
    return path;
}

static void file_is_read_with_its_bytes(void **state)
{
    void *memory = talloc_new(NULL);
    char *path = make_file(memory, "a\0b\nc", 5);
    const char *problem = NULL;
    struct source *source = source_from_file(memory, path, 100, &problem);

    (void)state;
    unlink(path);
    assert_non_null(source);
    assert_null(problem);
    assert_string_equal(source->path, path);
    assert_int_equal(source->length, 5);
    assert_memory_equal(source->text, "a\0b\nc", 6);
    assert_int_equal(source->line_count, 2);
    talloc_free(memory);
}

static struct limit_row {
    const char *name;
    size_t limit;
    bool want;
} limit_rows[] = {
    {"file_as_large_as_the_limit_is_read", 5, true},
    {"file_one_byte_larger_is_not_read", 4, false},
};

static void limit_row(void **state)
{
    const struct limit_row *row = *state;
    void *memory = talloc_new(NULL);
    char *path = make_file(memory, "abcde", 5);
    const char *problem = NULL;
    struct source *source =
        source_from_file(memory, path, row->limit, &problem);

    unlink(path);
    assert_int_equal(source != NULL, row->want);
    if (!row->want) {
        assert_string_equal(problem, "is larger than the limit of 1 MiB");
    }
    talloc_free(memory);
}

static void missing_file_is_told_by_the_host_s_words(void **state)
{
    void *memory = talloc_new(NULL);
    char *path = make_file(memory, "", 0);
    const char *problem = NULL;

    (void)state;
    unlink(path);
    assert_null(source_from_file(memory, path, 100, &problem));
    assert_string_equal(problem, "No such file or directory");
    talloc_free(memory);
}

static struct special_row {
    const char *name;
    bool directory; /* else a pipe with a name, which nobody writes to */
} special_rows[] = {
    {"directory_is_not_read", true},
    {"pipe_is_not_waited_for", false},
};

static void special_row(void **state)
{
    const struct special_row *row = *state;
    void *memory = talloc_new(NULL);
    char *path = make_file(memory, "", 0);
    const char *problem = NULL;
    struct source *source;

    unlink(path);
    assert_int_equal(
        row->directory ? mkdir(path, 0700) : mkfifo(path, 0600), 0);
    source = source_from_file(memory, path, 100, &problem);
    assert_int_equal(remove(path), 0);
    assert_null(source);
    assert_string_equal(problem, "is not a regular file");
    talloc_free(memory);
}

TEST_FILE(test_source)
{
    TEST_ADD_ROWS(list, mark_row, mark_rows);
    TEST_ADD_ROWS(list, line_row, line_rows);
    TEST_ADD_ROWS(list, count_row, count_rows);
    TEST_ADD_ROWS(list, limit_row, limit_rows);
    TEST_ADD_ROWS(list, special_row, special_rows);
    test_add(
        list, "file_is_read_with_its_bytes", file_is_read_with_its_bytes, NULL);
    test_add(list, "missing_file_is_told_by_the_host_s_words",
        missing_file_is_told_by_the_host_s_words, NULL);
}
