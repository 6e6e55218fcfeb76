/* wish.h - what instances say that an expected value has to be, by its place in
 * the files: whether they agree. */
#ifndef RUNNER_LANGUAGE_WISH_H
#define RUNNER_LANGUAGE_WISH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "scenarios/runner/scenario/literal_place.h"
#include "scenarios/runner/yaml/source.h"

/* What one instance says of one place. */
struct wish {
    const struct source *source;
    struct literal_place place;
    struct mark mark;
    const char *id;             /* of the instance */
    size_t result;              /* whose it is, from 0 on */
    bool met, differs, several; /* as in struct literal */
    bool expected;              /* it may differ, and has to go on so */
    const char *actual;
};

struct wishes {
    struct wish *item;
    size_t count, capacity;
};

/* Memory is the context's. */
void wishes_add(void *context, struct wishes *wishes, const struct wish *wish);

/* By file, place and result. */
void wishes_sort(struct wishes *wishes);

/* Those for one place. */
struct wish_group {
    const struct wish *first;
    size_t count;
};

/* The group that begins with this one, of sorted ones. */
struct wish_group wishes_group(const struct wishes *wishes, size_t first);

/* The first that is not met, and should be; NULL: there is none. */
const struct wish *wishes_unmet(const struct wish_group *group);

/* Whether what this one wants suits all. */
bool wishes_agree(const struct wish_group *group, const struct wish *wish);

/* Who wants what, each value once, at most a few. */
void wishes_print_conflict(const struct wish_group *group, FILE *out);

#endif
