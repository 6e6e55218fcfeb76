/* options.c - reading and help from the same table. */
#include "scenarios/runner/options.h"

#include <stdlib.h>
#include <string.h>

#include "scenarios/runner/suggest.h"

enum {
    ON_RUN = 1 << COMMAND_RUN,
    ON_VALIDATE = 1 << COMMAND_VALIDATE,
    ON_LIST = 1 << COMMAND_LIST,
    ON_DRIVE = 1 << COMMAND_DRIVE,
    ON_FMT = 1 << COMMAND_FMT,
    ON_EXPLAIN = 1 << COMMAND_EXPLAIN,
    ON_NEW = 1 << COMMAND_NEW,
    ON_EXPAND = 1 << COMMAND_EXPAND,
};

enum {
    BUDGET_DEFAULT = 1000000,
    TIMEOUT_DEFAULT_US = 10000000,
    SECOND_US = 1000000,
    TIMEOUT_SECONDS = 1000000, /* the most; a sum of it cannot overflow */
};

enum option {
#define OPTION(name, ...) OPTION_##name,
#include "scenarios/runner/options.def"
    OPTION_COUNT
};

static const struct {
    const char *name, *help;
} commands[] = {
#define COMMAND(name, spelling, help) {spelling, help},
#include "scenarios/runner/options.def"
};

static const struct {
    const char *spelling;
    const char *value; /* NULL: takes none */
    unsigned on;
    const char *help;
} rows[] = {
#define OPTION(name, spelling, value, on, help) {spelling, value, on, help},
#include "scenarios/runner/options.def"
};

static bool fail(FILE *errors, const char *what, const char *which)
{
    fprintf(errors, "ntpmu: %s '%s'\n", what, which);
    return false;
}

static bool fail_unknown(FILE *errors, const char *what,
    struct suggestion *suggestion, const char *help)
{
    fail(errors, what, suggestion->wrong);
    if (suggestion->nearest != NULL) {
        fprintf(errors, "       did you mean '%s'?\n", suggestion->nearest);
    }
    fprintf(errors, "       %s\n", help);
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
    return fail_unknown(
        errors, "unknown command", &suggestion, "see: ntpmu --help");
}

static bool one_of(const char *value, const char *first, const char *second,
    bool *is_second, FILE *errors)
{
    *is_second = strcmp(value, second) == 0;
    if (*is_second || strcmp(value, first) == 0) {
        return true;
    }
    fprintf(errors, "ntpmu: '%s' is neither %s nor %s\n", value, first, second);
    return false;
}

static bool read_budget(
    struct options *options, const char *value, FILE *errors)
{
    char *end;

    options->budget = strtoull(value, &end, 10);
    if (value[0] >= '1' && value[0] <= '9' && *end == '\0') {
        return true;
    }
    return fail(errors, "not a number of preemption points:", value);
}

/* Seconds, with up to six decimals. */
static bool read_timeout(
    struct options *options, const char *value, FILE *errors)
{
    static const char digits[] = "0123456789";
    size_t whole = strspn(value, digits);
    bool point = value[whole] == '.';
    const char *decimals = value + whole + (point ? 1 : 0);
    size_t length = strspn(decimals, digits);
    uint64_t unit = SECOND_US;
    uint64_t us = strtoull(value, NULL, 10);

    if (whole == 0 || length > 6 || decimals[length] != '\0' ||
        point != (length > 0) || us > TIMEOUT_SECONDS) {
        return fail(errors, "not a number of seconds up to 1000000:", value);
    }
    us *= SECOND_US;
    for (size_t i = 0; i < length; i++) {
        unit /= 10;
        us += unit * (uint64_t)(decimals[i] - '0');
    }
    options->timeout_us = us;
    return us > 0 || fail(errors, "no time at all:", value);
}

static bool allow(struct options *options, const char *value, FILE *errors)
{
    if (options->allowed_count == OPTIONS_ALLOWED) {
        return fail(
            errors, "too many drivers; name their directory, not", value);
    }
    options->allowed[options->allowed_count++] = value;
    return true;
}

static bool add_report(struct options *options, const char *value, FILE *errors)
{
    if (options->report_count == OPTIONS_REPORTS) {
        return fail(
            errors, "too many reports; this is one more than 16:", value);
    }
    options->report[options->report_count++] = value;
    return true;
}

static bool read_format(
    struct options *options, const char *value, FILE *errors)
{
    static const char *const formats[] = {[FORMAT_TEXT] = "text",
        [FORMAT_CTEST] = "ctest",
        [FORMAT_JSON] = "json"};

    for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
        if (strcmp(formats[i], value) == 0) {
            options->format = (enum list_format)i;
            return true;
        }
    }
    return fail(errors, "not one of text, json and ctest:", value);
}

/* Options with a text of their own. */
static bool apply_text(
    struct options *options, enum option option, const char *value)
{
    if (option == OPTION_TITLE) {
        options->title = value;
    } else if (option == OPTION_CALL) {
        options->call = value;
    } else {
        options->output = value;
    }
    return true;
}

