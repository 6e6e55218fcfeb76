/* fragment.h - steps of another file, by "path#name". */
#ifndef RUNNER_LIBRARY_FRAGMENT_H
#define RUNNER_LIBRARY_FRAGMENT_H

#include "scenarios/runner/library/library.h"

struct fragment {
    const struct node *key;    /* its name, where it is defined */
    const struct node *body;   /* title, params, gives, steps */
    const struct node *params; /* NULL: none */
    const struct node *gives;  /* NULL: nothing */
    const struct node *steps;
};

/* What was found by each name before; all of it is used by one outline. */
struct fragments_found {
    struct fragment_found {
        const struct node *name;
        struct fragment fragment;
    } * item;
    size_t count;
    size_t next; /* what is likely looked for next */
};

/* The fragment that the scalar names, its path counted from the scalar's file.
 * Returns false after reporting why there is none. `root` is the directory
 * that it must not leave. */
bool fragment_find(struct library *library, const struct schema *schema,
    const struct node *name, const char *root, struct fragments_found *found,
    struct fragment *fragment);

/* A whole file of fragments: reports what is wrong with any, but for their
 * steps, which have a meaning where they are used. */
void fragment_check_file(const struct schema *schema, const struct node *root);

#endif
