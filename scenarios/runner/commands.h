/* commands.h - what the program can be told to do, each in a file
 * command_NAME.c. */
#ifndef RUNNER_COMMANDS_H
#define RUNNER_COMMANDS_H

#include "scenarios/runner/exit_code.h"
#include "scenarios/runner/options.h"

#define COMMAND(name, command, ...)                                            \
    enum exit_code command_##command(const struct options *options);
#include "scenarios/runner/options.def"

#endif
