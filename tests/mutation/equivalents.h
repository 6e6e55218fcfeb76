/* equivalents.h - defects that are none: what they change makes no difference
 * that anybody could see. They are not tried, each for a reason that is written
 * down (equivalents.txt). */
#ifndef MUTATION_EQUIVALENTS_H
#define MUTATION_EQUIVALENTS_H

#include <stdbool.h>
#include <stddef.h>

#include "tests/mutation/walk.h"

struct equivalent {
    const char *file, *text, *before, *after, *reason;
    unsigned line; /* of the list, for messages */
};

struct equivalents {
    struct equivalent *item;
    size_t count;
};

/* Reads paragraphs of the lines `file:`, `text:`, `before:`, `after:` and
 * `reason:`. Child of `context`. NULL and *problem, where and what, on error.
 */
struct equivalents *equivalents_read(
    void *context, const char *name, const char *text, const char **problem);

/* Marks in the walk the mutants that the entries name. `text` stands exactly
 * once in the file, and in it exactly one mutant begins that makes `after` of
 * `before`. Entries of files outside the walk are passed over. False and
 * *problem if one names nothing. */
bool equivalents_mark(const struct equivalents *list, const char *name,
    struct walk *walk, const char **problem);

#endif
