/* debugger.h - a process that stops for a debugger (ntpmu drive --gdb). */
#ifndef RUNNER_STEPS_DEBUGGER_H
#define RUNNER_STEPS_DEBUGGER_H

#include "api/image/image.h"
#include "scenarios/runner/run/driver_files.h"

/* Says on standard error how a debugger comes to this process, and stops until
 * one lets it go on. Instructions that are not for user mode go on as they
 * always do; the first that is shown is DriverEntry's. */
void debugger_await(const struct driver_file *file, const struct image *image);

#endif
