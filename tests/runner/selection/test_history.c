/* test_history.c - the file of last results: what is written is read again, and
 * what is not ours is refused. */
#define _POSIX_C_SOURCE 200809L
#include "scenarios/runner/run/verdict.h"
#include "scenarios/runner/selection/history.h"
#include "tests/runner/directory.h"

/* As of a file that was written with so many bytes of lines. */
#define HEAD(bytes) "ntpmu last results 2 " #bytes "\n"

/* In a directory of a test's own. */
struct place {
    void *memory;
    char *directory, *path;
    const char *problem;
};

static void init(struct place *place)
{
    place->memory = talloc_new(NULL);
    place->directory = directory_new(place->memory);
    place->path = directory_path(place->directory, "a/b/results");
    place->problem = NULL;
}

static void release(struct place *place)
{
    directory_remove(place->directory);
    talloc_free(place->memory);
}

static void update(struct place *place, const char *id, enum result result)
{
    struct history *history = history_new(place->memory);

    history_add(history, id, result);
    assert_true(history_update(place->path, history, &place->problem));
}

static void assert_file(const struct place *place, const char *want)
{
    char text[1000] = "";
    FILE *in = fopen(place->path, "r");

    assert_non_null(in);
    assert_true(fread(text, 1, sizeof(text) - 1, in) > 0);
    fclose(in);
    assert_string_equal(text, want);
}

static void assert_result(struct place *place, const char *id, enum result want)
{
    const struct history *history =
        history_read(place->memory, place->path, &place->problem);

    assert_non_null(history);
    assert_non_null(history_find(history, id));
    assert_int_equal(history_find(history, id)->result, want);
}

static void directories_are_made(void **state)
{
    struct place place;

    (void)state;
    init(&place);
    update(&place, "b", RESULT_FAIL);
    assert_file(&place, HEAD(7) "FAIL\tb\n");
    release(&place);
}

static void results_of_others_stay(void **state)
{
    struct place place;

    (void)state;
    init(&place);
    update(&place, "b", RESULT_FAIL);
    update(&place, "c", RESULT_SKIP);
    update(&place, "a[x=1,y=2]", RESULT_TIMEOUT);
    assert_file(&place, HEAD(7) "FAIL\tb\nSKIP\tc\nTIMEOUT\ta[x=1,y=2]\n");
    release(&place);
}

static void new_result_replaces_the_old_one(void **state)
{
    struct place place;

    (void)state;
    init(&place);
    update(&place, "b", RESULT_FAIL);
    update(&place, "b", RESULT_PASS);
    assert_result(&place, "b", RESULT_PASS);
    release(&place);
}

static void worst_of_several_rounds_counts(void **state)
{
    struct place place;
    struct history *history;

    (void)state;
    init(&place);
    history = history_new(place.memory);
    history_add(history, "b", RESULT_PASS);
    history_add(history, "b", RESULT_ERROR);
    history_add(history, "b", RESULT_FAIL);
    assert_true(history_update(place.path, history, &place.problem));
    assert_file(&place, HEAD(8) "ERROR\tb\n");
    release(&place);
}

/* What a program that was ended in the middle of a line has left. */
static void make_cut(struct place *place)
{
    directory_make(place->directory, "a");
    directory_make(place->directory, "a/b");
    directory_write(
        place->directory, "a/b/results", HEAD(7) "FAIL\tb\nPASS\tc\nSKI");
}

static void line_that_was_cut_off_is_left_out(void **state)
{
    struct place place;
    const struct history *history;

    (void)state;
    init(&place);
    make_cut(&place);
    history = history_read(place.memory, place.path, &place.problem);
    assert_non_null(history);
    assert_int_equal(history->count, 2);
    assert_result(&place, "c", RESULT_PASS);
    release(&place);
}

static void nothing_is_put_behind_a_line_that_was_cut_off(void **state)
{
    struct place place;

    (void)state;
    init(&place);
    make_cut(&place);
    update(&place, "a", RESULT_ERROR);
    assert_file(&place, HEAD(22) "FAIL\tb\nPASS\tc\nERROR\ta\n");
    release(&place);
}

