/* ctrpp_ruling.h - [C] rulings that are about manifests and ntpmu ctrpp, not
 * about a machine: its command line flips them. */
#ifndef RUNNER_COMMANDS_CTRPP_CTRPP_RULING_H
#define RUNNER_COMMANDS_CTRPP_CTRPP_RULING_H

#include <stddef.h>

#include "api/nt/rulings.h"

/* Flips what ID=VALUE says. Returns NULL, or what is wrong with the word. */
const char *ctrpp_ruling_read(struct rulings *rulings, const char *word);

/* All that such a word can be, for people. */
void ctrpp_ruling_choices(char *text, size_t size);

#endif
