/* slice.h - the fixed mutants of tools/test, chosen and verified by hand. */
#ifndef MUTATION_SLICE_H
#define MUTATION_SLICE_H

#include <stdbool.h>
#include <stddef.h>

enum { SLICE_COVERS = 4 };

/* `before` stands exactly once in the file, wherever that is. */
struct slice_entry {
    const char *file, *before, *after;
    const char *covers[SLICE_COVERS]; /* requirements; NULL after the last */
    unsigned line;                    /* of the slice, for messages */
};

struct slice {
    struct slice_entry *item;
    size_t count;
};

/* Reads paragraphs of the lines `file:`, `before:`, `after:` and `covers:`.
 * Child of `context`. NULL and *problem, where and what, on error. */
struct slice *slice_read(
    void *context, const char *name, const char *text, const char **problem);

/* Where `before` stands in the text; false and *problem unless it is there
 * exactly once. */
bool slice_locate(void *context, const struct slice_entry *entry,
    const char *name, const char *text, size_t *at, const char **problem);

#endif
