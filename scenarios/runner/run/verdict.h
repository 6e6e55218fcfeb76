/* verdict.h - a verdict that was not come to by running, and what can be said
 * of any. */
#ifndef RUNNER_RUN_VERDICT_H
#define RUNNER_RUN_VERDICT_H

#include "scenarios/runner/run/run.h"

/* With one failure, at the scenario's root. Child of `context`. */
__attribute__((format(printf, 4, 5))) struct verdict *verdict_failed(
    void *context, const struct instance *instance, enum result result,
    const char *format, ...);

/* The name of a result: PASS, FAIL, ... */
const char *verdict_result_name(enum result result);

/* Neither passed nor skipped. */
bool verdict_result_failed(enum result result);

/* Makes it one that verdict_send() sends whole, so that it is the same wherever
 * it was come to: of very many failures the last that is left says how many
 * there were. */
void verdict_trim(struct verdict *verdict);

#endif
