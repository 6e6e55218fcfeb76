/* node.h - a value of a YAML file with its place, and what is in it. */
#ifndef RUNNER_YAML_NODE_H
#define RUNNER_YAML_NODE_H

#include <stdbool.h>
#include <stddef.h>

#include "scenarios/runner/yaml/source.h"

enum node_kind { NODE_SCALAR, NODE_SEQUENCE, NODE_MAPPING };

struct node;

struct entry {
    struct node *key; /* a scalar */
    struct node *value;
};

struct node {
    enum node_kind kind;
    const struct source *source;
    struct mark mark;        /* of its first character */
    size_t width;            /* characters to underline for it */
    bool quoted;             /* a scalar in quotes or a block: literal text */
    const char *text;        /* of a scalar; without NUL inside */
    struct node **item;      /* of a sequence */
    struct entry *entry;     /* of a mapping, in the file's order */
    size_t count;            /* items or entries */
    const struct node *from; /* of one that stands for a parameter: where its
                                value is written; NULL: right here */
};

/* The value of a mapping's key; NULL when it has no such key. */
struct node *node_get(const struct node *mapping, const char *key);

/* The key's own node. */
struct node *node_key(const struct node *mapping, const char *key);

/* Whether it is a plain scalar with this text. */
bool node_is_word(const struct node *node, const char *word);

/* Whether it is $name or $( ) in quotes, which make a text of it. */
bool node_quotes_computed(const struct node *node);

/* Whether they say the same: kinds, texts, quotes, keys and their order. */
bool node_equal(const struct node *one, const struct node *other);

/* The node as one line of flow style, child of `context`. */
char *node_show(void *context, const struct node *node);

#endif
