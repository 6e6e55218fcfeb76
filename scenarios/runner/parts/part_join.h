/* part_join.h - what the parts of an exploration came to, as one verdict: that
 * of one process that would have tried all of their schedules. */
#ifndef RUNNER_PARTS_PART_JOIN_H
#define RUNNER_PARTS_PART_JOIN_H

#include <stddef.h>

struct instance;
struct verdict;

/* One verdict of each part, all of one instance. The one that is returned is
 * one of them, or a new one; a child of `context` as they are. */
struct verdict *part_join(void *context, const struct instance *instance,
    struct verdict *const verdict[], size_t parts);

#endif
