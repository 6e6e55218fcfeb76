/* ctrpp_options.h - the options of ntpmu ctrpp, which are not spelled like
 * those of the other commands. */
#ifndef RUNNER_COMMANDS_CTRPP_CTRPP_OPTIONS_H
#define RUNNER_COMMANDS_CTRPP_CTRPP_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "api/nt/rulings.h"

enum ctrpp_option {
#define CTRPP_OPTION(name, ...) CTRPP_##name,
#include "scenarios/runner/commands/ctrpp/ctrpp_options.def"
    CTRPP_OPTIONS
};

struct ctrpp_options {
    const char *value[CTRPP_OPTIONS]; /* as given; NULL: not there */
    const char *input;
    struct rulings rulings; /* what -ruling made of the defaults */
};

/* Whether its value is a file that is written. */
bool ctrpp_option_is_file(enum ctrpp_option option);

/* Reads the words behind the command, which live as long as the options. False
 * after saying all that is wrong on `errors`. */
bool ctrpp_options_read(struct ctrpp_options *options, char *const *word,
    size_t count, FILE *errors);

void ctrpp_options_help(FILE *out);

#endif
