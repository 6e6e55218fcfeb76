/* test_fragment.c - steps of other files: where those may lie, what is given
 * to them and what they give, and what is said of those that cannot be used. */
#define _XOPEN_SOURCE 700
#include "scenarios/runner/selection/language_kinds.h"
#include "tests/runner/scenario/suite_files.h"

#define USE(rest) SUITE_HEAD "steps:\n" SUITE_STEP "- {use: " rest "}\n"
#define FRAGMENT(name, rest)                                                   \
    "ntpmu: 1\nfragments:\n  " name ":\n    title: Test\n" rest
#define LEVEL FRAGMENT("level", "    steps:\n    " SUITE_STEP)

/* Files, and what is said of t.yaml; "" where it passes. */
static struct use_row {
    const char *name;
    struct suite_file files[SUITE_FILES];
    const char *want;
} use_rows[] = {
    {"fragment_beside_the_scenario",
        {{"t.yaml", USE("f.yaml#level")}, {"f.yaml", LEVEL}}, ""},
    {"fragment_below_the_scenario",
        {{"t.yaml", USE("d/f.yaml#level")}, {"d/", NULL}, {"d/f.yaml", LEVEL}},
        ""},
    {"fragment_twice",
        {{"t.yaml", USE("f.yaml#level") "- {use: f.yaml#level}\n"},
            {"f.yaml", LEVEL}},
        ""},
    {"fragment_in_a_fragment_counts_from_its_own_file",
        {{"t.yaml", USE("d/f.yaml#outer")}, {"d/", NULL},
            {"d/f.yaml",
                FRAGMENT("outer", "    steps: [{use: g.yaml#level}]\n")},
            {"d/g.yaml", LEVEL}},
        ""},
    {"path_from_the_root", {{"t.yaml", USE("/tmp/f.yaml#level")}},
        "t.yaml:6:9: error[NTP0218]: a fragment's path has no leading / and no "
        "..\n"},
    {"path_that_goes_up", {{"t.yaml", USE("../f.yaml#level")}},
        "t.yaml:6:9: error[NTP0218]: a fragment's path has no leading / and no "
        "..\n"},
    {"path_without_a_name", {{"t.yaml", USE("f.yaml")}},
        "t.yaml:6:9: error[NTP0218]: a fragment is named as file.yaml#name\n"},
    {"name_without_a_path", {{"t.yaml", USE("\"#level\"")}},
        "t.yaml:6:9: error[NTP0218]: a fragment is named as file.yaml#name\n"},
    {"file_is_not_there", {{"t.yaml", USE("f.yaml#level")}},
        "t.yaml:6:9: error[NTP0218]: there is no file 'f.yaml'\n"},
    {"file_is_a_directory", {{"t.yaml", USE("d#level")}, {"d/", NULL}},
        "t.yaml:6:9: error[NTP0218]: this is no regular file\n"},
    {"file_is_a_scenario",
        {{"t.yaml", USE("s.yaml#level")},
            {"s.yaml", SUITE_HEAD "steps:\n" SUITE_STEP}},
        "t.yaml:6:9: error[NTP0218]: the file holds no fragments\n"},
    {"file_is_no_yaml",
        {{"t.yaml", USE("f.yaml#level")}, {"f.yaml", "ntpmu: [\n"}},
        "f.yaml:2:1: error[NTP0103]: a value is missing\n"
        "t.yaml:6:9: error[NTP0218]: the file has errors\n"},
    {"file_has_errors_in_another_fragment",
        {{"t.yaml", USE("f.yaml#level")},
            {"f.yaml", LEVEL "  other: {title: Test}\n"}},
        "f.yaml:7:3: error[NTP0204]: missing key 'steps'\n"
        "t.yaml:6:9: error[NTP0218]: the file has errors\n"},
    {"no_such_fragment", {{"t.yaml", USE("f.yaml#levle")}, {"f.yaml", LEVEL}},
        "t.yaml:6:9: error[NTP0218]: the file has no fragment 'levle'\n"},
    {"fragment_uses_itself",
        {{"t.yaml", USE("f.yaml#level")},
            {"f.yaml",
                FRAGMENT("level", "    steps: [{use: f.yaml#level}]\n")}},
        "f.yaml:5:14: error[NTP0218]: fragment 'level' uses itself\n"},
    {"fragments_use_each_other",
        {{"t.yaml", USE("f.yaml#one")},
            {"f.yaml",
                FRAGMENT("one",
                    "    steps: [{use: f.yaml#two}]\n") "  two:\n    title: "
                                                        "Test\n    steps: "
                                                        "[{use: "
                                                        "f.yaml#one}]\n"}},
        "f.yaml:8:14: error[NTP0218]: fragment 'one' uses itself\n"},
    {"error_in_a_fragment_is_at_its_place",
        {{"t.yaml", USE("f.yaml#level")},
            {"f.yaml",
                FRAGMENT("level", "    steps: [{call: KeGetCurrentIrq}]\n")}},
        "f.yaml:5:20: error[NTP0203]: unknown routine 'KeGetCurrentIrq'\n"},
    {"error_of_two_uses_is_one",
        {{"t.yaml", USE("f.yaml#level") "- {use: f.yaml#level}\n"},
            {"f.yaml",
                FRAGMENT("level", "    steps: [{call: KeGetCurrentIrq}]\n")}},
        "f.yaml:5:20: error[NTP0203]: unknown routine 'KeGetCurrentIrq'\n"},
    {"gives_what_no_step_sets",
        {{"t.yaml", USE("f.yaml#level")},
            {"f.yaml", FRAGMENT("level",
                           "    gives: [irql]\n    steps:\n    " SUITE_STEP)}},
        "f.yaml:5:13: error[NTP0203]: no step sets 'irql'\n"
        "t.yaml:6:9: error[NTP0218]: the file has errors\n"},
    {"parameter_that_nothing_uses",
        {{"t.yaml", USE("f.yaml#level, with: {k: 1}")},
            {"f.yaml", FRAGMENT("level", "    params: {k: {type: ULONG}}\n"
                                         "    steps:\n    " SUITE_STEP)}},
        "f.yaml:5:14: error[NTP0209]: parameter 'k' is never used\n"
        "t.yaml:6:9: error[NTP0218]: the file has errors\n"},
    {"fragment_of_no_steps",
        {{"t.yaml", USE("f.yaml#level")},
            {"f.yaml", FRAGMENT("level", "    steps: []\n")}},
        "f.yaml:5:12: error[NTP0205]: an empty list\n"
        "t.yaml:6:9: error[NTP0218]: the file has errors\n"},
    {"misspelt_key_of_a_step_that_nobody_uses",
        {{"t.yaml", USE("f.yaml#level")},
            {"f.yaml", LEVEL "  other:\n    title: Test\n    steps:\n"
                             "    - {call: KeGetCurrentIrql, expct: {}}\n"}},
        "f.yaml:10:32: error[NTP0202]: unknown key 'expct'\n"
        "t.yaml:6:9: error[NTP0218]: the file has errors\n"},
};

