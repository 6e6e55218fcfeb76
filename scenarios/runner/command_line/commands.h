/* commands.h - what the program can be told to do, each in a file
 * command_NAME.c. */
#ifndef RUNNER_COMMAND_LINE_COMMANDS_H
#define RUNNER_COMMAND_LINE_COMMANDS_H

#include "scenarios/runner/command_line/options.h"
#include "scenarios/runner/run/exit_code.h"

#define COMMAND(name, command, ...)                                            \
    enum exit_code command_##command(const struct options *options);
#include "scenarios/runner/command_line/options.def"

#endif
