/* value_struct.h - structures and unions, written as in C. */
#ifndef RUNNER_LANGUAGE_VALUE_STRUCT_H
#define RUNNER_LANGUAGE_VALUE_STRUCT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scenarios/runner/language/scope.h"

/* The bytes that a value takes: the type's size, but for a structure with a
 * variable tail what its elements need. Returns false after reporting. */
bool value_size(struct scope *scope, const struct node *node, enum nt_type type,
    size_t *size);

/* Writes a value of any type, and what it points to (value_inner.h), at `at`,
 * which has value_size() zeroed bytes. Returns false after reporting. */
bool value_write(struct scope *scope, const struct node *node,
    enum nt_type type, uint8_t *at);

#endif
