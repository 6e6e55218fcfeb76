/* scenario.h - one scenario as it was read: valid, typed, not yet run. */
#ifndef RUNNER_SCENARIO_SCENARIO_H
#define RUNNER_SCENARIO_SCENARIO_H

#include <stdbool.h>
#include <stdint.h>

#include "api/core/driver.h"
#include "api/core/routine.h"
#include "api/nt/profile.h"
#include "api/nt/rulings.h"
#include "scenarios/runner/counters/collection.h"
#include "scenarios/runner/counters/counter_names.h"
#include "scenarios/runner/language/callback.h"
#include "scenarios/runner/language/scenario_limits.h"
#include "scenarios/runner/language/scope.h"
#include "scenarios/runner/scenario/instance.h"
#include "scenarios/runner/steps/program_counter.h"
#include "sim/machine/machine.h"

enum step_kind {
#define STEP(name, ...) STEP_##name,
#include "scenarios/runner/language/steps.def"
    STEP_EXPECT, /* expectations without an action */
    STEP_KIND_COUNT,
};

enum check_kind {
#define CHECK(name, ...) CHECK_##name,
#include "scenarios/runner/language/checks.def"
    CHECK_KIND_COUNT
};

enum {
    STEP_VALUES = 4, /* results of a step that reads registers, at most */
    CPU_OWN = -1,    /* the processor of whoever runs the step */
};

/* One expectation, with the requirements that it tests. */
struct check {
    enum check_kind kind;
    const struct node *key;           /* where it stands */
    const struct node *value;         /* what is expected */
    const char *covers[CHECK_COVERS]; /* requirement ids; NULL after the last */
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

struct manifest;
struct manifest_set;
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
    struct check *always; /* after every step of every branch */
    size_t always_count;
    struct check *at_end;
    size_t at_end_count;
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
    struct check *check;
    size_t check_count;
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

struct actor {
    struct driver driver; /* as the kernel knows it */
    const char *image;    /* its code is this file; NULL: steps are */
    const struct node *defined;
    uint32_t silo; /* its thread's (PCW-REG-11b); 0: the host */
    bool used;
};

struct callback {
    enum callback_type type;
    bool lost; /* its type cannot be known, for an error that was reported */
    unsigned branch; /* of its variables */
    struct step_list steps;
    size_t first_variable, variable_count; /* parameters, then those set */
    size_t parameter[CALLBACK_PARAMETERS]; /* variables */
    const struct node *returns;            /* NULL: 0, or nothing */
};

/* A block of guest memory that lasts as long as the scenario. */
struct memory_area {
    size_t variable; /* has its address */
    size_t bytes;
    bool paged;
    const struct node *values; /* what it begins with; NULL: nothing */
};

/* A use of a fragment, or the scenario itself: names of its own. */
struct frame {
    const struct statics *statics;
    const struct node *steps; /* its tree */
};

struct scenario {
    const struct instance *instance;
    const struct node *root; /* as the instance has it */
    struct machine_config machine;
    const struct node *machine_node; /* NULL: left out */
    bool pcw_not_ready;              /* PCW-REG-15 */
    enum os os;
    enum arch arch;
    bool native; /* runs a driver's machine code, in a process of its own */
    bool warnings_are_notes;
    bool traced;            /* expects events, so records are needed */
    struct rulings rulings; /* as the kernel gets them */
    struct frame *frame;    /* [0]: the scenario's own */
    size_t frame_count;
    struct memory_area *memory;
    size_t memory_count;
    struct step_list finally;
    struct actor *actor; /* native drivers last */
    size_t actor_count;
    size_t native_count; /* of those */
    struct named_manifests manifests;
    struct variables *variables;
    struct callback_names *callback_names;
    struct callback callback[SCENARIO_CALLBACKS];
    struct step_list steps;
    size_t step_count;  /* with those inside of others */
    size_t check_count; /* likewise */
};

bool scenario_is_native(const struct scenario *scenario);

/* Whether the step has an expectation of this kind. */
bool step_expects(const struct step *step, enum check_kind kind);

#endif
