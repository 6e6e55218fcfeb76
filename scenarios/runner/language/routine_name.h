/* routine_name.h - a kernel routine by its name. */
#ifndef RUNNER_LANGUAGE_ROUTINE_NAME_H
#define RUNNER_LANGUAGE_ROUTINE_NAME_H

#include "scenarios/runner/language/schema.h"

/* Why the routine of this name cannot be called; NULL when the name is not a
 * known one. */
const char *routine_name_why_not(const char *name);

/* A routine that the model has. Returns false after reporting another. */
bool routine_name_read(
    const struct schema *schema, const struct node *node, size_t *routine);

#endif
