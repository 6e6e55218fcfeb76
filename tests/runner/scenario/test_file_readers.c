/* test_file_readers.c - files read by several threads are what they are when
 * one reads them. */
#define _POSIX_C_SOURCE 200809L
#include "scenarios/runner/library/library.h"
#include "scenarios/runner/scenario/file_readers.h"
#include "tests/runner/scenario/suite_files.h"

enum { THREADS = 4, PATHS = 2 };

#define SCENARIO(id) "ntpmu: 1\nid: " id "\ntitle: Test\nsteps:\n" SUITE_STEP
/* 90 instances, which are read in parts. */
#define HEAD_90                                                                \
    "ntpmu: 1\nid: many\ntitle: Test\n"                                        \
    "matrix: {os: [WIN7, WIN8, WIN11], x: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9], "    \
    "m: [0, 1, 2]}\n"
#define STEP_90                                                                \
    "- {call: KeGetCurrentIrql, expect: {returns: $(x * 0 + m * 0), covers: "  \
    "[IRQL-GEN-01]}}\n"
#define FRAGMENT                                                               \
    "ntpmu: 1\nfragments:\n  level:\n    title: Test\n    steps:\n    "        \
    "- {call: KeGetCurrentIrql, expect: {returns: 0, covers: [IRQL-GEN-01]}}"  \
    "\n"
#define REQUIREMENT                                                            \
    "ntpmu: 1\nrequirements:\n  TEST-01:\n    tag: C\n    source: ruling\n"    \
    "    text: \"A text.\"\n"

static struct row {
    const char *name;
    struct suite_file files[SUITE_FILES];
    const char *given;       /* NULL: nothing */
    const char *path[PATHS]; /* in the directory; all of it without any */
    const char *want;        /* the errors */
    size_t want_instances;
} rows[] = {
    {"one_file", {{"a.yaml", SCENARIO("a")}}, NULL, {NULL}, "", 1},
    {"files_in_their_order",
        {{"a.yaml", SCENARIO("c")}, {"b.yaml", SCENARIO("b")},
            {"c.yaml", SCENARIO("a")}, {"d.yaml", SCENARIO("d")},
            {"e.yaml", HEAD_90 "steps:\n" STEP_90}},
        NULL, {NULL}, "", 94},
    {"fragment_of_instances_in_parts",
        {{"a.yaml", HEAD_90 "steps:\n" STEP_90 "- use: f.yaml#level\n"},
            {"b.yaml", SUITE_HEAD "steps:\n- use: f.yaml#level\n"},
            {"f.yaml", FRAGMENT}},
        NULL, {NULL}, "", 91},
    {"fragment_by_two_paths",
        {{"a.yaml", SCENARIO("a")},
            {"b.yaml", SUITE_HEAD "steps:\n- use: f.yaml#level\n"},
            {"f.yaml", FRAGMENT}},
        NULL, {"./b.yaml", "f.yaml"}, "", 1},
    {"one_broken_file",
        {{"a.yaml", SCENARIO("a")}, {"b.yaml", "ntpmu: 1\nid: b\nstps: []\n"},
            {"c.yaml", SCENARIO("c")}},
        NULL, {NULL},
        "b.yaml:1:1: error[NTP0204]: missing key 'title'\n"
        "b.yaml:3:1: error[NTP0202]: unknown key 'stps'\n",
        2},
    {"id_in_two_files", {{"a.yaml", SCENARIO("a")}, {"b.yaml", SCENARIO("a")}},
        NULL, {NULL},
        "b.yaml:2:5: error[NTP0211]: id 'a' stands in two files\n"
        "a.yaml:2:5: note: first used here\n",
        1},
    {"requirement_in_two_files",
        {{"a.yaml", REQUIREMENT}, {"b.yaml", REQUIREMENT},
            {"c.yaml", SCENARIO("c")}},
        NULL, {NULL},
        "b.yaml:3:3: error[NTP0211]: requirement 'TEST-01' stands in another "
        "file too\na.yaml:3:3: note: it stands here first\n",
        1},
    {"parameter_of_all",
        {{"a.yaml", HEAD_90 "params: {k: {type: ULONG, default: 3}}\n"
                            "steps:\n- when: $(k == 3)\n  call: "
                            "KeGetCurrentIrql\n  expect: {returns: $(x * 0 + "
                            "m * 0), covers: [IRQL-GEN-01]}\n"}},
        NULL, {NULL},
        "a.yaml:7:9: error[NTP0215]: this is true in every instance\n", 0},
    {"when_that_the_last_part_alone_has",
        {{"a.yaml", HEAD_90 "steps:\n" STEP_90
                            "- when: $(os == WIN11 and x == 9 and m == 2)\n"
                            "  call: KeGetCurrentIrql\n"}},
        NULL, {NULL}, "", 90},
    {"name_that_nobody_uses",
        {{"a.yaml", HEAD_90 "memory: {unused: {bytes: 8}}\nsteps:\n" STEP_90}},
        NULL, {NULL},
        "a.yaml:5:10: error[NTP0209]: memory 'unused' is never used\n", 0},
    {"given_parameter_is_used",
        {{"a.yaml", SCENARIO("a")},
            {"b.yaml", SUITE_HEAD "params: {k: {type: ULONG, default: 0}}\n"
                                  "steps:\n- {call: KeGetCurrentIrql, expect: "
                                  "{returns: $k, covers: [IRQL-GEN-01]}}\n"}},
        "k=0", {NULL}, "", 2},
    {"given_parameter_that_nobody_has", {{"a.yaml", SCENARIO("a")}}, "k=0",
        {NULL}, "-D: error[NTP0209]: no scenario has a parameter 'k'\n", 1},
    {"file_of_another_program",
        {{"a.yaml", SCENARIO("a")}, {"b.yaml", "other: 1\n"}}, NULL, {NULL}, "",
        1},
};

