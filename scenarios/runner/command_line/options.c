/* options.c - the command line read, and the help of it printed, both by the
 * tables of options.def. */
#include "scenarios/runner/command_line/options.h"

#include <assert.h>
#include <string.h>

#include "api/text/suggest.h"
#include "scenarios/runner/command_line/option_reading.h"
#include "scenarios/runner/command_line/option_values.h"

enum {
    BUDGET_DEFAULT = 1000000,
    TIMEOUT_DEFAULT_US = 10000000,
    EVERY_DEFAULT_US = 1000,
};

enum {
#define COMMAND(name, ...) ON_##name = 1 << COMMAND_##name,
#include "scenarios/runner/command_line/options.def"
    ON_ALL = (1 << COMMAND_COUNT) - 1,
};

enum option {
#define OPTION(name, ...) OPTION_##name,
#include "scenarios/runner/command_line/options.def"
    OPTION_COUNT
};

/* Who reads a command's options. */
enum option_reader { USUAL, OWN };

static const struct {
    const char *name, *operands;
    const char *needs; /* NULL: no operand */
    const char *help;
    enum option_reader options;
} commands[] = {
#define COMMAND(name, command, operands, needs, help, own)                     \
    {#command, operands, needs, help, own},
#include "scenarios/runner/command_line/options.def"
};

enum often { ONCE, OFTEN };

static const struct {
    const char *spelling;
    const char *value; /* NULL: takes none */
    bool (*read)(struct options *options, const char *value, FILE *errors);
    enum often often;
    unsigned on;
    const char *help;
} rows[] = {
#define OPTION(name, spelling, value, reader, often, on, help)                 \
    {spelling, value, option_##reader, often, on, help},
#include "scenarios/runner/command_line/options.def"
};

static bool fail_unknown(
    FILE *errors, const char *what, struct suggestion *suggestion)
{
    option_fail_near(errors, what, suggestion);
    fprintf(errors, "       see: ntpmu --help\n");
    return false;
}

static bool read_command(
    struct options *options, const char *word, FILE *errors)
{
    struct suggestion suggestion = suggest_for(word);

    for (unsigned i = 0; i < COMMAND_COUNT; i++) {
        if (strcmp(commands[i].name, word) == 0) {
            options->command = (enum command)i;
            return true;
        }
        suggest_offer(&suggestion, commands[i].name);
    }
    return fail_unknown(errors, "unknown command", &suggestion);
}

static bool is_taken(enum option option, enum command command)
{
    return (rows[option].on & (1u << command)) != 0;
}

/* A word that begins with an option, and the value that it holds itself:
 * --name=value, -nvalue; NULL: it holds none. OPTION_COUNT when there is no
 * such option. */
static enum option find_option(const char *word, const char **value)
{
    const char *equals = strchr(word, '=');
    size_t length = equals != NULL ? (size_t)(equals - word) : strlen(word);
    enum option option = 0;

    *value = equals != NULL ? equals + 1 : NULL;
    if (word[1] != '-') {
        length = 2;
        *value = word[2] != '\0' ? word + 2 : NULL;
    }
    while (option < OPTION_COUNT &&
           (strlen(rows[option].spelling) != length ||
               strncmp(rows[option].spelling, word, length) != 0)) {
        option++;
    }
    return option;
}

static bool fail_unknown_option(FILE *errors, const char *word)
{
    struct suggestion suggestion = suggest_for(word);

    for (unsigned i = 0; i < OPTION_COUNT; i++) {
        suggest_offer(&suggestion, rows[i].spelling);
    }
    return fail_unknown(errors, "unknown option", &suggestion);
}

/* The command line while it is read. */
struct words {
    int argc;
    char **argv;
    int at;
    bool seen[OPTION_COUNT];
};

static bool fail_twice(FILE *errors, enum option option)
{
    option_fail(errors, "given twice:", rows[option].spelling);
    fprintf(errors, "       keep one of the two\n");
    return false;
}

/* Reads the option at words->at, moves that to its last word. */
static bool read_option(
    struct options *options, struct words *words, FILE *errors)
{
    const char *word = words->argv[words->at];
    const char *value;
    enum option option = find_option(word, &value);

    if (option == OPTION_COUNT) {
        return fail_unknown_option(errors, word);
    }
    if (!is_taken(option, options->command)) {
        return option_fail(errors, "this command does not take", word);
    }
    if (rows[option].value == NULL && value != NULL) {
        return option_fail(errors, "this option takes no value:", word);
    }
    if (rows[option].value != NULL && value == NULL) {
        if (words->at + 1 == words->argc) {
            return option_fail(errors, "missing value for", word);
        }
        value = words->argv[++words->at];
    }
    if (words->seen[option] && rows[option].often == ONCE) {
        return fail_twice(errors, option);
    }
    words->seen[option] = true;
    return rows[option].read(options, value, errors);
}

/* All words for the command itself. */
static void take_words(struct options *options, int argc, char **argv)
{
    for (int i = 2; i < argc; i++) {
        options->help |= strcmp(argv[i], "--help") == 0;
        options->path[options->path_count++] = argv[i];
    }
}

static bool read_words(
    struct options *options, int argc, char **argv, FILE *errors)
{
    struct words words = {.argc = argc, .argv = argv, .at = 2};
    bool only_paths = false;

    for (; words.at < argc; words.at++) {
        char *word = argv[words.at];

        if (!only_paths && strcmp(word, "--") == 0) {
            only_paths = true;
        } else if (!only_paths && word[0] == '-' && word[1] != '\0') {
            if (!read_option(options, &words, errors)) {
                return false;
            }
        } else {
            options->path[options->path_count++] = word;
        }
    }
    return true;
}

bool options_read(struct options *options, int argc, char **argv, FILE *errors)
{
    const char *needs;

    *options = (struct options){.command = COMMAND_NONE,
        .path = argv,
        .budget = BUDGET_DEFAULT,
        .timeout_us = TIMEOUT_DEFAULT_US,
        .every_us = EVERY_DEFAULT_US,
        .jobs = 1,
        .repeat = 1,
        .exploring = exploring_words_none};
    if (argc < 2) {
        fprintf(errors, "ntpmu: no command\n       see: ntpmu --help\n");
        return false;
    }
    if (strcmp(argv[1], "--help") == 0) {
        options->help = true;
        return true;
    }
    if (!read_command(options, argv[1], errors)) {
        return false;
    }
    if (commands[options->command].options == OWN) {
        take_words(options, argc, argv);
        return true;
    }
    if (!read_words(options, argc, argv, errors)) {
        return false;
    }
    needs = commands[options->command].needs;
    if (options->path_count == 0 && needs != NULL && !options->help) {
        fprintf(errors, "ntpmu: no path\n       name %s\n", needs);
        return false;
    }
    return true;
}

/* Whether parts of a run differ in it, or nothing comes of it but what is
 * said. */
static bool is_of_a_part(enum option option)
{
    return option == OPTION_SHARD || option == OPTION_RESULTS ||
           option == OPTION_JOBS || option == OPTION_REPORT ||
           option == OPTION_TRACE || option == OPTION_VERBOSE ||
           option == OPTION_FAIL_LOG;
}

size_t options_common_words(const struct options *options, const char **word)
{
    const char *const *argv = options->argv;
    bool only_paths = false;
    size_t count = 2;

    word[0] = "ntpmu";
    word[1] = argv[1];
    for (int at = 2; at < options->argc; at++) {
        int first = at;
        const char *value;
        enum option option = OPTION_COUNT;

        if (!only_paths && argv[at][0] == '-' && argv[at][1] != '\0') {
            only_paths = strcmp(argv[at], "--") == 0;
            option = find_option(argv[at], &value);
        }
        if (option != OPTION_COUNT && rows[option].value != NULL &&
            value == NULL) {
            at++;
        }
        for (int i = first;
             i <= at && (option == OPTION_COUNT || !is_of_a_part(option));
             i++) {
            word[count++] = argv[i];
        }
    }
    return count;
}

/* Columns of an option and its value. */
static size_t option_width(enum option option)
{
    const char *value = rows[option].value;

    return strlen(rows[option].spelling) +
           (value == NULL ? 0 : 1 + strlen(value));
}

/* Of all commands it says which take the option. */
static void print_option(
    enum option option, enum command command, size_t width, FILE *out)
{
    const char *value = rows[option].value;

    fprintf(out, "  %s%s%s%*s  %s", rows[option].spelling,
        value == NULL ? "" : " ", value == NULL ? "" : value,
        (int)(width - option_width(option)), "", rows[option].help);
    if (command == COMMAND_NONE) {
        const char *before = " (";

        for (unsigned i = 0; i < COMMAND_COUNT; i++) {
            if (rows[option].on == ON_ALL || !is_taken(option, i)) {
                continue;
            }
            fprintf(out, "%s%s", before, commands[i].name);
            before = ", ";
        }
        fputs(before[0] == ',' ? ")" : "", out);
    }
    fputc('\n', out);
}

static void print_options(enum command command, FILE *out)
{
    size_t width = 0;

    fprintf(out, "\noptions:\n");
    for (unsigned i = 0; i < OPTION_COUNT; i++) {
        if ((command == COMMAND_NONE || is_taken(i, command)) &&
            option_width(i) > width) {
            width = option_width(i);
        }
    }
    for (unsigned i = 0; i < OPTION_COUNT; i++) {
        if (command == COMMAND_NONE || is_taken(i, command)) {
            print_option(i, command, width, out);
        }
    }
}

static void print_reports(FILE *out)
{
    fprintf(out, "\nreports, by their KIND:\n");
#define REPORT(name, spelling, help)                                           \
    fprintf(out, "  %-10s %s\n", spelling, help);
#include "scenarios/runner/report/reports.def"
}

/* docs/fidelity.md, "What a driver can do to a verdict". */
static void print_promise(FILE *out)
{
    fprintf(out,
        "\nA driver's code runs in a process of its own, without files, "
        "network "
        "and system\ncalls. One that is mistaken reaches nothing of the "
        "simulator's. One that is\nmalicious has to guess where that lies: one "
        "in a million for each store, and\nafter 1,000 that miss it is ended "
        "(docs/fidelity.md).\n");
}

void options_help(enum command command, void (*own)(FILE *out), FILE *out)
{
    if (command == COMMAND_NONE) {
        fprintf(out, "usage: ntpmu COMMAND [OPTION]... PATH...\n\n"
                     "Runs scenarios for Windows drivers that use hardware "
                     "performance counters.\n"
                     "A PATH is a YAML file, or a directory with all those "
                     "below it.\n\ncommands:\n");
        for (unsigned i = 0; i < COMMAND_COUNT; i++) {
            fprintf(out, "  %-10s %s\n", commands[i].name, commands[i].help);
        }
    } else {
        fprintf(out, "usage: ntpmu %s [OPTION]...%s%s\n\n%s\n",
            commands[command].name,
            commands[command].operands[0] == '\0' ? "" : " ",
            commands[command].operands, commands[command].help);
    }
    if (own != NULL) {
        assert(commands[command].options == OWN);
        own(out);
    } else {
        print_options(command, out);
    }
    if (command == COMMAND_NONE || is_taken(OPTION_REPORT, command)) {
        print_reports(out);
    }
    if (command == COMMAND_NONE || command == COMMAND_DRIVE ||
        is_taken(OPTION_ALLOW, command)) {
        print_promise(out);
    }
    fprintf(out, "\nexit: 0 all passed, 1 something failed, 2 wrong usage, "
                 "3 an invalid file,\n      4 a failure of ntpmu itself, "
                 "5 nothing selected, 77 all skipped\n");
}
