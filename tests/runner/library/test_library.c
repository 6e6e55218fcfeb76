/* test_library.c - defaults.yaml: which of them hold for a scenario, and how
 * they add up. */
#define _POSIX_C_SOURCE 200809L
#include "tests/runner/scenario/suite_files.h"

#define DEFAULTS(rest) "ntpmu: 1\ndefaults:\n" rest
#define ROOT DEFAULTS("  root: true\n")
#define T SUITE_HEAD "steps:\n" SUITE_STEP
#define UNCITED                                                                \
    SUITE_HEAD "steps:\n- {call: KeGetCurrentIrql, expect: {returns: 0}}\n"

/* Files, and the machine and tags of d/t.yaml, or what is said. */
static struct defaults_row {
    const char *name;
    struct suite_file files[SUITE_FILES];
    const char *want; /* "WIN8 x64 2 cpus: tag tag" */
} defaults_rows[] = {
    {"none", {{"d/", NULL}, {"d/t.yaml", T}}, "WIN11 x64 4 cpus:"},
    {"those_of_its_own_directory",
        {{"d/", NULL}, {"d/t.yaml", T},
            {"d/defaults.yaml",
                DEFAULTS("  machine: {os: WIN8}\n  tags: [b, a]\n")}},
        "WIN8 x64 4 cpus: b a"},
    {"without_a_root_those_above_are_none_of_its",
        {{"d/", NULL}, {"d/t.yaml", T},
            {"defaults.yaml", DEFAULTS("  machine: {os: WIN8}\n")}},
        "WIN11 x64 4 cpus:"},
    {"with_a_root_those_above_hold",
        {{"d/", NULL}, {"d/t.yaml", T},
            {"defaults.yaml",
                DEFAULTS("  root: true\n  machine: {os: WIN8}\n")}},
        "WIN8 x64 4 cpus:"},
    {"the_nearest_wins_key_by_key",
        {{"d/", NULL}, {"d/t.yaml", T},
            {"defaults.yaml",
                DEFAULTS("  root: true\n  machine: {os: WIN8, cpus: 2}\n")},
            {"d/defaults.yaml", DEFAULTS("  machine: {os: WIN7}\n")}},
        "WIN7 x64 2 cpus:"},
    {"the_scenario_s_own_first",
        {{"d/", NULL},
            {"d/t.yaml",
                SUITE_HEAD "machine: {os: WIN10_1903}\nsteps:\n" SUITE_STEP},
            {"defaults.yaml",
                DEFAULTS("  root: true\n  machine: {os: WIN8, cpus: 2}\n")},
            {"d/defaults.yaml", DEFAULTS("  machine: {os: WIN7}\n")}},
        "WIN10_1903 x64 2 cpus:"},
    {"an_axis_before_the_defaults",
        {{"d/", NULL},
            {"d/t.yaml",
                SUITE_HEAD "matrix: {os: [WIN7]}\nsteps:\n" SUITE_STEP},
            {"d/defaults.yaml", DEFAULTS("  machine: {os: WIN8, cpus: 1}\n")}},
        "WIN7 x64 1 cpus:"},
    {"tags_add_up_once_each",
        {{"d/", NULL},
            {"d/t.yaml", SUITE_HEAD "tags: [c, a]\nsteps:\n" SUITE_STEP},
            {"defaults.yaml", DEFAULTS("  root: true\n  tags: [a]\n")},
            {"d/defaults.yaml", DEFAULTS("  tags: [b]\n")}},
        "WIN11 x64 4 cpus: b a c"},
    {"the_root_is_the_nearest_one",
        {{"d/", NULL}, {"d/t.yaml", T},
            {"defaults.yaml",
                DEFAULTS("  root: true\n  machine: {os: WIN8}\n")},
            {"d/defaults.yaml", ROOT}},
        "WIN11 x64 4 cpus:"},
    {"another_program_s_file_above",
        {{"d/", NULL}, {"d/t.yaml", T},
            {"defaults.yaml", "# theirs\n\nhosts: &all [a]\n"}},
        "WIN11 x64 4 cpus:"},
    {"another_program_s_file_beside_it",
        {{"d/", NULL}, {"d/t.yaml", T}, {"d/defaults.yaml", "hosts: [a]\n"}},
        "d/defaults.yaml: error[NTP0201]: a file of this name holds "
        "defaults\n"},
    {"unknown_key",
        {{"d/", NULL}, {"d/t.yaml", T},
            {"d/defaults.yaml", DEFAULTS("  machin: {os: WIN8}\n")}},
        "d/defaults.yaml:3:3: error[NTP0202]: unknown key 'machin'\n"},
    {"unknown_key_of_the_machine",
        {{"d/", NULL}, {"d/t.yaml", T},
            {"d/defaults.yaml", DEFAULTS("  machine: {oss: WIN8}\n")}},
        "d/defaults.yaml:3:13: error[NTP0202]: unknown key 'oss'\n"},
    {"wrong_value_of_the_machine",
        {{"d/", NULL}, {"d/t.yaml", T},
            {"d/defaults.yaml", DEFAULTS("  machine: {cpus: 0}\n")}},
        "d/defaults.yaml:3:19: error[NTP0206]: 0 is not from 1 to 2048\n"},
    {"machine_is_no_mapping",
        {{"d/", NULL}, {"d/t.yaml", T},
            {"d/defaults.yaml", DEFAULTS("  machine: WIN8\n")}},
        "d/defaults.yaml:3:12: error[NTP0205]: expected a mapping, {key: "
        "value}\n"},
    {"wrong_tag",
        {{"d/", NULL}, {"d/t.yaml", T},
            {"d/defaults.yaml", DEFAULTS("  tags: [Smoke]\n")}},
        "d/defaults.yaml:3:10: error[NTP0203]: 'Smoke' is not a tag\n"},
    {"root_that_is_none",
        {{"d/", NULL}, {"d/t.yaml", T},
            {"d/defaults.yaml", DEFAULTS("  root: false\n")}},
        "d/defaults.yaml:3:9: error[NTP0215]: a directory is no suite's "
        "unless it says so\n"},
    {"who_is_not_asked_cites_nothing",
        {{"d/", NULL}, {"d/t.yaml", UNCITED},
            {"d/defaults.yaml", DEFAULTS("  tags: [a]\n")}},
        "WIN11 x64 4 cpus: a"},
    {"who_is_asked_cites",
        {{"d/", NULL}, {"d/t.yaml", UNCITED},
            {"defaults.yaml", DEFAULTS("  root: true\n  covers: required\n")}},
        "d/t.yaml:4:1: error[NTP0212]: no expectation cites a requirement\n"
        "defaults.yaml:4:11: note: this asks for it\n"},
    {"who_cites_has_done_it",
        {{"d/", NULL}, {"d/t.yaml", T},
            {"d/defaults.yaml", DEFAULTS("  covers: required\n")}},
        "WIN11 x64 4 cpus:"},
    {"the_nearest_says_whether_one_is_asked",
        {{"d/", NULL}, {"d/t.yaml", UNCITED},
            {"defaults.yaml", DEFAULTS("  root: true\n  covers: required\n")},
            {"d/defaults.yaml", DEFAULTS("  covers: optional\n")}},
        "WIN11 x64 4 cpus:"},
    {"neither_required_nor_optional",
        {{"d/", NULL}, {"d/t.yaml", T},
            {"d/defaults.yaml", DEFAULTS("  covers: true\n")}},
        "d/defaults.yaml:3:11: error[NTP0203]: expected required or "
        "optional\n"},
    {"defaults_of_another_name",
        {{"d/", NULL}, {"d/t.yaml", T},
            {"d/mine.yaml", DEFAULTS("  tags: [a]\n")}},
        "d/mine.yaml:2:1: error[NTP0215]: nobody reads these defaults\n"},
};

