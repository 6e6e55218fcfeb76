/* paragraphs.h - lists that are kept by hand: lines `key: value`, an empty line
 * between entries, # before a remark. */
#ifndef MUTATION_PARAGRAPHS_H
#define MUTATION_PARAGRAPHS_H

#include <stdbool.h>
#include <stddef.h>

struct paragraph_key {
    const char *name;
    bool may_be_empty; /* "after:", the text that something becomes */
};

struct paragraph {
    const char **value; /* by key; NULL where it is not there */
    unsigned line;      /* of its first, for messages */
};

struct paragraphs {
    struct paragraph *item;
    size_t count;
};

/* Child of `context`; NULL and the number of the line that is no such key, has
 * no value, or is there twice. */
struct paragraphs *paragraphs_read(void *context, const char *text,
    const struct paragraph_key *keys, size_t key_count, unsigned *wrong);

/* Where `wanted` stands in the text of a file; false and *problem, which names
 * the list and its line, unless it is there exactly once. */
bool paragraph_locate(void *context, const char *wanted, const char *file,
    const char *text, const char *list, unsigned line, size_t *at,
    const char **problem);

#endif
