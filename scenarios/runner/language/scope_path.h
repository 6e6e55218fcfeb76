/* scope_path.h - names at a place, for scope.c. */
#ifndef RUNNER_LANGUAGE_SCOPE_PATH_H
#define RUNNER_LANGUAGE_SCOPE_PATH_H

#include "scenarios/runner/language/scope.h"

/* What the names in an expression are looked up with. */
struct scope_path {
    struct scope *scope;
    const struct node *node;
    void *texts; /* where messages go */
    bool lost;   /* it names a variable that was reported */
};

/* An expression's path: a variable or a part of it, actor.variable, what the
 * instance knows, $i, a callback. `context` is a struct scope_path. */
bool scope_path(void *context, const char *path, struct expression_value *value,
    struct expression_problem *problem);

/* The variable that $name, $(name) or $(actor.name) is, the whole value; NULL:
 * it is something else, or there is none. */
struct variable *scope_path_variable(
    const struct scope *scope, const struct node *node);

/* Reports a variable that may be unset at the place. */
bool scope_check_when(struct scope *scope, const struct node *node,
    const struct variable *variable);

/* What may be meant by a name that nothing has; child of `context`. */
const char *scope_hint_unknown(const struct scope *scope, void *context,
    const char *name, const char *sigil);

/* $i inside of repeat, and callbacks: what no step sets. */
bool scope_constant(
    struct scope *scope, const char *name, enum nt_type *from, uint64_t *value);

#endif
