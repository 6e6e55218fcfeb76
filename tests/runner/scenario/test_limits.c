/* test_limits.c - how large a file and a scenario may be, and what is no file:
 * at each limit and one more. */
#define _XOPEN_SOURCE 700
#include "scenarios/runner/selection/language_kinds.h"
#include "tests/runner/directory.h"
#include "tests/runner/scenario/scenario_text.h"

/* A scenario of so many steps, and as many more in a branch of parallel. */
static struct steps_row {
    const char *name;
    size_t steps, in_parallel;
    const char *want; /* how the errors begin; "": none */
} steps_rows[] = {
    {"scenario_of_2000_steps", 2000, 0, ""},
    {"scenario_of_2001_steps", 2001, 0,
        "t.yaml:5:1: error[NTP0109]: more than 2000 steps in one scenario\n"},
    {"scenario_of_2000_steps_with_those_of_parallel", 1000, 998, ""},
    {"scenario_of_2001_steps_with_those_of_parallel", 1000, 999,
        "t.yaml:1006:48: error[NTP0109]: more than 2000 steps in one "
        "scenario\n"},
};

static void steps_row(void **state)
{
    const struct steps_row *row = *state;
    struct scenario_text made;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    assert_non_null(out);
    fprintf(
        out, HEAD "%ssteps:\n", row->in_parallel > 0 ? "actors: [a, b]\n" : "");
    for (size_t i = 0; i < row->steps; i++) {
        fprintf(out,
            "- {%scall: KeGetCurrentIrql, expect: {returns: 0, covers: "
            "[T-01]}}\n",
            row->in_parallel == 0 ? ""
            : i % 2 == 0          ? "as: a, "
                                  : "as: b, ");
    }
    if (row->in_parallel > 0) {
        fprintf(out, "- parallel: {a: [{call: KeGetCurrentIrql}], b: [");
        for (size_t i = 0; i < row->in_parallel; i++) {
            fprintf(out, "%s{call: KeGetCurrentIrql}", i == 0 ? "" : ", ");
        }
        fprintf(out, "]}\n");
    }
    fclose(out);
    scenario_text_read(&made, text);
    text_file_assert_errors(&made.file, row->want);
    assert_int_equal(diagnostics_errors(made.file.diagnostics),
        row->want[0] == '\0' ? 0 : 1);
    scenario_text_release(&made);
    free(text);
}

/* What a consumer asks for, of so many characters: 32,767 fit a UNICODE_STRING,
 * in which one outside of the BMP takes two. */
static struct asked_row {
    const char *name;
    const char *key, *character;
    size_t count;
    const char *want; /* how the errors begin; "": none */
} asked_rows[] = {
    {"longest_instance", "instance", "a", 32767, ""},
    {"too_long_instance", "instance", "a", 32768,
        "t.yaml:5:40: error[NTP0109]: a counted text has at most 65534 bytes, "
        "and this has 65536\n"},
    {"longest_instance_of_pairs", "instance", "\U0001F4A1", 16383, ""},
    {"too_long_instance_of_pairs", "instance", "\U0001F4A1", 16384,
        "t.yaml:5:40: error[NTP0109]"},
    {"too_long_counter_set", "counterset", "a", 32768,
        "t.yaml:5:42: error[NTP0109]"},
};

static void asked_row(void **state)
{
    const struct asked_row *row = *state;
    struct scenario_text made;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    assert_non_null(out);
    fprintf(out, HEAD "steps:\n- {collect: {multiple: true, %s: \"", row->key);
    for (size_t i = 0; i < row->count; i++) {
        fputs(row->character, out);
    }
    fprintf(out, "\"%s}, expect: {row_count: 0, covers: [T-01]}}\n",
        strcmp(row->key, "instance") == 0 ? ", counterset: S" : "");
    fclose(out);
    scenario_text_read(&made, text);
    text_file_assert_errors(&made.file, row->want);
    scenario_text_release(&made);
    free(text);
}

/* A file of so many bytes, nearly all of them a comment. */
static struct size_row {
    const char *name;
    size_t bytes;
    enum file_kind want_kind;
    const char *want; /* what is printed behind the path */
} size_rows[] = {
    {"file_of_1_mib", 1048576, FILE_SCENARIO, ""},
    {"file_of_one_byte_more", 1048577, FILE_BROKEN,
        ": error[NTP0109]: is larger than the limit of 1 MiB\n"},
};

static const struct requirements *test_requirements(void)
{
    static struct requirement item[] = {
        {.id = "T-01", .tag = 'D', .source = "the page", .text = "First."}};
    static const struct requirements requirements = {.item = item, .count = 1};

    return &requirements;
}

/* Reads the file, and compares its one error with `want`. */
static enum file_kind read_path(
    void *memory, const char *path, const char *want)
{
    struct diagnostics *diagnostics = diagnostics_new(memory);
    struct library *library =
        library_new(memory, &language_kinds, test_requirements(), diagnostics);
    struct outline *outline;
    enum file_kind kind = scenario_file_read(memory, path, library, &outline);
    const char *printed = text_of(memory, text_file_print_errors, diagnostics);

    assert_int_equal(diagnostics_errors(diagnostics), want[0] != '\0');
    if (want[0] != '\0') {
        assert_true(text_begins(printed, path));
        printed += strlen(path);
    }
    assert_string_equal(printed, want);
    return kind;
}

