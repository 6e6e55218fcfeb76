/* drive.h - ntpmu drive: a driver's image is loaded, started and unloaded, and
 * what it did is shown, without any scenario. */
#ifndef RUNNER_DRIVE_H
#define RUNNER_DRIVE_H

#include "scenarios/runner/exit_code.h"
#include "scenarios/runner/options.h"

/* Drives each image that is named, one after another. */
enum exit_code drive_command(const struct options *options);

#endif
