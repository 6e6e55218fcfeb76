/* test_instance_names.c - what instances are shown as (PCW-CON-03). */
#include <talloc.h>

#include "scenarios/runner/counters/instance_names.h"
#include "tests/rows.h"

enum { NAMES = 5 };

static struct names_row {
    const char *name;
    const char *given[NAMES]; /* NULL after the last */
    const char *want[NAMES];
} names_rows[] = {
    {"each_has_its_own", {"lake", "sea", ""}, {"lake", "sea", ""}},
    {"repeats_are_numbered", {"lake", "sea", "lake", "lake"},
        {"lake", "sea", "lake#1", "lake#2"}},
    {"case_makes_no_difference", {"lake", "LAKE", "Lake"},
        {"lake", "LAKE#1", "Lake#2"}},
    {"case_beyond_ascii", {"\xC3\xA9", "\xC3\x89"}, {"\xC3\xA9", "\xC3\x89#1"}},
    {"number_that_another_has", {"lake", "LAKE", "Lake#1", "lake"},
        {"lake", "LAKE#2", "Lake#1", "lake#3"}},
    {"number_that_an_earlier_one_has", {"lake#1", "lake", "lake", "lake#1"},
        {"lake#1", "lake", "lake#2", "lake#1#1"}},
    {"those_without_a_name", {"", "", "#1"}, {"", "#2", "#1"}},
};

static void names_row(void **state)
{
    const struct names_row *row = *state;
    struct row item[NAMES] = {{.id = 0}};
    struct rows rows = {.item = item};
    const char **name;

    for (; row->given[rows.count] != NULL; rows.count++) {
        item[rows.count].name = row->given[rows.count];
    }
    name = instance_names(NULL, &rows);
    for (size_t i = 0; i < rows.count; i++) {
        assert_string_equal(name[i], row->want[i]);
    }
    talloc_free(name);
}

TEST_FILE(test_instance_names)
{
    TEST_ADD_ROWS(list, names_row, names_rows);
}
