/* slice.h - fixed defects of what judges, chosen by hand: no scenario that
 * passes can tell, so each names the test that has to. */
#ifndef MUTATION_SLICE_H
#define MUTATION_SLICE_H

#include <stddef.h>

/* `before` stands exactly once in the file, wherever that is. */
struct slice_entry {
    const char *file, *before, *after;
    const char *test; /* of CTest */
    unsigned line;    /* of the slice, for messages */
};

struct slice {
    struct slice_entry *item;
    size_t count;
};

/* Reads paragraphs of the lines `file:`, `before:`, `after:` and `test:`.
 * Child of `context`. NULL and *problem, where and what, on error. */
struct slice *slice_read(
    void *context, const char *name, const char *text, const char **problem);

#endif
