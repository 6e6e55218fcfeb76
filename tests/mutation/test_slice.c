/* test_slice.c - the list of fixed mutants. */
#include <talloc.h>

#include "tests/mutation/slice.h"
#include "tests/rows.h"

#define ENTRY "file: a.c\nbefore: x < y\nafter: x > y\ntest: judged.a\n"

static void entries_are_read(void **state)
{
    void *memory = talloc_new(NULL);
    const char *problem = NULL;
    const struct slice *slice = slice_read(memory, "s",
        "# of the arbiter\n" ENTRY
        "\n\nfile: b.c\nbefore: f();\nafter:\ntest: failing.f\n",
        &problem);

    (void)state;
    assert_non_null(slice);
    assert_int_equal(slice->count, 2);
    assert_string_equal(slice->item[0].file, "a.c");
    assert_string_equal(slice->item[0].before, "x < y");
    assert_string_equal(slice->item[0].after, "x > y");
    assert_string_equal(slice->item[0].test, "judged.a");
    assert_int_equal(slice->item[0].line, 2);
    assert_string_equal(slice->item[1].after, "");
    assert_string_equal(slice->item[1].test, "failing.f");
    assert_int_equal(slice->item[1].line, 8);
    talloc_free(memory);
}

#define WHOLE " an entry has each of file:, before:, after: and test: once"

static struct refuse_row {
    const char *name, *text, *want;
} refuse_rows[] = {
    {"unknown_key", "file: a.c\nkind: x\n", "s:2:" WHOLE},
    {"key_twice", "file: a.c\nfile: b.c\n", "s:2:" WHOLE},
    {"key_without_value", "file:\n", "s:1:" WHOLE},
    {"key_missing", "file: a.c\nbefore: x\nafter: y\n", "s:1:" WHOLE},
    {"key_missing_before_the_next", "file: a.c\nbefore: x\n\n" ENTRY,
        "s:1:" WHOLE},
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

TEST_FILE(test_slice)
{
    test_add(list, "entries_are_read", entries_are_read, NULL);
    TEST_ADD_ROWS(list, refuse_row, refuse_rows);
}
