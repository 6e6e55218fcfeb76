/* options_run.h - what the options ask of a run of instances. */
#ifndef RUNNER_COMMAND_LINE_OPTIONS_RUN_H
#define RUNNER_COMMAND_LINE_OPTIONS_RUN_H

#include "scenarios/runner/command_line/options.h"
#include "scenarios/runner/run/run_settings.h"

/* Its words are the options'. */
struct run_settings options_run(const struct options *options);

#endif
