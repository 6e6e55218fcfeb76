/* evaluate.h - the expectations of a step compared with what it has done. */
#ifndef RUNNER_RUN_EVALUATE_H
#define RUNNER_RUN_EVALUATE_H

#include "scenarios/runner/language/match.h"
#include "scenarios/runner/run/run.h"
#include "scenarios/runner/scenario/check.h"

/* All expectations of a step whose action has ended, and what no step may do
 * unexpectedly. */
void evaluate_step(struct run *run, struct outcome *outcome);

/* What holds after every step of parallel, after this one. */
void evaluate_always(
    struct run *run, struct outcome *parallel, const struct step *after);

/* The rule events from number `first` on that were broken on that processor are
 * no step's. */
void evaluate_disown_rules(struct run *run, size_t first, uint32_t processor);

/* One expectation each; a difference is reported with evaluate_fail(). */
struct evaluation {
    struct run *run;
    const struct outcome *outcome;
    const struct check *check;
};

__attribute__((format(printf, 3, 4))) void evaluate_fail(
    const struct evaluation *evaluation, const struct node *place,
    const char *format, ...);

/* Where calls are made to fail: whether an expectation cannot be asked, because
 * what it needs never came to be, which is then forgotten. */
bool evaluate_lacks(const struct evaluation *evaluation);

/* Notes that an expectation which can fail is evaluated: for those that compare
 * without the functions below. */
void evaluate_cites(const struct evaluation *evaluation);

/* Whether the run had its end in the step, or the step none, and that was
 * reported: what the step has not done is no news then, and what is cited
 * failed with it. */
bool evaluate_was_cut(const struct evaluation *evaluation);

/* Whether the step came to its end, so that it has results; reports why it has
 * none, unless that was. */
bool evaluate_has_result(const struct evaluation *evaluation);

/* Compares with match_values() or match_number(), and reports a difference
 * with `what` before it. */
void evaluate_values(const struct evaluation *evaluation,
    const struct node *node, const struct actual *actual, const char *what);
void evaluate_number(const struct evaluation *evaluation,
    const struct node *node, enum nt_type type, uint64_t number,
    const char *what);

#endif
