/* test_bars.c - bars, and lists and commands beside them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <talloc.h>

#include "tests/mutation/bars.h"
#include "tests/mutation/program_tests.h"
#include "tests/rows.h"

/* Of REPOSITORY/sim/pmu three ran, two of them noticed, one by the suite; of
 * REPOSITORY/sim one more, which nobody did. */
static json_t *four_lines(void)
{
    json_t *lines = json_array();
    static const char *const line[][3] = {
        {"/sim/pmu/pmu.c", "caught", "expectation"},
        {"/sim/pmu/pmc.c", "caught", "module_tests"},
        {"/sim/pmu/pmc.c", "survived", NULL},
        {"/sim/pmu/pmc.c", "stillborn", NULL},
        {"/sim/pmu_other.c", "survived", NULL},
    };

    for (size_t i = 0; i < sizeof(line) / sizeof(line[0]); i++) {
        char file[1024];

        snprintf(file, sizeof(file), "%s%s", REPOSITORY, line[i][0]);
        json_array_append_new(lines, json_pack("{ss ss ss*}", "file", file,
                                         "end", line[i][1], "how", line[i][2]));
    }
    return lines;
}

static struct bar_row {
    const char *name, *text;
    int ran, noticed;
    bool held;
} bar_rows[] = {
    {"some", "66 some " REPOSITORY "/sim/pmu\n", 3, 2, true},
    {"some_missed", "67 some " REPOSITORY "/sim/pmu\n", 3, 2, false},
    {"suite", "33 suite " REPOSITORY "/sim/pmu\n", 3, 1, true},
    {"suite_missed", "34 suite " REPOSITORY "/sim/pmu\n", 3, 1, false},
    {"all_of_a_file", "100 some " REPOSITORY "/sim/pmu/pmu.c\n", 1, 1, true},
    {"places_together",
        "50 some " REPOSITORY "/sim/pmu/pmu.c " REPOSITORY "/sim/pmu/pmc.c\n",
        3, 2, true},
    {"above", "50 some " REPOSITORY "/sim\n", 4, 2, true},
    {"where_nothing_ran", "100 some " REPOSITORY "/api\n", 0, 0, true},
    {"remarks_are_none", "# one\n\n66 some " REPOSITORY "/sim/pmu\n", 3, 2,
        true},
};

static void bar_row(void **state)
{
    const struct bar_row *row = *state;
    void *memory = talloc_new(NULL);
    const char *problem = NULL;
    json_t *lines = four_lines();
    json_t *bars = bars_measure(memory, "b", row->text, lines, &problem);
    const json_t *bar = json_array_get(bars, 0);
    FILE *out = fopen("/dev/null", "w");

    assert_int_equal(json_array_size(bars), 1);
    assert_int_equal(json_integer_value(json_object_get(bar, "ran")), row->ran);
    assert_int_equal(
        json_integer_value(json_object_get(bar, "noticed")), row->noticed);
    assert_int_equal(json_is_true(json_object_get(bar, "held")), row->held);
    assert_int_equal(bars_print(bars, out), row->held);
    fclose(out);
    json_decref(bars);
    json_decref(lines);
    talloc_free(memory);
}

/* One that is held behind it does not make up for it. */
static void one_missed_is_enough(void **state)
{
    void *memory = talloc_new(NULL);
    const char *problem = NULL;
    json_t *lines = four_lines();
    json_t *bars = bars_measure(memory, "b",
        "100 some " REPOSITORY "/sim\n100 some " REPOSITORY "/sim/pmu/pmu.c\n",
        lines, &problem);
    FILE *out = fopen("/dev/null", "w");

    (void)state;
    assert_int_equal(json_array_size(bars), 2);
    assert_false(bars_print(bars, out));
    fclose(out);
    json_decref(bars);
    json_decref(lines);
    talloc_free(memory);
}

static struct refuse_row {
    const char *name, *text, *want;
} refuse_rows[] = {
    {"no_number", "all some " REPOSITORY "\n",
        "b:1: a bar is PERCENT, suite or some, and places"},
    {"too_much", "101 some " REPOSITORY "\n",
        "b:1: a bar is PERCENT, suite or some, and places"},
    {"by_nobody", "\n90 any " REPOSITORY "\n",
        "b:2: a bar is PERCENT, suite or some, and places"},
    {"nowhere", "90 some\n",
        "b:1: a bar is PERCENT, suite or some, and places"},
    {"place_that_is_gone", "90 some " REPOSITORY " " REPOSITORY "/none\n",
        "b:1: there is no " REPOSITORY "/none"},
};

static void refuse_row(void **state)
{
    const struct refuse_row *row = *state;
    void *memory = talloc_new(NULL);
    const char *problem = NULL;
    json_t *lines = json_array();

    assert_null(bars_measure(memory, "b", row->text, lines, &problem));
    assert_non_null(problem);
    assert_string_equal(problem, row->want);
    json_decref(lines);
    talloc_free(memory);
}

static void commands_are_what_a_shell_reads(void **state)
{
    json_t *listing = json_loads(
        "{\"tests\":[{\"name\":\"a.b\",\"command\":[\"/bin/x\",\"it's\","
        "\"a b\"]},{\"name\":\"c\",\"command\":[\"y\"],\"properties\":["
        "{\"name\":\"COST\",\"value\":2.0},"
        "{\"name\":\"WORKING_DIRECTORY\",\"value\":\"/a b\"}]}]}",
        0, NULL);
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);

    (void)state;
    program_tests_print(listing, out);
    fclose(out);
    assert_string_equal(
        text, "a.b\t'/bin/x' 'it'\\''s' 'a b'\nc\tenv -C '/a b' 'y'\n");
    free(text);
    json_decref(listing);
}

TEST_FILE(test_bars)
{
    TEST_ADD_ROWS(list, bar_row, bar_rows);
    test_add(list, "one_missed_is_enough", one_missed_is_enough, NULL);
    TEST_ADD_ROWS(list, refuse_row, refuse_rows);
    test_add(list, "commands_are_what_a_shell_reads",
        commands_are_what_a_shell_reads, NULL);
}
