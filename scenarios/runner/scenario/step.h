/* step.h - one step, as it was read: valid, typed, not yet run. */
#ifndef RUNNER_SCENARIO_STEP_H
#define RUNNER_SCENARIO_STEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/core/routine.h"
#include "scenarios/runner/counters/collection.h"
#include "scenarios/runner/scenario/check.h"
#include "scenarios/runner/scenario/check_kind.h"
#include "scenarios/runner/steps/program_counter.h"
#include "sim/pmu/segment.h"

enum step_kind {
#define STEP(name, ...) STEP_##name,
#include "scenarios/runner/language/steps.def"
    STEP_EXPECT, /* expectations without an action */
    STEP_KIND_COUNT,
};

enum {
    STEP_VALUES = 4, /* results of a step that reads registers, at most */
    CPU_OWN = -1,    /* the processor of whoever runs the step */
};

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

struct step;

struct step_list {
    struct step *item;
    size_t count;
};

struct step_call {
    enum routine routine;
    const struct node *argument[ROUTINE_PARAMETERS]; /* NULL: left out */
};

/* A stretch of code. */
struct run_part {
    struct segment segment;      /* clocks not filled in */
    uint64_t burst[EVENT_COUNT]; /* happens at its beginning, at once */
};

struct step_run {
    struct run_part *part; /* one after another */
    size_t count;
    uint64_t repeat; /* how many times all of them */
};

struct step_advance {
    uint64_t cycles;
};

struct step_overflow {
    uint64_t counters; /* HAL indexes */
};

struct step_register {
    /* Of cpuid the leaf; of mrs and msr as sysreg_read() takes it. */
    uint32_t index;
    enum ring ring;           /* of rdpmc */
    bool cr4_pce;             /* likewise */
    const struct node *value; /* of wrmsr and msr */
};

struct step_fault {
    enum routine routine;
    uint32_t nth;               /* of the calls from now on; 1 is the next */
    const struct node *returns; /* its result, of its type */
};

struct step_store {
    const struct node *to; /* an address */
    uint64_t at;           /* bytes from there */
    const struct node *values;
};

struct step_collect {
    struct asked asked;       /* once, where there is no `query` */
    const struct node *query; /* number of an open query; NULL: none */
    struct collection collection;
    uint32_t cancel_after;
};

struct step_query {
    struct asked *asked;
};

struct step_close_query {
    const struct node *query;
};

enum driver_action {
#define DRIVER_ACTION(name, spelling) DRIVER_##name,
#include "scenarios/runner/language/driver_actions.def"
    DRIVER_IOCTL,
};

struct step_driver {
    enum driver_action action;
    uint32_t code;            /* of a device control */
    const struct node *input; /* NULL: none */
    uint32_t output;          /* bytes of its output buffer */
};

struct branch {
    size_t actor;
    unsigned number; /* of variables' branches */
    struct step_list steps;
};

struct step_parallel {
    struct branch *branch;
    size_t count;
};

/* A parameter of a fragment whose value is known only when it runs. */
struct use_given {
    size_t variable; /* of the fragment's frame */
    const struct node *value;
};

struct step_use {
    struct step_list steps;
    struct use_given *given;
    size_t given_count;
};

struct step {
    enum step_kind kind;
    const struct node *node; /* the whole step */
    const struct node *key;  /* its kind, or expect */
    const char *number;      /* "2", or "3.drvA.1" inside of parallel */
    size_t ordinal;          /* below the scenario's step_count */
    size_t actor;
    unsigned branch, frame;
    bool in_callback;
    bool skipped;                        /* this instance does not have it */
    const struct node *when;             /* whether it runs; NULL: it does */
    int cpu;                             /* CPU_OWN or an index */
    const struct collection *collection; /* what it collects; NULL: nothing */
    struct save *save;
    size_t save_count;
    struct check_list expect;
    struct check_list always; /* after every step inside of it */
    struct check_list at_end; /* when all of those have ended */
    union {
        struct step_call call;
        struct step_run run;
        struct step_advance advance;
        struct program program;
        struct step_overflow overflow;
        struct step_register msr;
        struct step_fault fault;
        struct step_store store;
        struct step_collect collect;
        struct step_query query;
        struct step_close_query close_query;
        struct step_driver driver;
        struct step_parallel parallel;
        struct step_use use;
    } u;
};

/* Whether there is anything to do, not expectations alone. */
bool step_has_action(const struct step *step);

/* Whether the step has an expectation about that. */
bool step_expects(const struct step *step, enum check_about about);

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
