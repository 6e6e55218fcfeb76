/* keys.h - the rows of keys.def. */
#ifndef RUNNER_LANGUAGE_KEYS_H
#define RUNNER_LANGUAGE_KEYS_H

#include "scenarios/runner/language/form.h"

enum presence { REQUIRED, OPTIONAL, KIND, REFUSED };

struct key_row {
    enum mapping mapping;
    const char *key;
    enum presence presence;
    const struct form *form; /* beside the row: few of them have pointers, and
                                each page that does costs at every start */
    const char *help;        /* in a line */
};

/* The rows of all mappings, each mapping's together. */
extern const struct key_row key_rows[];
extern const size_t key_row_count;

/* Those of one mapping. */
struct key_rows_of {
    const struct key_row *first;
    size_t count;
};

struct key_rows_of key_rows_of(enum mapping mapping);

/* The mapping's name in keys.def. */
const char *mapping_name(enum mapping mapping);

/* Where the mapping stands, in words: "an entry of params". */
const char *mapping_place(enum mapping mapping);

/* NULL when the mapping has no such key. */
const struct key_row *key_find(enum mapping mapping, const char *key);

#endif
