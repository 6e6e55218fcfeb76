/* test_selection.c - which instances are left by the filters, in which order,
 * and what is said when none is. */
#define _POSIX_C_SOURCE 200809L
#include "scenarios/runner/selection/history.h"
#include "scenarios/runner/selection/language_kinds.h"
#include "scenarios/runner/selection/selection.h"
#include "tests/runner/directory.h"
#include "tests/runner/text_file.h"

#define SCENARIO(id, matrix)                                                   \
    "ntpmu: 1\nid: " id "\ntitle: Test\n" matrix "steps:\n"                    \
    "- {call: KeGetCurrentIrql, expect: {returns: 0, covers: "                 \
    "[IRQL-GEN-01]}}\n"
#define BIT(name) (1u << RESULT_##name)

/* Of the instances many[os=WIN7], many[os=WIN8], one, two. */
static struct select_row {
    const char *name;
    struct options options;
    const char *history; /* the file of last results; NULL: there is none */
    const char *want;    /* what is left, in order */
    enum exit_code want_code;
    const char *want_said;
} select_rows[] = {
    {"nothing_asked_for_is_all", {.jobs = 1}, NULL,
        "many[os=WIN7] many[os=WIN8] one two", EXIT_OK, ""},
    {"id_of_a_scenario", {.id = {{"many"}, 1}}, NULL,
        "many[os=WIN7] many[os=WIN8]", EXIT_OK, ""},
    {"id_of_an_instance", {.id = {{"many[os=WIN8]"}, 1}}, NULL, "many[os=WIN8]",
        EXIT_OK, ""},
    {"two_ids_in_the_listed_order", {.id = {{"two", "many[os=WIN8]"}, 2}}, NULL,
        "many[os=WIN8] two", EXIT_OK, ""},
    {"id_of_an_instance_and_of_its_scenario",
        {.id = {{"many", "many[os=WIN8]"}, 2}}, NULL,
        "many[os=WIN7] many[os=WIN8]", EXIT_OK, ""},
    {"part_of_an_id", {.id = {{"man"}, 1}}, NULL, "", EXIT_NOTHING,
        "ntpmu: no instance or scenario 'man'\n"},
    {"empty_id", {.id = {{""}, 1}}, NULL, "", EXIT_NOTHING,
        "ntpmu: no instance or scenario ''\n"},
    {"unknown_ids_beside_a_known_one", {.id = {{"x", "one", "y"}, 3}}, NULL, "",
        EXIT_NOTHING,
        "ntpmu: no instance or scenario 'x'\n"
        "ntpmu: no instance or scenario 'y'\n"},
    {"reverse", {.order = ORDER_REVERSE}, NULL,
        "two one many[os=WIN8] many[os=WIN7]", EXIT_OK, ""},
    {"random_of_a_seed", {.order = ORDER_RANDOM, .seed = 1}, NULL,
        "one many[os=WIN7] two many[os=WIN8]", EXIT_OK, ""},
    {"random_of_another_seed", {.order = ORDER_RANDOM, .seed = 2}, NULL,
        "many[os=WIN7] many[os=WIN8] two one", EXIT_OK, ""},
    {"first_shard", {.shard = 1, .shards = 2}, NULL, "many[os=WIN7]", EXIT_OK,
        ""},
    {"second_shard", {.shard = 2, .shards = 2}, NULL, "many[os=WIN8] one two",
        EXIT_OK, ""},
    {"empty_shard", {.id = {{"one"}, 1}, .shard = 1, .shards = 1000}, NULL, "",
        EXIT_NOTHING,
        "ntpmu: nothing selected: --shard takes none of 1 instance\n"},
    {"status_without_last_results", {.statuses = BIT(FAIL)}, NULL, "",
        EXIT_USAGE,
        "ntpmu: there are no last results of this directory: No such file or "
        "directory\n       run once without --filter-status\n"},
    {"smart_without_last_results", {.order = ORDER_SMART}, NULL, "", EXIT_USAGE,
        "ntpmu: there are no last results of this directory: No such file or "
        "directory\n       run once without --order smart\n"},
    {"status_with_broken_last_results", {.statuses = BIT(FAIL)}, "FAIL\tone\n",
        "", EXIT_USAGE,
        "ntpmu: there are no last results of this directory: it is not a file "
        "of last results of this version\n"
        "       run once without --filter-status\n"},
    {"status", {.statuses = BIT(FAIL) | BIT(CRASH)},
        "ntpmu last results 2 0\nCRASH\ttwo\nPASS\tmany[os=WIN7]\n"
        "FAIL\tmany[os=WIN8]\nERROR\tone\n",
        "many[os=WIN8] two", EXIT_OK, ""},
    {"status_of_one_that_never_ran", {.statuses = BIT(PASS)},
        "ntpmu last results 2 0\nPASS\ttwo\nPASS\tmany[os=WIN7]\n"
        "FAIL\tmany[os=WIN8]\n",
        "many[os=WIN7] two", EXIT_OK,
        "ntpmu: --filter-status leaves out 1 that has not been run before\n"},
    {"status_that_none_has", {.statuses = BIT(TIMEOUT)},
        "ntpmu last results 2 0\nPASS\ttwo\nFAIL\tother\n", "", EXIT_NOTHING,
        "ntpmu: nothing selected: --filter-status takes none of 4 instances\n"
        "ntpmu: --filter-status leaves out 3 that have not been run before\n"},
    {"smart", {.order = ORDER_SMART},
        "ntpmu last results 2 0\nCRASH\ttwo\nSKIP\tone\n"
        "FAIL\tmany[os=WIN8]\n",
        "many[os=WIN8] two many[os=WIN7] one", EXIT_OK, ""},
    {"id_and_status", {.id = {{"two", "one"}, 2}, .statuses = BIT(FAIL)},
        "ntpmu last results 2 0\nFAIL\ttwo\nPASS\tone\nFAIL\tmany[os=WIN8]\n",
        "two", EXIT_OK, ""},
};

