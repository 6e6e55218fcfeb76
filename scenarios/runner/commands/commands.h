/* commands.h - what the program can be told to do, each in a file
 * command_NAME.c. */
#ifndef RUNNER_COMMANDS_COMMANDS_H
#define RUNNER_COMMANDS_COMMANDS_H

#include "scenarios/runner/commands/options.h"
#include "scenarios/runner/text/exit_code.h"

#define COMMAND(name, command, ...)                                            \
    enum exit_code command_##command(const struct options *options);
#include "scenarios/runner/commands/options.def"

#endif
