/* yaml_out.h - values written so that our reader takes them for the same. */
#ifndef RUNNER_COMMANDS_EXPAND_YAML_OUT_H
#define RUNNER_COMMANDS_EXPAND_YAML_OUT_H

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

/* The node in one line, in flow style. */
void yaml_out_flow(const struct yaml_out *yaml, const struct node *node);

#endif
