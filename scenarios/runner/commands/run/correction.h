/* correction.h - what instances say that an expected value has to be, by its
 * place in the files: whether they agree. */
#ifndef RUNNER_COMMANDS_RUN_CORRECTION_H
#define RUNNER_COMMANDS_RUN_CORRECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "scenarios/runner/scenario/literal_place.h"
#include "scenarios/runner/yaml/source.h"

/* What one instance says of one place. */
struct correction {
    const struct source *source;
    struct literal_place place;
    struct mark mark;
    const char *id;             /* of the instance */
    size_t result;              /* whose it is, from 0 on */
    bool met, differs, several; /* as in struct literal */
    bool expected;              /* it may differ, and has to go on so */
    const char *actual;
};

struct corrections {
    struct correction *item;
    size_t count, capacity;
};

/* Memory is the context's. */
void corrections_add(void *context, struct corrections *corrections,
    const struct correction *correction);

/* By file, place and result. */
void corrections_sort(struct corrections *corrections);

/* Those for one place. */
struct correction_group {
    const struct correction *first;
    size_t count;
};

/* The group that begins with this one, of sorted ones. */
struct correction_group corrections_group(
    const struct corrections *corrections, size_t first);

/* The first that is not met, and should be; NULL: there is none. */
const struct correction *corrections_unmet(
    const struct correction_group *group);

/* Whether what this one wants suits all. */
bool corrections_agree(
    const struct correction_group *group, const struct correction *correction);

/* Who wants what, each value once, at most a few. */
void corrections_print_conflict(
    const struct correction_group *group, FILE *out);

#endif
