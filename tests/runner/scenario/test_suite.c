/* test_suite.c - the scenarios below the paths that were named: which files are
 * read, in which order, and what is wrong between them. */
#define _POSIX_C_SOURCE 200809L
#include "scenarios/runner/scenario/suite.h"
#include "scenarios/runner/selection/language_kinds.h"
#include "tests/runner/directory.h"
#include "tests/runner/text_file.h"

#define SCENARIO(id)                                                           \
    "ntpmu: 1\nid: " id "\ntitle: Test\nsteps:\n- {call: KeGetCurrentIrql, "   \
    "expect: {returns: 0, covers: [IRQL-GEN-01]}}\n"
#define MATRIX(id)                                                             \
    "ntpmu: 1\nid: " id "\ntitle: Test\nmatrix: {os: [WIN7, WIN8]}\nsteps:\n"  \
    "- {call: KeGetCurrentIrql, expect: {returns: 0, covers: "                 \
    "[IRQL-GEN-01]}}\n"
#define BROKEN "ntpmu: 1\nid: broken\ntitle: Test\nsteps: []\n"

/* A directory of a test's own, read as a suite. */
struct place {
    void *memory;
    char *directory;
    struct suite *suite;
};

static void init(struct place *place)
{
    place->memory = talloc_new(NULL);
    place->directory = directory_new(place->memory);
}

/* Reads these names in the directory; "" is the directory itself. */
static void read_names(
    struct place *place, const char *const *names, size_t count)
{
    char *path[4];

    assert_true(count <= 4);
    for (size_t i = 0; i < count; i++) {
        path[i] = names[i][0] == '\0'
                      ? place->directory
                      : directory_path(place->directory, names[i]);
    }
    place->suite = suite_read(place->memory, &language_kinds, path, count);
}

static void read_all(struct place *place)
{
    static const char *const all[] = {""};

    read_names(place, all, 1);
}

static void release(struct place *place)
{
    directory_remove(place->directory);
    talloc_free(place->memory);
}

static char *ids(const struct place *place)
{
    const struct instances *instances = place->suite->instances;
    char *text = talloc_strdup(place->memory, "");

    for (size_t i = 0; i < instances->count; i++) {
        text = talloc_asprintf_append_buffer(
            text, "%s%s", i == 0 ? "" : " ", instances->item[i].id);
    }
    return text;
}

static void print_errors(const void *argument, FILE *out)
{
    const struct place *place = argument;

    diagnostics_print(place->suite->diagnostics, out);
}

/* The errors, with the directory as D. */
static char *errors_of(struct place *place)
{
    char *text = text_of(place->memory, print_errors, place);
    char *at;

    while ((at = strstr(text, place->directory)) != NULL) {
        size_t length = strlen(place->directory);

        *at = 'D';
        memmove(at + 1, at + length, strlen(at + length) + 1);
    }
    return text;
}

static void files_are_read_in_order_of_their_paths(void **state)
{
    struct place place;

    (void)state;
    init(&place);
    directory_make(place.directory, "b");
    directory_write(place.directory, "c.yaml", SCENARIO("one"));
    directory_write(place.directory, "b/z.yaml", SCENARIO("two"));
    directory_write(place.directory, "b/a.yaml", SCENARIO("three"));
    directory_write(place.directory, "a.yaml", MATRIX("four"));
    read_all(&place);
    assert_string_equal(errors_of(&place), "");
    assert_string_equal(
        ids(&place), "four[os=WIN7] four[os=WIN8] three two one");
    assert_int_equal(place.suite->scenario_count, 4);
    release(&place);
}

static void paths_are_read_in_the_order_in_which_they_are_named(void **state)
{
    static const char *const names[] = {"b.yaml", "d", "a.yaml"};
    struct place place;

    (void)state;
    init(&place);
    directory_make(place.directory, "d");
    directory_write(place.directory, "a.yaml", SCENARIO("a"));
    directory_write(place.directory, "b.yaml", SCENARIO("b"));
    directory_write(place.directory, "d/c.yaml", SCENARIO("c"));
    read_names(&place, names, 3);
    assert_string_equal(ids(&place), "b c a");
    release(&place);
}