/* All that can be seen of a suite, as a text. */
static char *seen(struct suite_files *made)
{
    const struct suite *suite = made->suite;
    char *text = talloc_asprintf(made->memory,
        "%s%zu scenarios, %zu broken, %zu other, %zu parts, %zu requirements\n",
        text_of(made->memory, text_file_print_errors, suite->diagnostics),
        suite->scenario_count, suite->broken_count, suite->other_count,
        suite->parts_files, suite->requirements_files);

    for (size_t i = 0; i < suite->instances->count; i++) {
        const struct instance *instance = &suite->instances->item[i];

        text = talloc_asprintf_append_buffer(text, "%s of %s%s\n", instance->id,
            instance->outline->source->path, instance->native ? " native" : "");
    }
    return text;
}

static void read_by(
    struct suite_files *made, const struct row *row, unsigned threads)
{
    const struct suite_way way = {
        &row->given, row->given != NULL, .threads = threads};
    char *path[PATHS] = {made->directory};
    size_t count = 0;

    assert_int_equal(chdir(made->directory), 0);
    for (; count < PATHS && row->path[count] != NULL; count++) {
        path[count] = talloc_strdup(made->memory, row->path[count]);
    }
    made->suite = suite_read_so(
        made->memory, &language_kinds, path, count == 0 ? 1 : count, &way);
}

static void read_row(void **state)
{
    const struct row *row = *state;
    struct suite_files made;
    char *by_one;

    suite_files_init(&made);
    suite_files_write(&made, row->files);
    read_by(&made, row, 1);
    by_one = seen(&made);
    assert_string_equal(suite_files_errors(&made), row->want);
    read_by(&made, row, THREADS);
    assert_string_equal(suite_files_errors(&made), row->want);
    assert_int_equal(made.suite->instances->count, row->want_instances);
    assert_string_equal(seen(&made), by_one);
    suite_files_release(&made);
}

static void instance_of_a_part_runs(void **state)
{
    struct suite_files made;
    static const struct row row = {
        .files = {
            {"a.yaml", HEAD_90 "steps:\n" STEP_90 "- use: f.yaml#level\n"},
            {"f.yaml", FRAGMENT}}};

    (void)state;
    suite_files_init(&made);
    suite_files_write(&made, row.files);
    read_by(&made, &row, THREADS);
    assert_int_equal(made.suite->instances->count, 90);
    assert_int_equal(suite_files_run(&made, 0)->result, RESULT_PASS);
    assert_int_equal(suite_files_run(&made, 89)->result, RESULT_PASS);
    suite_files_release(&made);
}

/* Whether they have read them, or leave them to one. */
static struct alone_row {
    const char *name;
    const char *text;
    bool want;
} alone_rows[] = {
    {"right_files_are_read", SCENARIO("b"), true},
    {"wrong_files_are_left_to_one", "ntpmu: 1\nid: b\n", false},
};

static void alone_row(void **state)
{
    const struct alone_row *row = *state;
    struct suite_files made;
    struct requirements *requirements;
    struct diagnostics *diagnostics;
    struct library *library;
    struct file_read files[2] = {{.named = false}};

    suite_files_init(&made);
    directory_write(made.directory, "a.yaml", SCENARIO("a"));
    directory_write(made.directory, "b.yaml", row->text);
    files[0].path = directory_path(made.directory, "a.yaml");
    files[1].path = directory_path(made.directory, "b.yaml");
    requirements = requirements_built_in(made.memory);
    diagnostics = diagnostics_new(made.memory);
    library =
        library_new(made.memory, &language_kinds, requirements, diagnostics);
    assert_int_equal(
        file_readers_read(made.memory, library, files, 2, THREADS), row->want);
    assert_int_equal(diagnostics_errors(diagnostics), 0);
    if (row->want) {
        assert_string_equal(files[0].outline->id, "a");
        assert_string_equal(files[1].outline->id, "b");
    }
    suite_files_release(&made);
}

TEST_FILE(test_file_readers)
{
    TEST_ADD_ROWS(list, read_row, rows);
    TEST_ADD_ROWS(list, alone_row, alone_rows);
    test_add(list, "instance_of_a_part_runs", instance_of_a_part_runs, NULL);
}
