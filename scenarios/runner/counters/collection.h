/* collection.h - what a consumer of counter sets asks (PCW-CON-01), and what
 * one collection can give because of that. */
#ifndef RUNNER_COUNTERS_COLLECTION_H
#define RUNNER_COUNTERS_COLLECTION_H

#include <stdbool.h>
#include <stdint.h>

struct manifest_set;
struct node;

struct asked {
    const char *set;                     /* its name, as it is registered */
    const struct manifest_set *manifest; /* that describes it; NULL: none */
    const char *instance;                /* wildcard */
    const struct node *id;               /* NULL: any */
    uint64_t counters;                   /* bit x: counter x */
    bool multiple;
};

struct collection {
    const struct asked *asked; /* NULL: only known when it runs */
    bool enumerates;           /* instances alone, without values */
    bool again; /* of a query that stays open, so there can be one before it */
};

#endif
