/* planted.h - the one file of a mutant, and what is known of it. */
#ifndef MUTATION_PLANTED_H
#define MUTATION_PLANTED_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "tests/mutation/mutants.h"

/* Writes the changed text to INTO/PATH and its description to
 * INTO/mutant.json, as {"index", "file", "line", "column", "kind", "before",
 * "after"} and the members of `more`, which may be NULL and is taken over.
 * False with errno. */
bool planted_write(const char *into, size_t index, const char *path,
    const char *text, const struct mutant *mutant, json_t *more);

/* As one line: blanks of any kind become one. Child of `context`. */
char *planted_line(void *context, const char *text, size_t length);

#endif
