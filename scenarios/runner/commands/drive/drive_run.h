/* drive_run.h - one image on one Windows: run as often as it takes to know what
 * can be done with it, once more to do that, and once for a shutdown. */
#ifndef RUNNER_COMMANDS_DRIVE_DRIVE_RUN_H
#define RUNNER_COMMANDS_DRIVE_DRIVE_RUN_H

#include "scenarios/runner/command_line/options.h"
#include "scenarios/runner/commands/drive/drive_plan.h"
#include "scenarios/runner/commands/drive/drive_shutdown.h"
#include "scenarios/runner/commands/drive/driver_scenario.h"
#include "scenarios/runner/run/exit_code.h"
#include "scenarios/runner/run/verdict.h"

struct drive_run {
    struct driver_scenario made;
    struct drive_plan *plan;
    struct verdict *verdict; /* of the last run, and the trace of that */
    const char *trace;
    /* Of the run that ended in a shutdown; NULL: it has not registered for one.
     */
    struct verdict *shutdown_verdict;
    struct drive_shutdown shutdown;
    enum result result; /* which is less than the verdict's where only memory
                           integrity would have it otherwise */
    const char *broken, *leaks, *integrity; /* failures, each a line or two */
    /* What the image imports and nobody models: how many names, and how many of
     * them were never reached; and each of them, whole lines. NULL: nothing. */
    const char *missing, *missing_names;
};

/* On `os`; NULL: the one that the options choose. EXIT_OK, or what to exit with
 * where nothing was run, after saying why; it is to be ended in both cases. */
enum exit_code drive_run(struct drive_run *run, const char *path,
    const char *os, const struct options *options);
void drive_run_end(struct drive_run *run);

/* As drive_plan_phase() has others: "ok" where the driver has come back from
 * all that it was told of a shutdown. */
const char *drive_run_shutdown_phase(const struct drive_run *run);

/* What was done as a scenario to go on from, to a new file. */
enum exit_code drive_run_write(
    const struct drive_run *run, const struct options *options);

#endif
