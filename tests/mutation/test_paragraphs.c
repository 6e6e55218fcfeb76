/* test_paragraphs.c - lists that are kept by hand, and what they point at. */
#include <talloc.h>

#include "tests/mutation/paragraphs.h"
#include "tests/rows.h"

static const struct paragraph_key keys[] = {
    {"one", false}, {"one_more", false}, {"after", true}};

static void keys_are_told_apart(void **state)
{
    void *memory = talloc_new(NULL);
    unsigned wrong;
    const struct paragraphs *list = paragraphs_read(memory,
        "# said\none: x: y\n\n\none_more:  b\n# said\nafter:\n", keys, 3,
        &wrong);

    (void)state;
    assert_non_null(list);
    assert_int_equal(list->count, 2);
    assert_string_equal(list->item[0].value[0], "x: y");
    assert_null(list->item[0].value[1]);
    assert_int_equal(list->item[0].line, 2);
    assert_null(list->item[1].value[0]);
    assert_string_equal(list->item[1].value[1], "b");
    assert_string_equal(list->item[1].value[2], "");
    assert_int_equal(list->item[1].line, 5);
    talloc_free(memory);
}

static struct wrong_row {
    const char *name, *text;
    unsigned line;
} wrong_rows[] = {
    {"unknown_key", "one: x\nother: y\n", 2},
    {"no_key", "one: x\n\nwords\n", 3},
    {"key_twice", "one: x\none: y\n", 2},
    {"key_without_value", "one:\n", 1},
};

static void wrong_row(void **state)
{
    const struct wrong_row *row = *state;
    void *memory = talloc_new(NULL);
    unsigned wrong = 0;

    assert_null(paragraphs_read(memory, row->text, keys, 3, &wrong));
    assert_int_equal(wrong, row->line);
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
    void *memory = talloc_new(NULL);
    const char *problem = NULL;
    size_t at = 99;

    assert_int_equal(paragraph_locate(memory, "x < y", "a.c", row->text, "s", 9,
                         &at, &problem),
        row->problem == NULL);
    if (row->problem == NULL) {
        assert_int_equal(at, row->at);
    } else {
        assert_string_equal(problem, row->problem);
    }
    talloc_free(memory);
}

TEST_FILE(test_paragraphs)
{
    test_add(list, "keys_are_told_apart", keys_are_told_apart, NULL);
    TEST_ADD_ROWS(list, wrong_row, wrong_rows);
    TEST_ADD_ROWS(list, locate_row, locate_rows);
}
