/* value_layout.h - bytes that no type of the kernel describes: typed values one
 * after another, without padding, a driver's own structures too
 * (structures.h). */
#ifndef RUNNER_LANGUAGE_VALUE_LAYOUT_H
#define RUNNER_LANGUAGE_VALUE_LAYOUT_H

#include <stdbool.h>

#include "scenarios/runner/language/value.h"

/* Whether the node is such a list: [{ULONG: 5}, ...]. */
bool value_is_layout(const struct node *node);

/* Its bytes, of items {TYPE: value}, {bytes: [..]} and {text: abc}. Returns
 * false after reporting. */
bool value_layout(struct scope *scope, void *context, const struct node *node,
    struct value_block *block);

/* Appends one item's bytes to a block, which is {0} before the first. Returns
 * false after reporting. */
bool value_layout_add(struct scope *scope, void *context,
    const struct node *item, struct value_block *block);

/* The same while checking; reports what is none of these. */
bool value_layout_read(struct scope *scope, void *context,
    const struct node *node, struct value_block *block);

#endif
