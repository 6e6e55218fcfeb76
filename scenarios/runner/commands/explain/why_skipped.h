/* why_skipped.h - why an instance of these paths does not run. */
#ifndef RUNNER_COMMANDS_EXPLAIN_WHY_SKIPPED_H
#define RUNNER_COMMANDS_EXPLAIN_WHY_SKIPPED_H

#include "scenarios/runner/command_line/options.h"
#include "scenarios/runner/run/exit_code.h"

/* explain why-skipped ID PATH... */
enum exit_code why_skipped(const struct options *options);

#endif