static char *describe(const struct suite_files *made)
{
    const struct instance *instance = &made->suite->instances->item[0];
    struct instance opened = instance_open(made->memory, instance);
    char *text = talloc_asprintf(made->memory,
        "%s %s %u cpus:", os_rows[instance->statics.os].name,
        arch_rows[instance->statics.arch].name,
        (unsigned)opened.scenario->machine.processors);

    for (size_t i = 0; i < instance->outline->tag_count; i++) {
        text = talloc_asprintf_append_buffer(
            text, " %s", instance->outline->tag[i]);
    }
    return text;
}

static void defaults_row(void **state)
{
    const struct defaults_row *row = *state;
    struct suite_files made;
    const char *errors;

    suite_files_init(&made);
    suite_files_write(&made, row->files);
    suite_files_read(&made, "d");
    errors = suite_files_errors(&made);
    assert_string_equal(
        errors[0] != '\0' ? errors : describe(&made), row->want);
    suite_files_release(&made);
}

/* However it is selected. */
static void file_means_the_same_when_it_is_named(void **state)
{
    static const struct suite_file files[SUITE_FILES] = {
        {"d/", NULL},
        {"d/t.yaml", T},
        {"defaults.yaml", DEFAULTS("  root: true\n  machine: {cpus: 3}\n")},
    };
    struct suite_files made;

    (void)state;
    suite_files_init(&made);
    suite_files_write(&made, files);
    suite_files_read(&made, "d/t.yaml");
    assert_string_equal(describe(&made), "WIN11 x64 3 cpus:");
    suite_files_read(&made, "d");
    assert_string_equal(describe(&made), "WIN11 x64 3 cpus:");
    suite_files_release(&made);
}

/* What is wrong is said once, and no scenario goes without its defaults. */
static void every_scenario_of_broken_defaults_is_broken(void **state)
{
    static const struct {
        const char *text, *want;
    } rows[] = {
        {DEFAULTS("  root: 1\n"),
            "defaults.yaml:3:9: error[NTP0205]: expected true or false\n"},
        {DEFAULTS("  tags: []\n"),
            "defaults.yaml:3:9: error[NTP0205]: an empty list\n"},
        {DEFAULTS("  machine: {os: WIN3}\n"),
            "defaults.yaml:3:17: error[NTP0203]: unknown Windows version "
            "'WIN3'\n"},
        {DEFAULTS("  tags: &a [b]\n"),
            "defaults.yaml:3:9: error[NTP0105]: anchors are not allowed\n"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct suite_files made;

        suite_files_init(&made);
        directory_write(made.directory, "defaults.yaml", rows[i].text);
        directory_write(made.directory, "t.yaml", T);
        directory_write(made.directory, "u.yaml",
            "ntpmu: 1\nid: u\ntitle: Test\nsteps:\n" SUITE_STEP);
        suite_files_read(&made, "");
        assert_string_equal(suite_files_errors(&made), rows[i].want);
        assert_int_equal(made.suite->scenario_count, 0);
        suite_files_release(&made);
    }
}

TEST_FILE(test_library)
{
    TEST_ADD_ROWS(list, defaults_row, defaults_rows);
    test_add(list, "file_means_the_same_when_it_is_named",
        file_means_the_same_when_it_is_named, NULL);
    test_add(list, "every_scenario_of_broken_defaults_is_broken",
        every_scenario_of_broken_defaults_is_broken, NULL);
}
