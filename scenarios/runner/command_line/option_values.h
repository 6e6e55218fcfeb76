/* option_values.h - the value of each option, out of its text. */
#ifndef RUNNER_COMMAND_LINE_OPTION_VALUES_H
#define RUNNER_COMMAND_LINE_OPTION_VALUES_H

#include "scenarios/runner/command_line/options.h"

/* `value` is a word of argv, NULL for an option that takes none. False after
 * saying what is wrong on `errors`. */
#define OPTION(name, spelling, value, reader, ...)                             \
    bool option_##reader(                                                      \
        struct options *options, const char *value_text, FILE *errors);
#include "scenarios/runner/command_line/options.def"

#endif
