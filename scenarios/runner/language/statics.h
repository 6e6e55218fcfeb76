/* statics.h - what the names of an instance stand for before it runs: its
 * parameters, its row of cases, its place on the axes of the matrix, os and
 * arch. Substituted for $name on the tree, and known in expressions. */
#ifndef RUNNER_LANGUAGE_STATICS_H
#define RUNNER_LANGUAGE_STATICS_H

#include <stdatomic.h>
#include <stdbool.h>

#include "api/nt/profile.h"
#include "scenarios/runner/language/expression.h"
#include "scenarios/runner/yaml/yaml_tree.h"

/* One name that a file defines; every instance has a value for it. */
struct static_name {
    const char *name;
    const struct node *defined; /* where */
    atomic_bool used; /* by any instance; several may be read at once */
};

struct statics {
    struct static_value {
        struct static_name *name;
        const struct node *value;
    } * item;
    size_t count;
    enum os os;
    enum arch arch;
};

/* The value of a parameter, which is used then; NULL: no such name. */
const struct node *statics_find(
    const struct statics *statics, const char *name);

/* The value that a path of an expression has, if its first name is a parameter,
 * os, arch or a constant of the kernel's lists. Returns false when it is none
 * of them (*problem has no message then), or has no such part. */
bool statics_value(void *context, const struct statics *statics,
    const char *path, struct expression_value *value,
    struct expression_problem *problem);

/* Whether all names of an expression are of that kind, so that it has one value
 * for the instance. */
bool statics_are_enough(const struct statics *statics, const char *expression);

/* The inside of $( ), child of `context`; NULL: the node is not written so. */
char *expression_of_node(void *context, const struct node *node);

/* Whether the node is $name, or $( ): a plain scalar that is computed. */
bool node_is_computed(const struct node *node);

#endif
