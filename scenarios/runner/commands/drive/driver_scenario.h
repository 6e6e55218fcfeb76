/* driver_scenario.h - a driver's image by itself: it is loaded, and unloaded,
 * by a scenario of our own. */
#ifndef RUNNER_COMMANDS_DRIVE_DRIVER_SCENARIO_H
#define RUNNER_COMMANDS_DRIVE_DRIVER_SCENARIO_H

#include <stdio.h>

#include "scenarios/runner/command_line/options.h"
#include "scenarios/runner/run/exit_code.h"
#include "scenarios/runner/run/run.h"
#include "scenarios/runner/run/session.h"

struct driver_scenario {
    const char *path, *name;
    struct session session;
    struct instance instance;
    void *context;      /* memory */
    const char *unload; /* number of the last step */
    bool reserved;      /* the session has its machine */
};

/* Makes the session and the instance for the image at `path`, on the machine
 * that the options choose. Between load and unload time passes for that many
 * cycles, if any. EXIT_OK, or what to exit with after saying why on stderr; it
 * is to be closed in both cases. */
enum exit_code driver_scenario_open(struct driver_scenario *made,
    const char *path, const struct options *options, uint64_t cycles);

void driver_scenario_close(struct driver_scenario *made);

/* Writes a failure of its verdict: during which of the steps, and what. */
void driver_scenario_print(const struct driver_scenario *made,
    const struct failure *failure, FILE *out);

#endif