static char *ids(void *memory, const struct suite *suite)
{
    char *text = talloc_strdup(memory, "");

    for (size_t i = 0; i < suite->instances->count; i++) {
        text = talloc_asprintf_append(
            text, "%s%s", i == 0 ? "" : " ", suite->instances->item[i].id);
    }
    return text;
}

/* Puts the file of last results where it is looked for. */
static void write_history(const char *directory, const char *text)
{
    const char *path;

    assert_int_equal(setenv("XDG_CACHE_HOME", directory, 1), 0);
    if (text != NULL) {
        path = history_path(NULL);
        directory_make(directory, "ntpmu");
        directory_write(directory, path + strlen(directory) + 1, text);
        talloc_free((void *)(uintptr_t)path);
    }
}

static void select_row(void **state)
{
    const struct select_row *row = *state;
    void *memory = talloc_new(NULL);
    char *directory = directory_new(memory);
    char *said = NULL;
    size_t length = 0;
    FILE *errors = open_memstream(&said, &length);
    struct suite *suite;
    enum exit_code code;

    directory_write(
        directory, "a.yaml", SCENARIO("many", "matrix: {os: [WIN7, WIN8]}\n"));
    directory_write(directory, "b.yaml", SCENARIO("one", ""));
    directory_write(directory, "c.yaml", SCENARIO("two", ""));
    write_history(directory, row->history);
    suite = suite_read(memory, &language_kinds, &directory, 1);
    assert_int_equal(suite->instances->count, 4);
    code = selection_apply(suite, &row->options, errors);
    fclose(errors);
    assert_string_equal(said, row->want_said);
    assert_int_equal(code, row->want_code);
    assert_string_equal(ids(memory, suite), row->want);
    free(said);
    directory_remove(directory);
    talloc_free(memory);
}

/* A hundred shards have each instance once. */
static void shards_have_every_instance_once(void **state)
{
    void *memory = talloc_new(NULL);
    char *directory = directory_new(memory);
    FILE *nowhere = fopen("/dev/null", "w");
    size_t total = 0;

    (void)state;
    assert_non_null(nowhere);
    directory_write(
        directory, "a.yaml", SCENARIO("many", "matrix: {os: [WIN7, WIN8]}\n"));
    directory_write(directory, "b.yaml", SCENARIO("one", ""));
    for (uint32_t shard = 1; shard <= 100; shard++) {
        const struct options options = {.shard = shard, .shards = 100};
        struct suite *suite =
            suite_read(memory, &language_kinds, &directory, 1);

        selection_apply(suite, &options, nowhere);
        total += suite->instances->count;
    }
    fclose(nowhere);
    assert_int_equal(total, 3);
    directory_remove(directory);
    talloc_free(memory);
}

TEST_FILE(test_selection)
{
    TEST_ADD_ROWS(list, select_row, select_rows);
    test_add(list, "shards_have_every_instance_once",
        shards_have_every_instance_once, NULL);
}
