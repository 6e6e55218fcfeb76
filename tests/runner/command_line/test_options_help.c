/* test_options_help.c - what the command line says of itself, and of one
 * command. */
#define _POSIX_C_SOURCE 200809L
#include "scenarios/runner/command_line/options.h"
#include "tests/runner/text_file.h"

static void print_help(const void *argument, FILE *out)
{
    const enum command *command = argument;

    options_help(*command, NULL, out);
}

static struct help_row {
    const char *name;
    enum command command;
    const char *want; /* a line of it */
} help_rows[] = {
    {"help_says_how_to_call", COMMAND_NONE,
        "usage: ntpmu COMMAND [OPTION]... PATH...\n"},
    {"help_has_run", COMMAND_NONE, "\n  run        "},
    {"help_has_validate", COMMAND_NONE, "\n  validate   "},
    {"help_has_list", COMMAND_NONE, "\n  list       "},
    {"help_says_who_takes_an_id", COMMAND_NONE,
        "\n  --id ID                     only the instance, or the scenario, "
        "with this id; may be repeated (run, explore, replay, list, coverage, "
        "expand, counters)\n"},
    {"help_of_a_command_says_how_to_call_it", COMMAND_DRIVE,
        "usage: ntpmu drive [OPTION]... FILE.sys...\n\nload a driver's image, "
        "start and unload it; no scenario\n\noptions:\n  --budget POINTS  "},
    {"help_of_a_command_has_no_other_options", COMMAND_VALIDATE,
        "\noptions:\n  -D NAME=VALUE  the value of a scenario's parameter; may "
        "be "
        "repeated\n  --help         this text\n\nexit: "},
    {"help_has_the_exit_codes", COMMAND_NONE,
        "\nexit: 0 all passed, 1 something failed, 2 "
        "wrong usage, 3 an invalid file,\n"},
};

static void help_row(void **state)
{
    const struct help_row *row = *state;
    void *memory = talloc_new(NULL);

    assert_non_null(
        strstr(text_of(memory, print_help, &row->command), row->want));
    talloc_free(memory);
}

TEST_FILE(test_options_help)
{
    TEST_ADD_ROWS(list, help_row, help_rows);
}
