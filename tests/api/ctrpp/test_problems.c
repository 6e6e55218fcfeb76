/* test_problems.c - the order in which what is wrong with a manifest is said,
 * and what a full list leaves out. */
#include "api/ctrpp/problems.h"

#include <talloc.h>

#include "api/ctrpp/limits.h"
#include "tests/rows.h"

enum { ADDED = 3 };

/* Codes are CTR201 for D, CTR211, the one of the whole, for U. */
static struct order_row {
    const char *name;
    const char *code; /* of each */
    uint32_t line[ADDED];
    uint32_t want[ADDED]; /* their lines in order */
} order_rows[] = {
    {"as_they_came", "DDD", {1, 2, 3}, {1, 2, 3}},
    {"by_their_places", "DDD", {2, 3, 1}, {1, 2, 3}},
    {"whole_manifest_first", "DDU", {1, 2, 3}, {3, 1, 2}},
    {"whole_manifest_stays_first", "UDD", {3, 1, 2}, {3, 1, 2}},
    {"two_of_the_whole_by_their_places", "UDU", {3, 1, 2}, {2, 3, 1}},
};

static void order_row(void **state)
{
    const struct order_row *row = *state;
    struct manifest_problems *problems = manifest_problems_new(NULL);

    for (size_t i = 0; i < ADDED; i++) {
        manifest_problem_add(problems,
            row->code[i] == 'U' ? MANIFEST_PROBLEM_USER_MODE
                                : MANIFEST_PROBLEM_DUPLICATE,
            (struct manifest_place){row->line[i], 1, 0}, "problem");
    }
    assert_int_equal(problems->count, ADDED);
    for (size_t i = 0; i < ADDED; i++) {
        assert_int_equal(problems->item[i].place.line, row->want[i]);
    }
    talloc_free(problems);
}

static void full_list_has_what_is_of_the_whole(void **state)
{
    struct manifest_problems *problems = manifest_problems_new(NULL);
    const struct manifest_place behind = {MANIFEST_MOST_PROBLEMS + 1, 1, 0};

    (void)state;
    for (uint32_t i = 0; i < MANIFEST_MOST_PROBLEMS; i++) {
        manifest_problem_add(problems, MANIFEST_PROBLEM_DUPLICATE,
            (struct manifest_place){i + 1, 1, 0}, "problem");
    }
    manifest_problem_add(
        problems, MANIFEST_PROBLEM_DUPLICATE, behind, "one too many");
    manifest_problem_hint(problems, "of none");
    assert_int_equal(problems->dropped, 1);
    assert_null(problems->item[MANIFEST_MOST_PROBLEMS - 1].hint);

    manifest_problem_add(problems, MANIFEST_PROBLEM_USER_MODE, behind, "whole");
    manifest_problem_hint(problems, "of the whole");
    assert_int_equal(problems->count, MANIFEST_MOST_PROBLEMS);
    assert_int_equal(problems->dropped, 2);
    assert_int_equal(problems->errors, MANIFEST_MOST_PROBLEMS + 2);
    assert_string_equal(problems->item[0].message, "whole");
    assert_string_equal(problems->item[0].hint, "of the whole");
    assert_int_equal(problems->item[MANIFEST_MOST_PROBLEMS - 1].place.line,
        MANIFEST_MOST_PROBLEMS - 1);
    talloc_free(problems);
}

TEST_FILE(test_problems)
{
    TEST_ADD_ROWS(list, order_row, order_rows);
    test_add(list, "full_list_has_what_is_of_the_whole",
        full_list_has_what_is_of_the_whole, NULL);
}
