/* main.c - the program: a command line is read, and its command called. */
#include <assert.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/command_line/options.h"
#include "scenarios/runner/commands/ctrpp/ctrpp_options.h"
#include "scenarios/runner/headers/header_process.h"
#include "scenarios/runner/output/interruption.h"
#include "scenarios/runner/output/standard_output.h"
#include "scenarios/runner/run/crash_report.h"

static enum exit_code (*const commands[])(const struct options *options) = {
#define COMMAND(name, command, ...) [COMMAND_##name] = command_##command,
#include "scenarios/runner/command_line/options.def"
};

/* Of commands that read their options by themselves. */
static void (*const own_help[COMMAND_COUNT])(FILE *out) = {
    [COMMAND_CTRPP] = ctrpp_options_help};

/* What the command says, unless what it printed has got lost, or a signal is
 * to be seen to have ended the program. */
static int end(enum exit_code code)
{
    bool written = standard_output_end();

    if (standard_output_is_left() && interruption_by_pipe()) {
        interruption_end(SIGPIPE);
    }
    if (!written) {
        return EXIT_INTERNAL;
    }
    if (interruption_noted() != 0 && code != EXIT_INTERNAL) {
        interruption_end(interruption_noted());
    }
    return (int)code;
}

int main(int argc, char **argv)
{
    struct options options;
    enum exit_code code = EXIT_OK;
    /* Reading moves the words of argv. */
    const char **words =
        talloc_memdup(NULL, argv, ((size_t)argc + 1) * sizeof(*words));

    assert(words != NULL);
    if (argc == 2 && strcmp(argv[0], header_process_name) == 0) {
        header_process_run(argv[1]);
    }
    crash_report_install(EXIT_INTERNAL);
    interruption_install();
    standard_output_open();
    if (!options_read(&options, argc, argv, stderr)) {
        talloc_free(words);
        return end(EXIT_USAGE);
    }
    options.argv = words;
    options.argc = argc;
    if (options.help) {
        options_help(options.command,
            options.command == COMMAND_NONE ? NULL : own_help[options.command],
            stdout);
    } else {
        code = commands[options.command](&options);
    }
    talloc_free(words);
    return end(code);
}
