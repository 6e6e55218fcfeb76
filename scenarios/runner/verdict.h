/* verdict.h - a verdict that was not come to by running. */
#ifndef RUNNER_VERDICT_H
#define RUNNER_VERDICT_H

#include "scenarios/runner/run.h"

/* With one failure, at the scenario's root. Child of `context`. */
__attribute__((format(printf, 4, 5))) struct verdict *verdict_failed(
    void *context, const struct instance *instance, enum result result,
    const char *format, ...);

#endif
