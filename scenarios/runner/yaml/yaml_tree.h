/* yaml_tree.h - a file as a tree of nodes with their places. A strict subset
 * of YAML: one document; no anchors, aliases, tags, directives, merge keys,
 * duplicate keys or empty values. Knows nothing of scenarios. */
#ifndef RUNNER_YAML_YAML_TREE_H
#define RUNNER_YAML_YAML_TREE_H

#include "scenarios/runner/yaml/diagnostics.h"
#include "scenarios/runner/yaml/node.h"

enum {
    YAML_FILE_BYTES = 1 << 20,
    YAML_DEPTH = 32,
    YAML_EVENTS = 200000,
    YAML_SCALAR_BYTES = 65536,
    YAML_KEYS = 2000, /* in one mapping */
};

/* The tree of a source, child of `context`. NULL when there is nothing that
 * could be used; every error is in `diagnostics`, also where a tree is given.
 */
struct node *yaml_tree_read(void *context, const struct source *source,
    struct diagnostics *diagnostics);

#endif
