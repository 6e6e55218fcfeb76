/* part_set.h - the parts of one run, all of them. */
#ifndef RUNNER_PARTS_PART_SET_H
#define RUNNER_PARTS_PART_SET_H

#include <stddef.h>
#include <stdio.h>

#include "scenarios/runner/parts/part_head.h"

struct instance;
struct part_set;
struct requirements;
struct verdict;

/* All bytes of a file, child of `context`; NULL: *problem says why not. */
uint8_t *part_set_bytes(
    void *context, const char *path, size_t *length, const char **problem);

/* Whether both are of the same command. */
bool part_set_same_words(const struct part_head *a, const struct part_head *b);

/* Reads the files. NULL after saying on `errors` what is wrong: a file is none
 * of a part, it is of another run or program than the first, a part is there
 * twice or is missing. Child of `context`. */
struct part_set *part_set_read(
    void *context, const char *const path[], size_t count, FILE *errors);

/* That of the first file: what all have in common. */
const struct part_head *part_set_head(const struct part_set *set);

/* What the parts have come to of an instance; child of `context`. NULL after
 * saying what is wrong. */
struct verdict *part_set_verdict(void *context, const struct part_set *set,
    const struct instance *instance, const struct requirements *requirements,
    FILE *errors);

#endif
