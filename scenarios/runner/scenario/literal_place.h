/* literal_place.h - where in a file's text an expected value stands. */
#ifndef RUNNER_SCENARIO_LITERAL_PLACE_H
#define RUNNER_SCENARIO_LITERAL_PLACE_H

#include <stddef.h>

struct node;
struct scenario;

struct literal_place {
    size_t offset, length; /* bytes of its source */
    const char *problem;   /* why it cannot be replaced there: it is $want,
                              cases line 6; NULL: it can */
};

/* Finds it. What it holds are children of `context`. */
struct literal_place literal_place_find(
    void *context, const struct scenario *scenario, const struct node *node);

#endif