/* A file in the directory, beside a scenario. */
static struct file_row {
    const char *name;
    const char *file, *text;
    size_t want_scenarios, want_broken, want_other;
} file_rows[] = {
    {"scenario_is_read", "x.yaml", SCENARIO("x"), 2, 0, 0},
    {"file_with_another_ending_is_not_looked_at", "x.json", BROKEN, 1, 0, 0},
    {"short_ending_is_read", "x.yml", SCENARIO("x"), 2, 0, 0},
    {"ending_in_capitals_is_read", "x.YAML", SCENARIO("x"), 2, 0, 0},
    {"file_without_an_ending_is_not_looked_at", "yaml", BROKEN, 1, 0, 0},
    {"ending_alone_is_not_looked_at", ".yaml", BROKEN, 1, 0, 0},
    {"hidden_file_is_not_looked_at", ".x.yaml", BROKEN, 1, 0, 0},
    {"file_of_others_is_left_out", "x.yaml", "version: 3\n", 1, 0, 1},
    {"empty_file_is_left_out", "x.yaml", "", 1, 0, 1},
    {"file_with_errors_is_broken", "x.yaml", BROKEN, 1, 1, 0},
    {"file_that_is_no_yaml_is_broken", "x.yaml", "a: [\n", 1, 1, 0},
    {"requirements_are_no_scenario", "x.yaml",
        "ntpmu: 1\nrequirements: {X-01: {tag: D, source: s, text: t}}\n", 1, 0,
        0},
};

static void file_row(void **state)
{
    const struct file_row *row = *state;
    struct place place;

    init(&place);
    directory_write(place.directory, "a.yaml", SCENARIO("a"));
    directory_write(place.directory, row->file, row->text);
    read_all(&place);
    assert_int_equal(place.suite->scenario_count, row->want_scenarios);
    assert_int_equal(place.suite->broken_count, row->want_broken);
    assert_int_equal(place.suite->other_count, row->want_other);
    assert_int_equal(place.suite->instances->count, row->want_scenarios);
    assert_int_equal(diagnostics_errors(place.suite->diagnostics) != 0,
        row->want_broken != 0);
    release(&place);
}

static void file_of_others_that_is_named_is_an_error(void **state)
{
    static const char *const names[] = {"x.yaml"};
    struct place place;

    (void)state;
    init(&place);
    directory_write(place.directory, "x.yaml", "version: 3\n");
    read_names(&place, names, 1);
    assert_string_equal(errors_of(&place),
        "D/x.yaml: error[NTP0201]: the file is not a scenario\n"
        "      = its first key must be ntpmu: 1\n");
    assert_int_equal(place.suite->broken_count, 1);
    assert_int_equal(place.suite->other_count, 0);
    release(&place);
}

static void file_that_is_named_may_have_any_ending(void **state)
{
    static const char *const names[] = {"scenario.txt"};
    struct place place;

    (void)state;
    init(&place);
    directory_write(place.directory, "scenario.txt", SCENARIO("x"));
    read_names(&place, names, 1);
    assert_string_equal(ids(&place), "x");
    release(&place);
}

static void missing_path_is_an_error(void **state)
{
    static const char *const names[] = {"nowhere", "a.yaml"};
    struct place place;

    (void)state;
    init(&place);
    directory_write(place.directory, "a.yaml", SCENARIO("a"));
    read_names(&place, names, 2);
    assert_string_equal(errors_of(&place),
        "D/nowhere: error[NTP0101]: No such file or directory\n");
    assert_int_equal(place.suite->broken_count, 1);
    assert_string_equal(ids(&place), "a");
    release(&place);
}

static void same_id_in_two_files_names_both_places(void **state)
{
    struct place place;

    (void)state;
    init(&place);
    directory_write(place.directory, "a.yaml", SCENARIO("same"));
    directory_write(place.directory, "b.yaml", SCENARIO("same"));
    read_all(&place);
    assert_string_equal(errors_of(&place),
        "D/b.yaml:2:5: error[NTP0211]: id 'same' stands in two files\n"
        "    2 | id: same\n"
        "      |     ^~~~\n"
        "D/a.yaml:2:5: note: first used here\n"
        "    2 | id: same\n"
        "      |     ^~~~\n");
    assert_int_equal(place.suite->scenario_count, 1);
    assert_int_equal(place.suite->broken_count, 1);
    assert_string_equal(ids(&place), "same");
    release(&place);
}

static void errors_of_all_files_are_collected(void **state)
{
    struct place place;
    const char *errors;

    (void)state;
    init(&place);
    directory_write(place.directory, "a.yaml", BROKEN);
    directory_write(place.directory, "b.yaml", BROKEN);
    read_all(&place);
    errors = errors_of(&place);
    assert_int_equal(diagnostics_errors(place.suite->diagnostics), 2);
    assert_true(text_begins(errors, "D/a.yaml:4:8: error[NTP0205]"));
    assert_non_null(strstr(errors, "\nD/b.yaml:4:8: error[NTP0205]"));
    assert_int_equal(place.suite->scenario_count, 0);
    release(&place);
}