static void use_row(void **state)
{
    const struct use_row *row = *state;
    struct suite_files made;

    suite_files_init(&made);
    suite_files_write(&made, row->files);
    assert_int_equal(chdir(made.directory), 0);
    made.suite = suite_read(made.memory, &language_kinds,
        (char *const[]){talloc_strdup(made.memory, "t.yaml")}, 1);
    assert_string_equal(suite_files_errors(&made), row->want);
    if (row->want[0] == '\0') {
        assert_int_equal(suite_files_run(&made, 0)->result, RESULT_PASS);
    } else {
        assert_int_equal(made.suite->broken_count, 1);
        assert_int_equal(made.suite->scenario_count, 0);
    }
    suite_files_release(&made);
}

/* Something at f.yaml that is no plain file of the suite. */
static void refused(void (*make)(const char *path), const char *want)
{
    struct suite_files made;

    suite_files_init(&made);
    directory_write(made.directory, "t.yaml", USE("f.yaml#level"));
    make(directory_path(made.directory, "f.yaml"));
    suite_files_read(&made, "t.yaml");
    assert_string_equal(suite_files_errors(&made), want);
    suite_files_release(&made);
}

static void make_device(const char *path)
{
    assert_int_equal(symlink("/dev/null", path), 0);
}

static void make_fifo(const char *path)
{
    assert_int_equal(mkfifo(path, 0600), 0);
}

