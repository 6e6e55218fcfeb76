/* scope_part.h - parts of a variable's value: members, elements, and what a
 * pointer that a callback was given points to. */
#ifndef RUNNER_LANGUAGE_SCOPE_PART_H
#define RUNNER_LANGUAGE_SCOPE_PART_H

#include "scenarios/runner/language/scope_path.h"

/* What a variable, or a part of it, is. `rest` is what follows its name, NULL:
 * nothing; it is cut up. Returns false after filling *problem. */
bool scope_part(struct scope_path *lookup, struct variable *variable,
    char *rest, struct expression_value *value,
    struct expression_problem *problem);

/* Makes *value, whose number and `known` are there, what expressions take for a
 * value of the type. Returns false after filling *problem, whose texts are
 * children of `texts`. */
bool scope_value_of_type(void *texts, enum nt_type type,
    struct expression_value *value, struct expression_problem *problem);

#endif
