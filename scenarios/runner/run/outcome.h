/* outcome.h - what a step has done, so that it can be evaluated. */
#ifndef RUNNER_RUN_OUTCOME_H
#define RUNNER_RUN_OUTCOME_H

#include <stdbool.h>
#include <stdint.h>

#include "api/core/routine.h"
#include "scenarios/runner/language/scope.h"
#include "scenarios/runner/scenario/step.h"

struct run;

enum { OUTCOME_VALUES = 4 }; /* results of a step of its own, at most */

/* An output block that a call was given. */
struct out_block {
    uint8_t *at; /* in the guest's memory; NULL: none was given */
    size_t size;
    const uint8_t *before; /* a copy of what it held before the call */
    bool array;
    bool borrowed; /* the scenario's own, which may be gone behind the call */
};

/* What a step has done. */
struct outcome {
    const struct step *step;
    size_t nth; /* on which of the step's processors, counted from 0 */
    struct outcome *outer;          /* the step that this one is part of */
    struct outcome *opened;         /* the one opened before it, still open */
    const struct own_bindings *own; /* of the callback that it is a step of */
    bool finished;                  /* the action has ended by itself */
    bool failed;                    /* could not be done at all; reported */
    bool raised;
    bool unhandled;     /* by a program, which has ended with it */
    bool always_failed; /* of parallel: reported, and not asked again */
    NTSTATUS exception; /* that was raised */
    uint64_t returns;
    uint64_t value[OUTCOME_VALUES]; /* results of its own */
    struct out_block out[ROUTINE_PARAMETERS];
    struct rows *rows; /* of a collect; NULL: it has given none */
    size_t first_rule, first_handler; /* how many there were before */
    size_t last_rule, last_handler;
    size_t first_event, last_event; /* in the trace */
    uint64_t *began;                /* when, by processor; NULL: nobody asks */
    const char *call;               /* as text */
    uint32_t processor;
    uint8_t irql; /* at the start */
};

/* Begins the step; `outer`: the step that it is part of, NULL: none. Child of
 * the run. */
struct outcome *outcome_open(
    struct run *run, const struct step *step, struct outcome *outer);

/* How often the step is done: once on each processor that it names. */
size_t outcome_times(const struct step *step);

/* Its step's number, and of a step on several processors which of them it was:
 * "3 on cpu 5". Child of `context`. */
const char *outcome_number(void *context, const struct outcome *outcome);

/* It is no longer open. */
void outcome_close(struct run *run, struct outcome *outcome);

/* Sets the variables that the step's action gives values. */
void outcome_save(struct run *run, const struct outcome *outcome);

#endif
