/* why_skipped.h - why an instance of these paths does not run. */
#ifndef RUNNER_WHY_SKIPPED_H
#define RUNNER_WHY_SKIPPED_H

#include "scenarios/runner/exit_code.h"
#include "scenarios/runner/options.h"

/* explain why-skipped ID PATH... */
enum exit_code why_skipped(const struct options *options);

#endif
