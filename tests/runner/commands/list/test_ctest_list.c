/* test_ctest_list.c - instances as the lines that CTest reads: brackets in ids,
 * tags, and files that are broken (docs/scenarios.md). */
#define _POSIX_C_SOURCE 200809L
#include "scenarios/runner/commands/list/ctest_list.h"
#include "tests/runner/scenario/scenario_text.h"

/* A suite that was not read from files. */
struct listing {
    void *memory;
    struct suite suite;
    struct scenario_text text;
    const char *broken[1];
};

static void print_list(const void *argument, FILE *out)
{
    const struct listing *listing = argument;

    ctest_list(&listing->suite, out);
}

static void init(struct listing *listing, const char *text)
{
    *listing = (struct listing){.memory = talloc_new(NULL)};
    scenario_text_read(&listing->text, text);
    text_file_assert_errors(&listing->text.file, "");
    listing->suite.instances = &listing->text.outline->instances;
}

static void assert_list(struct listing *listing, const char *want)
{
    assert_string_equal(text_of(listing->memory, print_list, listing), want);
    scenario_text_release(&listing->text);
    talloc_free(listing->memory);
}

static void instance_is_a_test_that_runs_it(void **state)
{
    struct listing listing;

    (void)state;
    init(&listing, HEAD STEPS_OK);
    assert_list(&listing,
        "string(CONCAT name \"${NTPMU_PREFIX}\" [==[t]==])\n"
        "add_test(\"${name}\" \"${NTPMU_PROGRAM}\" run ${NTPMU_OPTIONS} "
        "[==[t.yaml]==] --id "
        "[==[t]==])\n"
        "set_tests_properties(\"${name}\" PROPERTIES TIMEOUT 60 "
        "SKIP_RETURN_CODE 77 ENVIRONMENT XDG_CACHE_HOME=/dev/null LABELS "
        "\"scenario\")\n");
}

static void tags_are_labels(void **state)
{
    struct listing listing;

    (void)state;
    init(&listing, HEAD "tags: [hal, smoke]\n" STEPS_OK);
    assert_list(&listing,
        "string(CONCAT name \"${NTPMU_PREFIX}\" [==[t]==])\n"
        "add_test(\"${name}\" \"${NTPMU_PROGRAM}\" run ${NTPMU_OPTIONS} "
        "[==[t.yaml]==] --id "
        "[==[t]==])\n"
        "set_tests_properties(\"${name}\" PROPERTIES TIMEOUT 60 "
        "SKIP_RETURN_CODE 77 ENVIRONMENT XDG_CACHE_HOME=/dev/null LABELS "
        "\"scenario;hal;smoke\")\n");
}

static void id_with_brackets_stays_one_word(void **state)
{
    struct listing listing;

    (void)state;
    init(&listing, HEAD "matrix: {os: [WIN7], arch: [x86]}\n" STEPS_OK);
    assert_list(&listing,
        "string(CONCAT name \"${NTPMU_PREFIX}\" "
        "[==[t[os=WIN7,arch=x86]]==])\n"
        "add_test(\"${name}\" \"${NTPMU_PROGRAM}\" run ${NTPMU_OPTIONS} "
        "[==[t.yaml]==] --id "
        "[==[t[os=WIN7,arch=x86]]==])\n"
        "set_tests_properties(\"${name}\" PROPERTIES TIMEOUT 60 "
        "SKIP_RETURN_CODE 77 ENVIRONMENT XDG_CACHE_HOME=/dev/null LABELS "
        "\"scenario\")\n");
}

static void broken_file_is_a_test_that_validates_it(void **state)
{
    struct listing listing;

    (void)state;
    init(&listing, HEAD STEPS_OK);
    listing.suite.instances->count = 0;
    listing.broken[0] = "some where/b.yaml";
    listing.suite.broken = listing.broken;
    listing.suite.broken_count = 1;
    assert_list(&listing,
        "string(CONCAT name \"${NTPMU_PREFIX}invalid \" [==[some "
        "where/b.yaml]==])\n"
        "add_test(\"${name}\" \"${NTPMU_PROGRAM}\" validate [==[some "
        "where/b.yaml]==])\n");
}

static void nothing_is_listed_of_nothing(void **state)
{
    struct listing listing;

    (void)state;
    init(&listing, HEAD STEPS_OK);
    listing.suite.instances->count = 0;
    assert_list(&listing, "");
}

/* A path, and the bracket argument that holds it. */
static struct path_row {
    const char *name;
    const char *path;
    const char *want;
} path_rows[] = {
    {"path_with_blanks", "a b.yaml", "[==[a b.yaml]==]"},
    {"path_with_a_semicolon_and_quotes", "a;\"b.yaml", "[==[a;\"b.yaml]==]"},
    {"path_with_other_brackets", "a]]b]=]c.yaml", "[==[a]]b]=]c.yaml]==]"},
    {"path_with_the_closing_bracket", "a]==]b.yaml", "[===[a]==]b.yaml]===]"},
    {"path_with_two_closing_brackets", "a]===]b]==]c.yaml",
        "[====[a]===]b]==]c.yaml]====]"},
    {"path_that_ends_like_a_closing_bracket", "x]==", "[===[x]==]===]"},
    {"path_with_the_longer_closing_bracket", "a]===]b.yaml",
        "[==[a]===]b.yaml]==]"},
};

static void path_row(void **state)
{
    const struct path_row *row = *state;
    struct listing listing;
    char *want;

    init(&listing, HEAD STEPS_OK);
    listing.text.file.source->path = row->path;
    listing.broken[0] = row->path;
    listing.suite.broken = listing.broken;
    listing.suite.broken_count = 1;
    want = talloc_asprintf(listing.memory,
        "string(CONCAT name \"${NTPMU_PREFIX}\" [==[t]==])\n"
        "add_test(\"${name}\" \"${NTPMU_PROGRAM}\" run ${NTPMU_OPTIONS} %s "
        "--id [==[t]==])\n"
        "set_tests_properties(\"${name}\" PROPERTIES TIMEOUT 60 "
        "SKIP_RETURN_CODE 77 ENVIRONMENT XDG_CACHE_HOME=/dev/null LABELS "
        "\"scenario\")\n"
        "string(CONCAT name \"${NTPMU_PREFIX}invalid \" %s)\n"
        "add_test(\"${name}\" \"${NTPMU_PROGRAM}\" validate %s)\n",
        row->want, row->want, row->want);
    assert_list(&listing, want);
}

TEST_FILE(test_ctest_list)
{
    test_add(list, "instance_is_a_test_that_runs_it",
        instance_is_a_test_that_runs_it, NULL);
    test_add(list, "tags_are_labels", tags_are_labels, NULL);
    test_add(list, "id_with_brackets_stays_one_word",
        id_with_brackets_stays_one_word, NULL);
    test_add(list, "broken_file_is_a_test_that_validates_it",
        broken_file_is_a_test_that_validates_it, NULL);
    test_add(list, "nothing_is_listed_of_nothing", nothing_is_listed_of_nothing,
        NULL);
    TEST_ADD_ROWS(list, path_row, path_rows);
}