/* Else whoever runs once more would be told the same again. */
static void file_of_ours_that_is_broken_goes_away(void **state)
{
    struct place place;

    (void)state;
    init(&place);
    directory_make(place.directory, "a");
    directory_make(place.directory, "a/b");
    directory_write(place.directory, "a/b/results", HEAD(7) "GOOD\tb\n");
    assert_null(history_read(place.memory, place.path, &place.problem));
    assert_int_equal(access(place.path, F_OK), -1);
    update(&place, "b", RESULT_FAIL);
    assert_result(&place, "b", RESULT_FAIL);
    release(&place);
}

/* It does not grow for ever: an id of 1,000 letters, 1,000 times. */
static void file_is_written_anew_now_and_then(void **state)
{
    struct place place;
    struct stat status;
    char id[1001];

    (void)state;
    init(&place);
    memset(id, 'x', sizeof(id) - 1);
    id[sizeof(id) - 1] = '\0';
    update(&place, "b", RESULT_FAIL);
    for (unsigned i = 0; i < 1000; i++) {
        update(&place, id, i % 2 == 0 ? RESULT_PASS : RESULT_SKIP);
    }
    assert_int_equal(stat(place.path, &status), 0);
    assert_true(status.st_size < 200000);
    assert_result(&place, id, RESULT_SKIP);
    assert_result(&place, "b", RESULT_FAIL);
    release(&place);
}

static struct replaced_row {
    const char *name, *text;
} replaced_rows[] = {
    {"empty", ""},
    {"without_a_line", "junk"},
    {"of_others", "junk\n"},
    {"without_bytes", "ntpmu last results 2\n"},
    {"of_one_line_alone_and_cut", HEAD(7) "GOOD"},
    {"of_one_long_line", "ntpmu last results 2 "
                         "0000000000000000000000000000000000000000000000\n"},
};

static void replaced_row(void **state)
{
    const struct replaced_row *row = *state;
    struct place place;

    init(&place);
    directory_make(place.directory, "a");
    directory_make(place.directory, "a/b");
    directory_write(place.directory, "a/b/results", row->text);
    update(&place, "b", RESULT_PASS);
    assert_file(&place, HEAD(7) "PASS\tb\n");
    release(&place);
}

static void file_in_the_current_directory(void **state)
{
    struct place place;

    (void)state;
    init(&place);
    assert_int_equal(chdir(place.directory), 0);
    place.path = talloc_strdup(place.directory, "results");
    update(&place, "b", RESULT_PASS);
    update(&place, "c", RESULT_FAIL);
    assert_file(&place, HEAD(7) "PASS\tb\nFAIL\tc\n");
    assert_int_equal(chdir("/"), 0);
    release(&place);
}

static void no_results_change_nothing(void **state)
{
    struct place place;

    (void)state;
    init(&place);
    update(&place, "b", RESULT_PASS);
    assert_true(
        history_update(place.path, history_new(place.memory), &place.problem));
    assert_file(&place, HEAD(7) "PASS\tb\n");
    release(&place);
}

static void file_that_cannot_be_written_is_told(void **state)
{
    struct place place;
    struct history *history;

    (void)state;
    init(&place);
    directory_write(place.directory, "a", "no directory");
    history = history_new(place.memory);
    history_add(history, "b", RESULT_PASS);
    assert_false(history_update(place.path, history, &place.problem));
    assert_string_equal(place.problem, "Not a directory");
    release(&place);
}

static void what_was_written_is_found(void **state)
{
    struct place place;
    const struct history *history;

    (void)state;
    init(&place);
    update(&place, "b", RESULT_FAIL);
    update(&place, "a", RESULT_PASS);
    history = history_read(place.memory, place.path, &place.problem);
    assert_non_null(history);
    assert_int_equal(history_find(history, "a")->result, RESULT_PASS);
    assert_int_equal(history_find(history, "b")->result, RESULT_FAIL);
    assert_null(history_find(history, "c"));
    release(&place);
}

static struct broken_row {
    const char *name, *text;
} broken_rows[] = {
    {"empty_file", ""},
    {"other_version", "ntpmu last results 1\nPASS\ta\n"},
    {"no_bytes", "ntpmu last results 2\nPASS\ta\n"},
    {"bytes_that_are_no_number", HEAD(7x) "PASS\ta\n"},
    {"first_line_that_was_cut_off", "ntpmu last results 2 7"},
    {"no_first_line", "PASS\ta\n"},
    {"unknown_status", HEAD(7) "GOOD\ta\n"},
    {"status_without_an_id", HEAD(5) "PASS\n"},
    {"empty_line", HEAD(8) "\nPASS\ta\n"},
};