static bool apply(struct options *options, enum option option,
    const char *value, FILE *errors)
{
    switch (option) {
    case OPTION_ID:
        options->id = value;
        return true;
    case OPTION_TRACE:
        options->trace = value;
        return true;
    case OPTION_ORDER:
        return one_of(value, "listed", "reverse", &options->reverse, errors);
    case OPTION_FORMAT:
        return read_format(options, value, errors);
    case OPTION_BUDGET:
        return read_budget(options, value, errors);
    case OPTION_TIMEOUT:
        return read_timeout(options, value, errors);
    case OPTION_ALLOW:
        return allow(options, value, errors);
    case OPTION_REPORT:
        return add_report(options, value, errors);
    case OPTION_OS:
        options->os = value;
        return true;
    case OPTION_CPUS:
        options->cpus = value;
        return true;
    case OPTION_CHECK:
        options->check = true;
        return true;
    case OPTION_DROPPED:
        options->dropped = true;
        return true;
    case OPTION_TITLE:
    case OPTION_CALL:
    case OPTION_OUTPUT:
        return apply_text(options, option, value);
    case OPTION_VERBOSE:
        options->verbose = true;
        return true;
    case OPTION_HELP:
        options->help = true;
        return true;
    case OPTION_COUNT:
        break;
    }
    return false;
}

/* The option of this spelling, `length` bytes long; OPTION_COUNT when there is
 * none. */
static enum option find_option(const char *word, size_t length)
{
    enum option option = 0;

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
    return fail_unknown(
        errors, "unknown option", &suggestion, "see: ntpmu --help");
}

/* Reads the option at argv[*at], moves *at to its last word. */
static bool read_option(
    struct options *options, int argc, char **argv, int *at, FILE *errors)
{
    const char *word = argv[*at];
    const char *equals = strchr(word, '=');
    const char *value = equals != NULL ? equals + 1 : NULL;
    enum option option = find_option(
        word, equals != NULL ? (size_t)(equals - word) : strlen(word));

    if (option == OPTION_COUNT) {
        return fail_unknown_option(errors, word);
    }
    if ((rows[option].on & (1u << options->command)) == 0) {
        return fail(errors, "this command does not take", word);
    }
    if (rows[option].value == NULL && value != NULL) {
        return fail(errors, "this option takes no value:", word);
    }
    if (rows[option].value != NULL && value == NULL) {
        if (*at + 1 == argc) {
            return fail(errors, "missing value for", word);
        }
        value = argv[++*at];
    }
    return apply(options, option, value, errors);
}

static bool read_words(
    struct options *options, int argc, char **argv, FILE *errors)
{
    bool only_paths = false;

    for (int i = 2; i < argc; i++) {
        if (!only_paths && strcmp(argv[i], "--") == 0) {
            only_paths = true;
        } else if (!only_paths && argv[i][0] == '-' && argv[i][1] != '\0') {
            if (!read_option(options, argc, argv, &i, errors)) {
                return false;
            }
        } else {
            options->path[options->path_count++] = argv[i];
        }
    }
    return true;
}

/* What a command cannot do without. */
static bool fail_operand(enum command command, FILE *errors)
{
    if (command == COMMAND_EXPLAIN) {
        fprintf(errors, "ntpmu: no word\n       name what is to be explained; "
                        "a list: ntpmu explain routines\n");
    } else if (command == COMMAND_NEW) {
        fprintf(errors, "ntpmu: no id\n       name the scenario, such as "
                        "my.first\n");
    } else {
        fprintf(errors, "ntpmu: no path\n       name a %s\n",
            command == COMMAND_DRIVE ? "driver's image, FILE.sys"
                                     : "scenario file or a directory");
    }
    return false;
}

bool options_read(struct options *options, int argc, char **argv, FILE *errors)
{
    *options = (struct options){.path = argv,
        .budget = BUDGET_DEFAULT,
        .timeout_us = TIMEOUT_DEFAULT_US};
    if (argc < 2) {
        fprintf(errors, "ntpmu: no command\n       see: ntpmu --help\n");
        return false;
    }
    if (strcmp(argv[1], "--help") == 0) {
        options->help = true;
        return true;
    }
    if (!read_command(options, argv[1], errors) ||
        !read_words(options, argc, argv, errors)) {
        return false;
    }
    return options->path_count > 0 || options->help ||
           fail_operand(options->command, errors);
}

void options_help(FILE *out)
{
    fprintf(out, "usage: ntpmu COMMAND [OPTION]... PATH...\n\n"
                 "Runs scenarios for Windows drivers that use hardware "
                 "performance counters.\n"
                 "A PATH is a YAML file, or a directory with all those below "
                 "it.\n\ncommands:\n");
    for (unsigned i = 0; i < COMMAND_COUNT; i++) {
        fprintf(out, "  %-10s %s\n", commands[i].name, commands[i].help);
    }
    fprintf(out, "\noptions:\n");
    for (unsigned i = 0; i < OPTION_COUNT; i++) {
        fprintf(out, "  %-9s %-7s %s (", rows[i].spelling,
            rows[i].value == NULL ? "" : rows[i].value, rows[i].help);
        for (unsigned k = 0, n = 0; k < COMMAND_COUNT; k++) {
            if ((rows[i].on & (1u << k)) != 0) {
                fprintf(out, "%s%s", n++ == 0 ? "" : ", ", commands[k].name);
            }
        }
        fprintf(out, ")\n");
    }
    fprintf(out, "\nreports, by their KIND:\n");
#define REPORT(name, spelling, help)                                           \
    fprintf(out, "  %-10s %s\n", spelling, help);
#include "scenarios/runner/reports.def"
    fprintf(out, "\nexit: 0 all passed, 1 something failed, 2 wrong usage, "
                 "3 an invalid file,\n      4 a failure of ntpmu itself, "
                 "5 nothing selected, 77 all skipped\n");
}
