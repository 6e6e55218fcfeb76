/* test_instance_path.c - names of instances taken apart, and masks of them. */
#include <talloc.h>

#include "scenarios/runner/counters/instance_path.h"
#include "tests/rows.h"

static struct parent_row {
    const char *name, *of, *want; /* NULL: it has none */
} parent_rows[] = {
    {"no_slash", "lake", NULL},
    {"no_name", "", NULL},
    {"parent_and_instance", "lake/a", "lake"},
    {"second_slash_is_the_instances", "lake/a/b", "lake"},
    {"nothing_before_the_slash", "/a", NULL},
    {"nothing_behind_the_slash", "lake/", NULL},
    {"number_is_the_instances", "lake/a#1", "lake"},
    {"beyond_ascii", "\xC3\xA9/a", "\xC3\xA9"},
};

static void parent_row(void **state)
{
    const struct parent_row *row = *state;
    char *parent = instance_path_parent(NULL, row->of);

    if (row->want == NULL) {
        assert_null(parent);
    } else {
        assert_non_null(parent);
        assert_string_equal(parent, row->want);
    }
    talloc_free(parent);
}

static struct mask_row {
    const char *name, *of, *mask;
    bool want;
} mask_rows[] = {
    {"itself", "lake", "lake", true},
    {"in_other_case", "lake", "LAKE", true},
    {"beginning_alone", "lakes", "lake", false},
    {"any_end", "lakes", "lake*", true},
    {"any_character", "lake", "l?ke", true},
    {"any_name_has_a_parent_or_not", "lake/a", "*", true},
    {"any_of_the_parent", "lake/a", "lake/*", true},
    {"any_of_another_parent", "lake/a", "sea/*", false},
    {"that_of_any_parent", "lake/a", "*/a", true},
    {"another_of_any_parent", "lake/ab", "*/a", false},
    {"without_a_parent", "a", "*/a", false},
    {"star_ends_at_the_slash", "lake/a/b", "*/b", false},
    {"number_of_equal_ones", "lake/a#1", "lake/a#1", true},
    {"first_of_equal_ones", "lake/a#1", "lake/a", false},
    {"mask_that_begins_with_a_slash", "/a", "/a", true},
};

static void mask_row(void **state)
{
    const struct mask_row *row = *state;

    assert_int_equal(instance_path_meets(row->of, row->mask), row->want);
}

TEST_FILE(test_instance_path)
{
    TEST_ADD_ROWS(list, parent_row, parent_rows);
    TEST_ADD_ROWS(list, mask_row, mask_rows);
}
