/* account.h - the account that a process gives of a run to the one that judges
 * it (hearing.h): what its steps did, in the order in which they were
 * evaluated, and what went wrong besides. No verdict is in it. */
#ifndef RUNNER_RUN_ACCOUNT_H
#define RUNNER_RUN_ACCOUNT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scenarios/runner/language/facts.h"
#include "scenarios/runner/run/verdict.h"

struct instance;
struct outcome;
struct run;
struct step;
struct trace;

enum account_record {
    ACCOUNT_STEP,        /* a step is evaluated */
    ACCOUNT_ALWAYS,      /* so is what holds after every step of parallel */
    ACCOUNT_WHEN,        /* whether a step runs is worked out */
    ACCOUNT_LEFT_OUT,    /* a step does not run, whatever its `when` */
    ACCOUNT_DISOWNED,    /* broken rules that are no step's */
    ACCOUNT_FAILURE,     /* one that no expectation has found */
    ACCOUNT_UNEVALUATED, /* expectations that never came up are looked for */
    ACCOUNT_HELD,        /* what drivers hold at the end is looked at */
    ACCOUNT_END,
    ACCOUNT_RECORDS
};

/* How far the account of a run has come. */
struct account {
    struct facts facts;
    unsigned judging;                /* expectations are being evaluated */
    size_t rules, handlers, missing; /* that were told of */
};

/* Where the run comes to it; they do nothing where nobody is told (the session
 * has no account), or this is the process that is told. */
void account_tell_step(struct run *run, struct outcome *outcome);
void account_tell_always(
    struct run *run, struct outcome *parallel, const struct step *after);
void account_tell_when(struct run *run, const struct step *step);
void account_tell_left_out(struct run *run, const struct step *step);
void account_tell_disowned(struct run *run, size_t first, uint32_t processor);
void account_tell_failure(
    struct run *run, enum result result, const struct failure *failure);
void account_tell_unevaluated(struct run *run);
void account_tell_held(struct run *run);
void account_tell_end(struct run *run);

/* Between these two expectations are evaluated: what that reads of the run is
 * told, and what fails is not, because whoever hears finds it, too. Nothing
 * where there is no account. */
void account_begin_judging(struct run *run);
void account_end_judging(struct run *run);

/* Whether the run is one that another process tells of. */
bool account_is_heard(const struct run *run);

/* What follows a record: whether it is of finally, what a step has done, and
 * what the kernel has recorded since the record before, the same on both sides.
 */
void account_finally(struct run *run);
void account_outcome(struct run *run, struct outcome *outcome);
void account_kernel(struct run *run);

/* A step, by its ordinal. */
uint64_t account_ordinal(struct run *run, uint64_t ordinal);

/* The whole account of a run that never began, for a failure of ours. */
void account_of_failure(
    FILE *out, const struct instance *instance, const char *message);

#endif
