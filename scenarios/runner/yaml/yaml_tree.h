/* yaml_tree.h - a file as a tree of nodes with their places. A strict subset
 * of YAML: one document; no anchors, aliases, tags, directives, merge keys,
 * duplicate keys or empty values. Knows nothing of scenarios. */
#ifndef RUNNER_YAML_YAML_TREE_H
#define RUNNER_YAML_YAML_TREE_H

#include <stdbool.h>
#include <stddef.h>

#include "scenarios/runner/yaml/diagnostics.h"
#include "scenarios/runner/yaml/source.h"

enum {
    YAML_FILE_BYTES = 1 << 20,
    YAML_DEPTH = 32,
    YAML_EVENTS = 200000,
    YAML_SCALAR_BYTES = 65536,
    YAML_KEYS = 2000, /* in one mapping */
};

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

/* The tree of a source, child of `context`. NULL when there is nothing that
 * could be used; every error is in `diagnostics`, also where a tree is given.
 */
struct node *yaml_tree_read(void *context, const struct source *source,
    struct diagnostics *diagnostics);

/* The value of a mapping's key; NULL when it has no such key. */
struct node *node_get(const struct node *mapping, const char *key);

/* The key's own node. */
struct node *node_key(const struct node *mapping, const char *key);

/* Whether it is a plain scalar with this text. */
bool node_is_word(const struct node *node, const char *word);

/* Whether they say the same: kinds, texts, quotes, keys and their order. */
bool node_equal(const struct node *one, const struct node *other);

/* The node as one line of flow style, child of `context`. */
char *node_show(void *context, const struct node *node);

#endif
