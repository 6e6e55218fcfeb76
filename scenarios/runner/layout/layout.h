/* layout.h - the layout of our YAML files. It changes blanks, line ends and
 * commas before closing brackets, and nothing else; docs/scenarios.md has the
 * rules. */
#ifndef RUNNER_LAYOUT_LAYOUT_H
#define RUNNER_LAYOUT_LAYOUT_H

#include "scenarios/runner/yaml/yaml_tree.h"

/* The text as it has to be laid out, a source of the same path and child of
 * `context`; `root` is the tree of the text. It means the same, has the same
 * comments, and is laid out as itself. NULL when we failed in that. */
struct source *layout_source(
    void *context, const struct source *source, const struct node *root);

#endif
