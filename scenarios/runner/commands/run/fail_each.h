/* fail_each.h - ntpmu run --fail-each: every call that can fail is made to, and
 * what that comes to is said like all results. */
#ifndef RUNNER_COMMANDS_RUN_FAIL_EACH_H
#define RUNNER_COMMANDS_RUN_FAIL_EACH_H

#include "scenarios/runner/run/exit_code.h"

struct batch;
struct options;
struct run_output;
struct suite;

/* Why these options do not go together; NULL: they do. */
const char *fail_each_refusal(const struct options *options);

/* Runs the batch so, and hands its results to the output. Else than EXIT_OK
 * after saying why there are none. */
enum exit_code fail_each_run(
    struct suite *suite, struct batch *batch, struct run_output *output);

#endif
