/* yaml_out.h - values as YAML on one line, written so that our reader, and
 * every other, takes them for the same. A byte that is no UTF-8 becomes U+FFFD.
 * Knows nothing of lines, indents and comments, which are the writer's. */
#ifndef RUNNER_YAML_YAML_OUT_H
#define RUNNER_YAML_YAML_OUT_H

#include <stdio.h>

#include "scenarios/runner/yaml/yaml_tree.h"

struct yaml_out {
    FILE *out;
    /* What to write for a plain scalar; NULL: its text. */
    const char *(*plain)(void *context, const struct node *node);
    /* Is told of every node before it is written; NULL: nobody is. */
    void (*visit)(void *context, const struct node *node);
    void *context;
};

/* A text, in quotes where it needs them. */
void yaml_out_text(const char *text, FILE *out);

/* A text in double quotes. */
void yaml_out_quoted(const char *text, FILE *out);

/* The node in flow style. */
void yaml_out_flow(const struct yaml_out *yaml, const struct node *node);

#endif