static void size_row(void **state)
{
    const struct size_row *row = *state;
    void *memory = talloc_new(NULL);
    char *directory = directory_new(memory);
    char *text = malloc(row->bytes + 1);

    assert_non_null(text);
    memset(text, 'x', row->bytes);
    memcpy(text, HEAD STEPS_OK "#", sizeof(HEAD STEPS_OK "#") - 1);
    text[row->bytes] = '\0';
    directory_write(directory, "t.yaml", text);
    assert_int_equal(
        read_path(memory, directory_path(directory, "t.yaml"), row->want),
        row->want_kind);
    directory_remove(directory);
    talloc_free(memory);
    free(text);
}

static void make_fifo(const char *path)
{
    assert_int_equal(mkfifo(path, 0600), 0);
}

static void make_loop(const char *path)
{
    assert_int_equal(symlink("t.yaml", path), 0);
}

static void make_link_to_device(const char *path)
{
    assert_int_equal(symlink("/dev/zero", path), 0);
}

static void make_link_to_nothing(const char *path)
{
    assert_int_equal(symlink("/nonexistent", path), 0);
}

static void make_directory(const char *path)
{
    assert_int_equal(mkdir(path, 0700), 0);
}

/* A file whose bytes cannot be read, also by those who may read everything. */
static void make_unreadable(const char *path)
{
    assert_int_equal(symlink("/proc/self/mem", path), 0);
}

/* Something called t.yaml that is no file with a text. */
static struct no_file_row {
    const char *name;
    void (*make)(const char *path);
    const char *want;
} no_file_rows[] = {
    {"fifo_is_not_waited_for", make_fifo,
        ": error[NTP0101]: is not a regular file\n"},
    {"device_is_not_read", make_link_to_device,
        ": error[NTP0101]: is not a regular file\n"},
    {"directory_is_no_file", make_directory,
        ": error[NTP0101]: is not a regular file\n"},
    {"link_to_itself", make_loop,
        ": error[NTP0101]: Too many levels of symbolic links\n"},
    {"link_to_nothing", make_link_to_nothing,
        ": error[NTP0101]: No such file or directory\n"},
    {"unreadable_file", make_unreadable,
        ": error[NTP0101]: Input/output error\n"},
};

static void no_file_row(void **state)
{
    const struct no_file_row *row = *state;
    void *memory = talloc_new(NULL);
    char *directory = directory_new(memory);
    char *path = directory_path(directory, "t.yaml");

    row->make(path);
    assert_int_equal(read_path(memory, path, row->want), FILE_BROKEN);
    directory_remove(directory);
    talloc_free(memory);
}

#define LIST_STEP                                                              \
    "steps:\n- {call: KeGetCurrentIrql, expect: {returns: 0, covers: "         \
    "[T-01]}}\n"

/* A scenario with a list of so many values, v0, v1, ... */
static struct list_row {
    const char *name;
    const char *before, *behind;
    size_t count;
    const char *want; /* how the errors begin; "": none */
} list_rows[] = {
    {"256_tags", "tags: [", "]\n" LIST_STEP, 256, ""},
    {"257_tags", "tags: [", "]\n" LIST_STEP, 257,
        "t.yaml:4:7: error[NTP0109]: more than 256 tags in one scenario\n"},
    {"axis_of_10001_values", "matrix: {v: [", "]}\n" LIST_STEP, 10001,
        "t.yaml:4:10: error[NTP0109]: more than 10000 instances\n"},
};

static void list_row(void **state)
{
    const struct list_row *row = *state;
    struct scenario_text made;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    assert_non_null(out);
    fprintf(out, HEAD "%s", row->before);
    for (size_t i = 0; i < row->count; i++) {
        fprintf(out, "%sv%zu", i == 0 ? "" : ", ", i);
    }
    fputs(row->behind, out);
    fclose(out);
    scenario_text_read(&made, text);
    text_file_assert_errors(&made.file, row->want);
    scenario_text_release(&made);
    free(text);
}

/* 1,000 instances of 8,000 keys and values are read, of 8,001 not: all of the
 * file but matrix and cases counts. */
static struct work_row {
    const char *name;
    size_t bytes; /* of a list that each instance reads */
    const char *want;
} work_rows[] = {
    {"work_of_8000000_values", 7963, ""},
    {"work_of_more", 7964,
        "t.yaml:4:1: error[NTP0109]: 1000 instances of a scenario of 8001 keys "
        "and values are more than 8000000\n"},
};

static void work_row(void **state)
{
    const struct work_row *row = *state;
    struct scenario_text made;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    assert_non_null(out);
    fputs(HEAD "matrix: {v: [", out);
    for (size_t i = 0; i < 1000; i++) {
        fprintf(out, "%s%zu", i == 0 ? "" : ", ", i);
    }
    fputs("]}\nsteps:\n- {call: KeStallExecutionProcessor, args: "
          "{MicroSeconds: $v}}\n- {call: HalAllocateHardwareCounters, args: "
          "{GroupAffinty: {bytes: [",
        out);
    for (size_t i = 0; i < row->bytes; i++) {
        fputs(i == 0 ? "1" : ", 1", out);
    }
    fputs("]}, GroupCount: 0, ResourceList: null, CounterSetHandle: null}, "
          "expect: {status: STATUS_INVALID_PARAMETER, covers: [T-01]}}\n",
        out);
    fclose(out);
    scenario_text_read(&made, text);
    text_file_assert_errors(&made.file, row->want);
    scenario_text_release(&made);
    free(text);
}

TEST_FILE(test_limits)
{
    TEST_ADD_ROWS(list, work_row, work_rows);
    TEST_ADD_ROWS(list, steps_row, steps_rows);
    TEST_ADD_ROWS(list, asked_row, asked_rows);
    TEST_ADD_ROWS(list, list_row, list_rows);
    TEST_ADD_ROWS(list, size_row, size_rows);
    TEST_ADD_ROWS(list, no_file_row, no_file_rows);
}
