/* step_results.h - what a step's own action gives back: of a call that is its
 * routine's, of a device control the driver's. */
#ifndef RUNNER_SCENARIO_STEP_RESULTS_H
#define RUNNER_SCENARIO_STEP_RESULTS_H

#include "scenarios/runner/scenario/scenario.h"

/* The type of what it returns; NT_VOID: nothing. */
enum nt_type step_returns(const struct step *step);

/* Whether it reads registers or collects: its results are an outcome's
 * `value`s. */
bool step_reads(const struct step *step);

/* A result of a step, besides out.Name. */
struct step_result {
    const char *name;
    enum nt_type type;
};

/* The n-th. Returns false when there are not that many. */
bool step_result(const struct step *step, size_t n, struct step_result *result);

/* The one with this name; *n says which it is. Returns false when the step has
 * none such. */
bool step_result_find(const struct step *step, const char *name, size_t *n,
    struct step_result *result);

/* The exception that a step of this kind can raise; NULL: none. */
const char *step_raises(const struct step *step);

/* Its n-th parameter, some of which are outputs; NULL after the last one. */
const struct parameter *step_parameter(const struct step *step, size_t n);

#endif