static void empty_directory_has_no_scenarios(void **state)
{
    struct place place;

    (void)state;
    init(&place);
    read_all(&place);
    assert_int_equal(place.suite->scenario_count, 0);
    assert_int_equal(place.suite->instances->count, 0);
    assert_string_equal(errors_of(&place), "");
    release(&place);
}

static void link_to_a_directory_is_not_followed(void **state)
{
    struct place place;

    (void)state;
    init(&place);
    directory_make(place.directory, "d");
    directory_write(place.directory, "d/a.yaml", SCENARIO("a"));
    assert_int_equal(symlink("..", directory_path(place.directory, "d/up")), 0);
    read_all(&place);
    assert_string_equal(ids(&place), "a");
    assert_string_equal(errors_of(&place), "");
    release(&place);
}

/* Of the file a.yaml and d/b.yaml, and a link to the first. */
static struct twice_row {
    const char *name;
    const char *path[3];
    size_t count;
    const char *want; /* the instances */
} twice_rows[] = {
    {"file_named_twice_is_read_once", {"a.yaml", "a.yaml"}, 2, "a"},
    {"file_named_three_times_is_read_once", {"a.yaml", "a.yaml", "a.yaml"}, 3,
        "a"},
    {"file_named_in_two_ways_is_read_once", {"a.yaml", "d/../a.yaml"}, 2, "a"},
    {"file_and_its_link_are_read_once", {"link.yaml", "a.yaml"}, 2, "a"},
    {"directory_named_twice_is_read_once", {"d", "d"}, 2, "b"},
    {"file_below_a_named_directory_is_read_once", {"d", "d/b.yaml"}, 2, "b"},
    {"file_before_its_directory_keeps_its_place", {"d/b.yaml", ""}, 2, "b a"},
};

static void twice_row(void **state)
{
    const struct twice_row *row = *state;
    struct place place;

    init(&place);
    directory_make(place.directory, "d");
    directory_write(place.directory, "a.yaml", SCENARIO("a"));
    directory_write(place.directory, "d/b.yaml", SCENARIO("b"));
    assert_int_equal(
        symlink("a.yaml", directory_path(place.directory, "link.yaml")), 0);
    read_names(&place, row->path, row->count);
    assert_string_equal(errors_of(&place), "");
    assert_string_equal(ids(&place), row->want);
    release(&place);
}

static void broken_file_named_twice_is_reported_once(void **state)
{
    static const char *const names[] = {"x.yaml", "x.yaml"};
    struct place place;

    (void)state;
    init(&place);
    directory_write(place.directory, "x.yaml", BROKEN);
    read_names(&place, names, 2);
    assert_int_equal(place.suite->broken_count, 1);
    assert_int_equal(diagnostics_errors(place.suite->diagnostics), 1);
    release(&place);
}

TEST_FILE(test_suite)
{
    TEST_ADD_ROWS(list, file_row, file_rows);
    test_add(list, "files_are_read_in_order_of_their_paths",
        files_are_read_in_order_of_their_paths, NULL);
    test_add(list, "paths_are_read_in_the_order_in_which_they_are_named",
        paths_are_read_in_the_order_in_which_they_are_named, NULL);
    test_add(list, "file_of_others_that_is_named_is_an_error",
        file_of_others_that_is_named_is_an_error, NULL);
    test_add(list, "file_that_is_named_may_have_any_ending",
        file_that_is_named_may_have_any_ending, NULL);
    test_add(list, "missing_path_is_an_error", missing_path_is_an_error, NULL);
    test_add(list, "same_id_in_two_files_names_both_places",
        same_id_in_two_files_names_both_places, NULL);
    test_add(list, "errors_of_all_files_are_collected",
        errors_of_all_files_are_collected, NULL);
    test_add(list, "empty_directory_has_no_scenarios",
        empty_directory_has_no_scenarios, NULL);
    test_add(list, "link_to_a_directory_is_not_followed",
        link_to_a_directory_is_not_followed, NULL);
    TEST_ADD_ROWS(list, twice_row, twice_rows);
    test_add(list, "broken_file_named_twice_is_reported_once",
        broken_file_named_twice_is_reported_once, NULL);
}
