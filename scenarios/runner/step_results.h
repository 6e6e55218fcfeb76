/* step_results.h - what a step's own action gives back: of a call that is its
 * routine's, of a device control the driver's. */
#ifndef RUNNER_STEP_RESULTS_H
#define RUNNER_STEP_RESULTS_H

#include "scenarios/runner/scenario.h"

/* The type of what it returns; NT_VOID: nothing. */
enum nt_type step_returns(const struct step *step);

/* Whether it reads a register, and so has a `value`. */
bool step_reads(const struct step *step);

/* The name of its result, besides out.Name, and its type; NULL: it has none. */
const char *step_result_name(const struct step *step, enum nt_type *type);

/* The exception that a step of this kind can raise; NULL: none. */
const char *step_raises(const struct step *step);

/* Its n-th parameter, some of which are outputs; NULL after the last one. */
const struct parameter *step_parameter(const struct step *step, size_t n);

#endif
