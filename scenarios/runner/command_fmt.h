/* command_fmt.h - ntpmu fmt: files laid out in place, or what that would
 * change. */
#ifndef RUNNER_COMMAND_FMT_H
#define RUNNER_COMMAND_FMT_H

#include "scenarios/runner/exit_code.h"
#include "scenarios/runner/options.h"

enum exit_code command_fmt(const struct options *options);

#endif
