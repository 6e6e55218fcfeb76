/* names.h - names of counter sets and instances, and patterns, that random
 * programs use; and how they compare: PCW-REG-08a, PCW-TYPE-05. */
#ifndef TESTS_RANDOM_NAMES_H
#define TESTS_RANDOM_NAMES_H

#include <stdbool.h>

enum {
    NAME_SETS = 6,    /* of counter sets */
    NAME_CREATED = 7, /* of instances that are created */
    NAME_ADDED = 7,   /* of those that callbacks add: none of the others */
    NAME_PATTERNS = 16,
};

/* As they are written in a scenario, in UTF-8. */
extern const char *const name_sets[NAME_SETS];
extern const char name_blank[]; /* of a set, and no good one */
extern const char *const name_created[NAME_CREATED];
extern const char *const name_added[NAME_ADDED];
extern const char *const name_patterns[NAME_PATTERNS];

bool names_equal(const char *one, const char *other);

/* Whether the name is one that the pattern stands for. */
bool names_match(const char *pattern, const char *name);

#endif
