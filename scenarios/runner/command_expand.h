/* command_expand.h - ntpmu expand: an instance as a scenario of its own. */
#ifndef RUNNER_COMMAND_EXPAND_H
#define RUNNER_COMMAND_EXPAND_H

#include "scenarios/runner/exit_code.h"
#include "scenarios/runner/options.h"

enum exit_code command_expand(const struct options *options);

#endif
