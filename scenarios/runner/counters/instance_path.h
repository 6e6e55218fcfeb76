/* instance_path.h - names of instances with parents, as consumers take them
 * apart: Parent/Instance, or Parent/Instance#1 of several that are called so.
 */
#ifndef RUNNER_COUNTERS_INSTANCE_PATH_H
#define RUNNER_COUNTERS_INSTANCE_PATH_H

#include <stdbool.h>

/* What stands before the first slash, if something stands before and behind it
 * [C]; NULL: that instance has no parent. Child of `context`. */
char *instance_path_parent(void *context, const char *name);

/* Whether `mask` means the instance of that name: `*` any characters or none,
 * `?` any one, case is ignored, as in a query's mask (PCW-TYPE-05). A mask with
 * a slash means a parent by what stands before it, and the instance by what
 * stands behind it, so that no `*` reaches from one into the other. */
bool instance_path_meets(const char *name, const char *mask);

#endif
