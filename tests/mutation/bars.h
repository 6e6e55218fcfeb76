/* bars.h - how many of the planted defects have to be noticed, by place. */
#ifndef MUTATION_BARS_H
#define MUTATION_BARS_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/* `text` has a line a bar, # before a remark: PERCENT WHO PLACE..., WHO being
 * `suite`, the scenarios alone, or `some`, any test; a place is a directory or
 * a file. `lines` are those of a walk. Gives a list of {"percent", "by",
 * "places", "ran", "noticed", "held"}; where nothing ran, it is held. NULL and
 * *problem, where and what, child of `context`, on error. */
json_t *bars_measure(void *context, const char *name, const char *text,
    const json_t *lines, const char **problem);

/* For people, a line a bar. Returns whether all are held. */
bool bars_print(const json_t *bars, FILE *out);

#endif
