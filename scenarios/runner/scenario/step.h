/* step.h - one step, as it was read: valid, typed, not yet run. */
#ifndef RUNNER_SCENARIO_STEP_H
#define RUNNER_SCENARIO_STEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scenarios/runner/counters/collection.h"
#include "scenarios/runner/scenario/check.h"
#include "scenarios/runner/scenario/cpu_list.h"
#include "scenarios/runner/scenario/step_kind.h"

/* save: {name: path}. */
struct save {
    size_t variable;  /* index */
    size_t parameter; /* of the call, where the path is out.Name; of `use`, the
                         fragment's variable */
    bool is_out;      /* else one of the step's own results */
    size_t result;    /* which of those */
    bool is_view;     /* of an output that is bytes: a typed value in it */
    size_t at;        /* its offset, bytes */
    const struct node *row; /* of a path into rows; NULL: another */
};

struct step_list {
    struct step *item;
    size_t count;
};

/* Steps inside of a step, and whose they are. */
struct branch {
    size_t actor;
    struct step_list steps;
};

/* A variable of the steps inside, which the step gives its value. */
struct given_value {
    size_t variable;
    const struct node *value;
};

struct step {
    const struct step_kind *kind;
    void *data;              /* of its kind */
    const struct node *node; /* the whole step */
    const struct node *key;  /* its kind, or expect */
    const char *number;      /* "2", or "3.drvA.1" inside of parallel */
    size_t ordinal;          /* below the scenario's step_count */
    size_t actor;
    unsigned branch, frame; /* of the variables that it sees */
    bool in_user_mode;      /* whoever runs it */
    bool in_callback;
    bool lost;    /* what it does could not be read, so its results neither */
    bool skipped; /* this instance does not have it */
    const struct node *when; /* whether it runs; NULL: it does */
    struct cpu_list cpus;    /* it is done once on each, in order */
    struct signature signature;
    const struct collection *collection; /* what it collects; NULL: nothing */
    struct save *save;
    size_t save_count;
    struct check_list expect;
    struct branch *inner; /* the steps inside of it */
    size_t inner_count;
    struct given_value *given; /* to those */
    size_t given_count;
    struct check_list always; /* after every one of those */
    struct check_list at_end; /* when all of them have ended */
    /* Conditions, one at the least; in some schedule each holds then. */
    const struct node *sometimes; /* NULL: none */
    size_t first_sometimes;       /* their first one's number */
};

/* Whether there is anything to do, not expectations alone. */
bool step_has_action(const struct step *step);

/* Whether the steps inside of it are steps of whoever has it. */
bool step_is_inline(const struct step *step);

/* Whether the step has an expectation about that. */
bool step_expects(const struct step *step, enum check_about about);

/* Whether it has results of its own, which are an outcome's `value`s. */
bool step_reads(const struct step *step);

/* The n-th result, of its own or of what it calls. Returns false when there are
 * not that many. */
bool step_result(const struct step *step, size_t n, struct step_result *result);

/* The one with this name; *n says which it is. Returns false when the step has
 * none such. */
bool step_result_find(const struct step *step, const char *name, size_t *n,
    struct step_result *result);

#endif
