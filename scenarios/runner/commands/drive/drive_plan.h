/* drive_plan.h - what ntpmu drive asks a driver for between its start and its
 * end: each of its devices is opened, asked and closed. Made of what the run
 * before has shown. */
#ifndef RUNNER_COMMANDS_DRIVE_DRIVE_PLAN_H
#define RUNNER_COMMANDS_DRIVE_DRIVE_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "scenarios/runner/command_line/options.h"
#include "scenarios/runner/commands/drive/driver_scenario.h"
#include "scenarios/runner/run/verdict.h"

enum drive_phase {
    PHASE_START,
    PHASE_OPEN,
    PHASE_REQUESTS,
    PHASE_CLOSE,
    PHASE_UNLOAD,
    DRIVE_PHASES
};

struct drive_plan;

/* For a driver that has not run. Child of `context`. */
struct drive_plan *drive_plan_new(void *context, const struct options *options);

/* Takes note of the devices that DriverEntry has made, as a trace shows them.
 */
void drive_plan_devices(struct drive_plan *plan, const char *trace);

/* Whether there is more to do than was done: devices were found that nobody has
 * opened, or opened ones that nobody has asked. The steps are the next ones
 * then. */
bool drive_plan_next(struct drive_plan *plan);

/* The steps, each a line; child of the plan. And how many there are. */
char *drive_plan_steps(struct drive_plan *plan);
size_t drive_plan_step_count(const struct drive_plan *plan);

/* Takes note of what came of the steps of a run. True: something else than what
 * they expect, and that is what they expect from now on. */
bool drive_plan_take(struct drive_plan *plan,
    const struct driver_scenario *made, const struct verdict *verdict);

/* What was asked, and what came of it, a line each. */
void drive_plan_print(const struct drive_plan *plan, FILE *out);

/* A phase in a word: "ok", the status of the first that did not succeed, "-"
 * where there was nothing to do, "stopped" where the driver has started and did
 * not come to it. */
const char *drive_plan_phase(
    const struct drive_plan *plan, enum drive_phase phase);

#endif
