/* test_text_edit.c - changes to a text. */
#define _POSIX_C_SOURCE 200809L
#include "scenarios/runner/text/text_edit.h"

#include "tests/runner/text_file.h"

static struct edit_row {
    const char *name;
    struct text_edit edit[2]; /* of "one two" */
    size_t want_count;
    const char *want;
} edit_rows[] = {
    {"nothing_is_changed", {{0, 0, ""}, {7, 0, ""}}, 0, "one two"},
    {"what_reads_so_already_is_no_change", {{0, 3, "one"}, {4, 1, "t"}}, 0,
        "one two"},
    {"beginning_and_end", {{0, 0, "<"}, {7, 0, ">"}}, 2, "<one two>"},
    {"neighbours", {{0, 3, "1"}, {3, 4, ""}}, 2, "1"},
    {"longer_and_shorter", {{1, 1, "xyz"}, {4, 3, "2"}}, 2, "oxyze 2"},
};

static void edit_row(void **state)
{
    const struct edit_row *row = *state;
    struct text_edits *edits = text_edits_new(NULL, "one two", 7);
    size_t length = 0;

    for (size_t i = 0; i < 2; i++) {
        const struct text_edit *edit = &row->edit[i];

        text_edits_add(edits, edit->offset, edit->length, edit->with);
    }
    assert_int_equal(edits->count, row->want_count);
    assert_string_equal(text_edits_apply(edits, edits, &length), row->want);
    assert_int_equal(length, strlen(row->want));
    talloc_free(edits);
}

TEST_FILE(test_text_edit)
{
    TEST_ADD_ROWS(list, edit_row, edit_rows);
}