static void make_link_out(const char *path)
{
    assert_int_equal(
        symlink(REPOSITORY "/scenarios/hal/exclusive.yaml", path), 0);
}

static void link_out_of_the_suite(void **state)
{
    (void)state;
    refused(make_link_out,
        "t.yaml:6:9: error[NTP0218]: this file is not in the suite\n");
}

static void device(void **state)
{
    (void)state;
    refused(make_device,
        "t.yaml:6:9: error[NTP0218]: this file is not in the suite\n");
}

/* It would never end if it were opened. */
static void pipe_of_that_name(void **state)
{
    (void)state;
    refused(make_fifo, "t.yaml:6:9: error[NTP0218]: this is no regular file\n");
}

/* f1 uses f2 and so on; the last one has a step. */
static void nest(struct suite_files *made, unsigned depth)
{
    suite_files_init(made);
    directory_write(made->directory, "t.yaml", USE("f1.yaml#f"));
    for (unsigned i = 1; i <= depth; i++) {
        directory_write(made->directory,
            talloc_asprintf(made->memory, "f%u.yaml", i),
            i == depth ? FRAGMENT("f", "    steps:\n    " SUITE_STEP)
                       : talloc_asprintf(made->memory,
                             FRAGMENT("f", "    steps: [{use: f%u.yaml#f}]\n"),
                             i + 1));
    }
    suite_files_read(made, "t.yaml");
}

static void fragments_nest_to_the_limit(void **state)
{
    struct suite_files made;

    (void)state;
    nest(&made, 8);
    assert_string_equal(suite_files_errors(&made), "");
    assert_int_equal(suite_files_run(&made, 0)->result, RESULT_PASS);
    suite_files_release(&made);
    nest(&made, 9);
    assert_string_equal(suite_files_errors(&made),
        "f8.yaml:5:14: error[NTP0109]: fragments inside of fragments are at "
        "most 8 deep, and at most 1024 in a scenario\n");
    suite_files_release(&made);
}

/* The fragment file is read once; whoever uses it later is no less wrong. */
static void every_scenario_of_a_broken_fragment_is_broken(void **state)
{
    static const struct suite_file files[SUITE_FILES] = {
        {"a.yaml", "ntpmu: 1\nid: a\ntitle: Test\nsteps:\n" SUITE_STEP
                   "- {use: f.yaml#level}\n"},
        {"b.yaml", "ntpmu: 1\nid: b\ntitle: Test\nsteps:\n" SUITE_STEP
                   "- {use: f.yaml#level}\n"},
        {"f.yaml", FRAGMENT("level", "    steps: [{call: KeGetCurrentIrq}]\n")},
    };
    struct suite_files made;

    (void)state;
    suite_files_init(&made);
    suite_files_write(&made, files);
    suite_files_read(&made, "");
    assert_string_equal(suite_files_errors(&made),
        "f.yaml:5:20: error[NTP0203]: unknown routine 'KeGetCurrentIrq'\n");
    assert_int_equal(made.suite->broken_count, 2);
    assert_int_equal(made.suite->scenario_count, 0);
    suite_files_release(&made);
}

TEST_FILE(test_fragment)
{
    TEST_ADD_ROWS(list, use_row, use_rows);
    test_add(list, "link_out_of_the_suite", link_out_of_the_suite, NULL);
    test_add(list, "device", device, NULL);
    test_add(list, "pipe_of_that_name", pipe_of_that_name, NULL);
    test_add(
        list, "fragments_nest_to_the_limit", fragments_nest_to_the_limit, NULL);
    test_add(list, "every_scenario_of_a_broken_fragment_is_broken",
        every_scenario_of_a_broken_fragment_is_broken, NULL);
}
