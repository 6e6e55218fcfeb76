/* entries.h - the entries of an event buffer, as the body of its handler looks
 * at them: by the fields of their type. */
#ifndef RUNNER_LANGUAGE_ENTRIES_H
#define RUNNER_LANGUAGE_ENTRIES_H

#include <stddef.h>
#include <stdint.h>

#include "scenarios/runner/language/scope.h"

/* `count` entries of `size` bytes, each of which begins with a value of the
 * variable's pointee. */
struct entries {
    const uint8_t *at; /* guest memory; NULL: it cannot be read as such */
    size_t count, size;
};

/* The variable that has the entries at this place; NULL: it is no place in such
 * a handler. */
struct variable *entries_variable(const struct scope *scope);

/* While running: those of this call of the handler. */
struct entries entries_of(
    const struct scope *scope, const struct variable *variable);

/* A copy of their values one behind the other; child of `context`. */
uint8_t *entries_copy(
    void *context, const struct entries *entries, enum nt_type type);

#endif