static void broken_row(void **state)
{
    const struct broken_row *row = *state;
    struct place place;

    init(&place);
    directory_write(place.directory, "broken", row->text);
    assert_null(history_read(place.memory,
        directory_path(place.directory, "broken"), &place.problem));
    assert_string_equal(
        place.problem, "it is not a file of last results of this version");
    release(&place);
}

/* The name of the file is a hash of the current directory. */
static struct path_row {
    const char *name;
    const char *cache, *home; /* NULL: not set */
    const char *want;         /* in the directory / */
} path_rows[] = {
    {"cache_home", "/c", "/h", "/c/ntpmu/af63a24c860189fe"},
    {"home", NULL, "/h", "/h/.cache/ntpmu/af63a24c860189fe"},
    {"relative_cache_home_is_ignored", "c", "/h",
        "/h/.cache/ntpmu/af63a24c860189fe"},
    {"neither", NULL, NULL, NULL},
};

static void set_or_not(const char *name, const char *value)
{
    if (value == NULL) {
        unsetenv(name);
    } else {
        setenv(name, value, 1);
    }
}

static void path_row(void **state)
{
    const struct path_row *row = *state;
    char *path;

    set_or_not("XDG_CACHE_HOME", row->cache);
    set_or_not("HOME", row->home);
    assert_int_equal(chdir("/"), 0);
    path = history_path(NULL);
    if (row->want == NULL) {
        assert_null(path);
    } else {
        assert_string_equal(path, row->want);
    }
    talloc_free(path);
}

/* Whoever waited for it would wait for ever. */
static void fifo_is_neither_read_nor_replaced(void **state)
{
    struct place place;
    struct history *history;
    struct stat status;

    (void)state;
    init(&place);
    place.path = directory_path(place.directory, "results");
    assert_int_equal(mkfifo(place.path, 0600), 0);
    assert_null(history_read(place.memory, place.path, &place.problem));
    assert_string_equal(place.problem, "is not a regular file");
    history = history_new(place.memory);
    history_add(history, "a", RESULT_PASS);
    assert_false(history_update(place.path, history, &place.problem));
    assert_string_equal(place.problem, "their file is not a regular file");
    assert_int_equal(lstat(place.path, &status), 0);
    assert_true(S_ISFIFO(status.st_mode));
    release(&place);
}

TEST_FILE(test_history)
{
    test_add(list, "fifo_is_neither_read_nor_replaced",
        fifo_is_neither_read_nor_replaced, NULL);
    test_add(list, "directories_are_made", directories_are_made, NULL);
    test_add(list, "results_of_others_stay", results_of_others_stay, NULL);
    test_add(list, "new_result_replaces_the_old_one",
        new_result_replaces_the_old_one, NULL);
    test_add(list, "worst_of_several_rounds_counts",
        worst_of_several_rounds_counts, NULL);
    test_add(list, "line_that_was_cut_off_is_left_out",
        line_that_was_cut_off_is_left_out, NULL);
    test_add(list, "nothing_is_put_behind_a_line_that_was_cut_off",
        nothing_is_put_behind_a_line_that_was_cut_off, NULL);
    test_add(list, "file_of_ours_that_is_broken_goes_away",
        file_of_ours_that_is_broken_goes_away, NULL);
    test_add(list, "file_is_written_anew_now_and_then",
        file_is_written_anew_now_and_then, NULL);
    TEST_ADD_GROUP(list, "replaces_a_file", replaced_row, replaced_rows);
    test_add(list, "file_in_the_current_directory",
        file_in_the_current_directory, NULL);
    test_add(
        list, "no_results_change_nothing", no_results_change_nothing, NULL);
    test_add(list, "file_that_cannot_be_written_is_told",
        file_that_cannot_be_written_is_told, NULL);
    test_add(
        list, "what_was_written_is_found", what_was_written_is_found, NULL);
    TEST_ADD_ROWS(list, broken_row, broken_rows);
    TEST_ADD_ROWS(list, path_row, path_rows);
}
