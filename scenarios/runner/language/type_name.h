/* type_name.h - NT types as a scenario names them. */
#ifndef RUNNER_LANGUAGE_TYPE_NAME_H
#define RUNNER_LANGUAGE_TYPE_NAME_H

#include "api/nt/type.h"
#include "scenarios/runner/language/scope.h"

/* A type's name, or P or PC and a structure's, which means the structure.
 * Reports another. */
bool read_type(
    const struct schema *schema, const struct node *node, enum nt_type *type);

/* Whether read_type() takes it. */
bool type_is_known(const char *name);

/* Finds the type of exactly that name. */
bool type_find(const char *name, enum nt_type *type);

/* Finds what a header calls otherwise, UINT8 say (type_aliases.def). */
bool type_find_alias(const char *name, enum nt_type *type);

/* Writes the n-th of all names that a type can be called by. Returns false
 * after the last one. */
bool type_name(size_t n, char *name, size_t size);

/* Reports a parameter's value that its type does not have, where it is one
 * value. The scope checks. */
void type_check_value(
    struct scope *scope, const struct node *type, const struct node *value);

#endif
