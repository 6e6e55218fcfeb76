/* scope.h - what the names in a scenario's values mean at a place in it: its
 * variables and callbacks. The same walk over a value first checks it, when
 * the file is read, and later, when the scenario runs, computes it. */
#ifndef RUNNER_LANGUAGE_SCOPE_H
#define RUNNER_LANGUAGE_SCOPE_H

#include <stdbool.h>
#include <stdint.h>

#include "api/nt/irql_level.h"
#include "api/nt/type.h"
#include "scenarios/runner/language/expression.h"
#include "scenarios/runner/language/schema.h"
#include "scenarios/runner/language/statics.h"

struct facts;
struct kernel;
struct memory;
struct step;

struct variable {
    const char *name;
    enum nt_type type;
    enum nt_type pointee; /* of a parameter that is a pointer: what it points
                             to; else NT_VOID */
    bool entries; /* of an event buffer: as long and as many as the variables
                     behind it say (entries.h) */
    const struct node *defined;
    bool used;
    unsigned branch; /* of `parallel`: seen only there; 0: seen everywhere */
    unsigned frame;  /* of `use`: seen only there; 0: the scenario's own */
    bool parameter;  /* of a callback: set whenever its body runs */
    bool array;      /* a list of values */
    bool address;    /* of a memory block */
    bool lost; /* what it has cannot be known, for an error that was reported */
    const struct step *setter; /* whose result it has; NULL: nobody knows */
    const char *actor; /* whose branch has set it; NULL: outside of parallel */
    const struct node *when; /* of the step that sets it; NULL: it always does
                              */
};

struct variables {
    struct variable *item;
    size_t count;
};

struct callback_name {
    const char *name;
    enum nt_type type; /* NT_VOID: unknown, for an error that was reported */
    uint64_t address;  /* what a driver is given */
    const struct node *defined;
    bool used;
};

struct callback_names {
    struct callback_name *item;
    size_t count;
};

/* Names of routines that the scenario answers for. */
struct answer_names {
    const char **item;
    size_t count;
};

/* The value that a variable has in one run. */
struct binding {
    uint64_t value;
    bool set;
    uint8_t *bytes; /* of a structure or list; child of the run */
    size_t count;   /* elements of it */
};

/* Values of some variables that only one strand sees: a callback's, whose body
 * several processors may run at the same time. */
struct own_bindings {
    size_t first, count; /* which */
    struct binding *binding;
};

struct scope {
    struct schema schema;
    struct variables *variables;
    struct callback_names *callbacks;
    const struct answer_names *answers;  /* NULL while running */
    const struct statics *statics;       /* of the frame */
    const struct structures *structures; /* NULL: there are none */
    enum arch arch;
    unsigned branch;         /* the branch of `parallel` that the place is in */
    unsigned frame;          /* the fragment's use that it is in */
    const char *actor;       /* of the branch */
    const struct node *when; /* of the step; NULL: none that depends on a run */
    bool names_broken;     /* errors about parameters were reported: those about
                              names that are missing follow from them */
    struct kernel *kernel; /* whose driver's memory is read; NULL: checking */
    struct memory *memory; /* where values' own blocks go; NULL: checking */
    bool in_callback;      /* any variable may be set by the time it runs */
    uint64_t per_us;       /* what a time, 10us, is counted in: so many of them
                              are a microsecond; 0: no time can stand here */
    bool in_repeat;        /* $i is known */
    uint64_t repeat_index;
    struct binding *binding;        /* NULL while checking */
    const struct own_bindings *own; /* instead of those; NULL: none */
    struct facts *facts; /* of a judge, who hears of variables and memory, or
                            tells another one; NULL: nobody else judges */
    const char *failure; /* what went wrong while running; NULL: nothing */
    bool unset;          /* a variable that no step has set */
    /* Whether an actor is called so, by `actors`; NULL: there are none. */
    bool (*is_actor)(const void *actors, const char *name);
    const void *actors;
    char *shown; /* what the names of conditions stood for, as they were
                    computed; NULL: nobody asks */
};

/* Where the value of a variable is, by its index, while running. */
struct binding *scope_binding(const struct scope *scope, size_t variable);

/* Whether the scope only checks. */
bool scope_checks(const struct scope *scope);

/* What is wrong: an error of the file while checking, the failure of the step
 * while running. */
__attribute__((format(printf, 4, 5))) void scope_error(struct scope *scope,
    enum diagnostic_code code, const struct node *node, const char *format,
    ...);

/* What went wrong while running, which is then forgotten. */
const char *scope_take_failure(struct scope *scope);

/* Adds what a suggestion found to the error just made, while checking. */
void scope_suggest(
    const struct scope *scope, const struct suggestion *suggestion);

/* The variable of that name that can be seen from this place; NULL when there
 * is none. */
struct variable *scope_variable(const struct scope *scope, const char *name);

/* Whether a text can be the name of an actor or a callback; reports one that
 * cannot. */
bool scope_check_name(
    const struct scope *scope, const struct node *name, const char *what);

/* Adds a variable; reports a name that is taken or not a variable's. NULL
 * then. */
struct variable *scope_define(
    struct scope *scope, const struct node *name, enum nt_type type);

/* The value of `$name` or `$( )` as a value of `type`. Returns false when it
 * has none, after scope_error(). */
bool scope_lookup(struct scope *scope, const struct node *node,
    enum nt_type type, uint64_t *value);

/* Whether `$( )`, or `$name`, is true. Returns false when it has no such value,
 * after scope_error(). */
bool scope_condition(struct scope *scope, const struct node *node, bool *value);

/* The callback of that name; NULL when there is none. */
struct callback_name *scope_callback(
    const struct scope *scope, const char *name);

/* Whether a text can be a variable's name. */
bool scope_is_variable_name(const char *name);

#endif
