/* command_explain.h - ntpmu explain: what words mean. */
#ifndef RUNNER_COMMAND_EXPLAIN_H
#define RUNNER_COMMAND_EXPLAIN_H

#include "scenarios/runner/exit_code.h"
#include "scenarios/runner/options.h"

enum exit_code command_explain(const struct options *options);

#endif
