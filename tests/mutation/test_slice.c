/* test_slice.c - the list of fixed mutants. */
#include <talloc.h>

#include "tests/mutation/slice.h"
#include "tests/rows.h"

#define ENTRY "file: a.c\nbefore: x < y\nafter: x > y\ncovers: A-01 B-02\n"

static void entries_are_read(void **state)
{
    void *memory = talloc_new(NULL);
    const char *problem = NULL;
    const struct slice *slice = slice_read(memory, "s",
        "# of the arbiter\n" ENTRY
        "\n\nfile: b.c\nbefore: f();\nafter:\ncovers: C-03\n",
        &problem);

    (void)state;
    assert_non_null(slice);
    assert_int_equal(slice->count, 2);
    assert_string_equal(slice->item[0].file, "a.c");
    assert_string_equal(slice->item[0].before, "x < y");
    assert_string_equal(slice->item[0].after, "x > y");
    assert_string_equal(slice->item[0].covers[0], "A-01");
    assert_string_equal(slice->item[0].covers[1], "B-02");
    assert_null(slice->item[0].covers[2]);
    assert_int_equal(slice->item[0].line, 2);
    assert_string_equal(slice->item[1].after, "");
    assert_int_equal(slice->item[1].line, 8);
    talloc_free(memory);
}

#define WHOLE                                                                  \
    " an entry has each of file:, before:, after: and covers: (up to 4 "       \
    "requirements) once"

static struct refuse_row {
    const char *name, *text, *want;
} refuse_rows[] = {
    {"unknown_key", "file: a.c\nkind: x\n", "s:2:" WHOLE},
    {"key_twice", "file: a.c\nfile: b.c\n", "s:2:" WHOLE},
    {"key_without_value", "file:\n", "s:1:" WHOLE},
    {"key_missing", "file: a.c\nbefore: x\nafter: y\n", "s:1:" WHOLE},
    {"key_missing_before_the_next", "file: a.c\nbefore: x\n\n" ENTRY,
        "s:3:" WHOLE},
    {"five_requirements", "covers: A B C D E\n", "s:1:" WHOLE},
};

static void refuse_row(void **state)
{
    const struct refuse_row *row = *state;
    void *memory = talloc_new(NULL);
    const char *problem = NULL;

    assert_null(slice_read(memory, "s", row->text, &problem));
    assert_non_null(problem);
    assert_string_equal(problem, row->want);
    talloc_free(memory);
}

static struct locate_row {
    const char *name, *text;
    size_t at; /* where `problem` is NULL */
    const char *problem;
} locate_rows[] = {
    {"at_the_start", "x < y", 0, NULL},
    {"after_lines_that_moved_it", "\n\n    x < y;", 6, NULL},
    {"gone", "x <= y", 0,
        "s:9: 'x < y' stands no longer in a.c: name text that stands there "
        "once, or choose another mutant"},
    {"twice", "x < y x < y", 0,
        "s:9: 'x < y' stands more than once in a.c: name text that stands "
        "there once, or choose another mutant"},
};

static void locate_row(void **state)
{
    const struct locate_row *row = *state;
    const struct slice_entry entry = {
        .file = "a.c", .before = "x < y", .line = 9};
    void *memory = talloc_new(NULL);
    const char *problem = NULL;
    size_t at = 99;

    if (row->problem == NULL) {
        assert_true(
            slice_locate(memory, &entry, "s", row->text, &at, &problem));
        assert_int_equal(at, row->at);
    } else {
        assert_false(
            slice_locate(memory, &entry, "s", row->text, &at, &problem));
        assert_string_equal(problem, row->problem);
    }
    talloc_free(memory);
}

TEST_FILE(test_slice)
{
    test_add(list, "entries_are_read", entries_are_read, NULL);
    TEST_ADD_ROWS(list, refuse_row, refuse_rows);
    TEST_ADD_ROWS(list, locate_row, locate_rows);
}
