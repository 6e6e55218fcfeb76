/* step_kind.h - what a kind of step is: a row of steps.def with its code. The
 * room of steps has them; who reads scenarios is given them (kinds.h). */
#ifndef RUNNER_SCENARIO_STEP_KIND_H
#define RUNNER_SCENARIO_STEP_KIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/core/routine.h"

struct node;
struct outcome;
struct reader;
struct run;
struct step;

/* Whose step it is, which `as` says. */
enum step_whose {
    WHOSE_ACTOR,
    WHOSE_ANY_ACTOR, /* also a driver with an image, which does not do it */
    WHOSE_DRIVER,    /* with an image; the only one there is needs no `as` */
    WHOSE_NOBODY,
    WHOSE_BRANCHES,  /* its branches' actors' */
    WHOSE_ITS_STEPS, /* `as` may say whose the steps inside of it are */
    WHOSE_ASKED,     /* `as` may say who is asked about */
};

/* What of the processors it touches. */
enum step_touches {
    TOUCHES_NOTHING,
    TOUCHES_HAL, /* its tables, no register */
    TOUCHES_PMU,
    TOUCHES_X86_PMU,
    TOUCHES_X86_USER, /* what user mode may look at */
    TOUCHES_ARM_PMU,
};

/* A result of a step, besides out.Name. */
struct step_result {
    const char *name; /* NULL behind the last */
    enum nt_type type;
};

/* A key of a step that belongs to one kind, or some. */
struct step_key {
    const char *key; /* NULL behind the last */
    bool required;
};

/* What a step calls, as if it were a routine. */
struct signature {
    const char *name;
    enum nt_type returns; /* NT_VOID: nothing */
    const struct parameter *parameter;
    size_t parameter_count;
    uint32_t output; /* bytes of an output that has no type */
};

/* What a step of a kind is when a certain word stands behind its key. */
struct step_variant {
    const char *word; /* NULL: a mapping does */
    const char *key;  /* of that mapping, which it has; NULL: any mapping */
    const char *name; /* of what those have in common that are described alike;
                         NULL: this one is alone */
    struct signature signature;
};

struct step_code {
    const char *noun;    /* "a call"; NULL: its key */
    const char *long_as; /* the key of the kind that it is short for; NULL: its
                            own */
    size_t data_bytes;   /* of a step's own data */
    const struct signature *signature; /* of all its steps; NULL: it returns
                                          nothing, or it has variants */
    bool gives_rows;                   /* it has a collection */
    bool reads_saves;                  /* read() reads `save`, too */

    /* Reads what stands behind its key into the step; what is wrong is
     * reported. */
    void (*read)(
        struct reader *reader, const struct node *value, struct step *step);

    /* The same, when the expectations have been read; NULL: nothing is left. */
    void (*read_end)(struct reader *reader, const struct step *step);

    /* The n-th variant, false behind the last; NULL: all its steps are alike.
     */
    bool (*variant)(size_t n, struct step_variant *variant);

    /* The action, as code on the processor that the step names, where an
     * exception is caught that it expects; or, where that is NULL, as code of
     * the actor's strand, which sees to all this itself. Both NULL: it has none
     * of its own. */
    void (*run)(struct run *run, struct outcome *outcome);
    void (*run_here)(struct run *run, struct outcome *outcome);

    /* Before and behind the steps inside of it, where those are steps of
     * whoever has it; NULL: they are not. enter() is false when it failed. */
    bool (*enter)(struct run *run, struct outcome *outcome);
    void (*leave)(struct run *run, const struct step *step);

    /* Whether it would only fail because of a failure before; NULL: never. */
    bool (*is_in_vain)(struct run *run, const struct step *step);

    /* Whether it would give back what is held at the end of a run, done once
     * more; NULL: never. */
    bool (*gives_back)(struct run *run, const struct step *step);

    /* What it does and what it returned, for people; NULL: as it is written,
     * nothing. Children of `context`. */
    const char *(*show)(
        void *context, const struct run *run, const struct outcome *outcome);
    const char *(*show_returned)(
        void *context, const struct run *run, const struct outcome *outcome);

    /* Before the first step of a scenario that asks something of threads; NULL:
     * there is nothing to do. */
    void (*begin)(struct run *run);

    /* Reports what is left of such steps at the end of a run in which nothing
     * failed; NULL: nothing can be. */
    void (*end)(struct run *run);
};

struct step_kind {
    const char *key;
    const struct step_code *code;
    enum step_whose whose;
    enum step_touches touches;
    const struct step_result *results;
    const char *const *raises; /* exceptions, by name, then NULL */
    const struct step_key *keys;
};

struct step_kinds {
    const struct step_kind *item;
    size_t count;
};

/* Of a step that has expectations alone. */
extern const struct step_kind step_kind_none;

/* The key of the step that belongs to the kind; NULL: it does not. */
const struct step_key *step_kind_key(
    const struct step_kind *kind, const char *key);

#endif
