/* command_new.h - ntpmu new: a scenario to begin with. */
#ifndef RUNNER_COMMAND_NEW_H
#define RUNNER_COMMAND_NEW_H

#include "scenarios/runner/exit_code.h"
#include "scenarios/runner/options.h"

enum exit_code command_new(const struct options *options);

#endif
