/* scenario.h - one scenario as it was read: valid, typed, not yet run. */
#ifndef RUNNER_SCENARIO_H
#define RUNNER_SCENARIO_H

#include <stdbool.h>
#include <stdint.h>

#include "api/driver.h"
#include "api/exports.h"
#include "api/profile.h"
#include "scenarios/runner/scope.h"
#include "sim/machine.h"

enum step_kind {
#define STEP(name, ...) STEP_##name,
#include "scenarios/runner/steps.def"
    STEP_EXPECT, /* expectations without an action */
    STEP_KIND_COUNT,
};

enum check_kind {
#define CHECK(name, ...) CHECK_##name,
#include "scenarios/runner/checks.def"
    CHECK_KIND_COUNT
};

enum {
    SCENARIO_STEPS = 2000,
    SCENARIO_CALLBACKS = 16,
    SCENARIO_ACTORS = 64,
    CHECK_COVERS = 4,
    CPU_OWN = -1, /* the processor of whoever runs the step */
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
    size_t parameter; /* of the call, where the path is out.Name */
    bool is_out;      /* else the step's one result */
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

struct step_run {
    struct segment segment; /* clocks not filled in */
};

struct step_overflow {
    uint64_t counters; /* HAL indexes */
};

struct step_register {
    uint32_t index;
    const struct node *value; /* of wrmsr */
};

enum driver_action {
#define DRIVER_ACTION(name, spelling) DRIVER_##name,
#include "scenarios/runner/driver_actions.def"
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

struct step {
    enum step_kind kind;
    const struct node *node; /* the whole step */
    const struct node *key;  /* its kind, or expect */
    const char *number;      /* "2", or "3.drvA.1" inside of parallel */
    size_t ordinal;          /* below the scenario's step_count */
    size_t actor;
    unsigned branch;
    bool in_callback;
    int cpu; /* CPU_OWN or an index */
    struct save *save;
    size_t save_count;
    struct check *check;
    size_t check_count;
    union {
        struct step_call call;
        struct step_run run;
        struct step_overflow overflow;
        struct step_register msr;
        struct step_driver driver;
        struct step_parallel parallel;
    } u;
};

struct actor {
    struct driver driver; /* as the kernel knows it */
    const char *image;    /* its code is this file; NULL: steps are */
    const struct node *defined;
    bool used;
};

struct callback {
    struct step_list steps;
    size_t bits_variable, handle_variable; /* its parameters */
};

/* One of the machines that a scenario runs on. */
struct machine_choice {
    enum os os;
    enum arch arch;
};

struct scenario {
    struct source *source;
    const struct node *root;
    const char *id, *title;
    const char **tag;
    size_t tag_count;
    struct machine_config machine;   /* pmu as of x86 and x64 */
    const struct node *machine_node; /* NULL: left out */
    struct machine_choice *choice;   /* one for each instance */
    size_t choice_count;
    bool matrix_os, matrix_arch; /* axes, for the instances' ids */
    bool native; /* runs a driver's machine code, in a process of its own */
    struct actor *actor; /* native drivers last */
    size_t actor_count;
    size_t native_count; /* of those */
    struct variables *variables;
    struct callback_names *callback_names;
    struct callback callback[SCENARIO_CALLBACKS];
    struct step_list steps;
    size_t step_count;  /* with those inside of others */
    size_t check_count; /* likewise */
};

/* Whether the step has an expectation of this kind. */
bool step_expects(const struct step *step, enum check_kind kind);

#endif
