/* test_requirement_family.c - which family an id is of. */
#include <talloc.h>

#include "scenarios/runner/language/requirements.h"
#include "tests/rows.h"

static struct family_row {
    const char *name;
    const char *id;
    const char *want;
} family_rows[] = {
    {"family_of_two_words", "HAL-ALLOC-11", "HAL-ALLOC"},
    {"family_of_an_id_with_a_letter", "KHC-SET-04a", "KHC-SET"},
    {"family_of_one_word", "LOCK-08", "LOCK"},
};

static void family_row(void **state)
{
    const struct family_row *row = *state;
    char *family = requirement_family(NULL, row->id);

    assert_string_equal(family, row->want);
    talloc_free(family);
}

static struct kin_row {
    const char *name;
    const char *id, *other;
    bool want;
} kin_rows[] = {
    {"same_id", "LOCK-08", "LOCK-08", true},
    {"letter_of_the_same_number", "KHC-SET-04a", "KHC-SET-04b", true},
    {"other_number", "HAL-ALLOC-11", "HAL-ALLOC-35a", true},
    {"other_family", "HAL-ALLOC-11", "HAL-FREE-11", false},
    {"family_that_begins_alike", "PCW-CLS-01", "PCW-CL-01", false},
    {"family_with_another_word", "PCW-01", "PCW-REG-01", false},
    {"family_with_a_word_less", "PCW-REG-01", "PCW-01", false},
};

static void kin_row(void **state)
{
    const struct kin_row *row = *state;

    assert_int_equal(requirement_is_kin(row->id, row->other), row->want);
}

TEST_FILE(test_requirement_family)
{
    TEST_ADD_ROWS(list, family_row, family_rows);
    TEST_ADD_ROWS(list, kin_row, kin_rows);
}
