/* resolve.h - a part of a file's tree as one instance has it: every $name and
 * $( ) that the instance's parameters decide is replaced by its value, so that
 * readers and steps see plain values. What depends on a running scenario
 * stays. */
#ifndef RUNNER_LANGUAGE_RESOLVE_H
#define RUNNER_LANGUAGE_RESOLVE_H

#include "scenarios/runner/language/schema.h"
#include "scenarios/runner/language/statics.h"

/* A `when` of the scenario, and the values that it had so far. */
struct when_seen {
    const struct node *node;
    bool value[2];
    bool runs; /* depends on what runs */
};

struct whens {
    struct when_seen *item;
    size_t count;
    size_t next; /* what likely comes next */
};

/* What is known of it; it is entered when nothing is. Good until the next call.
 */
struct when_seen *whens_seen(struct whens *whens, const struct node *node);

struct resolver {
    void *context; /* new nodes are its children */
    const struct statics *statics;
    struct schema schema;
    struct whens *whens; /* NULL: not counted, as in a fragment */
};

/* The node itself where nothing in it is replaced. A mapping whose `when` is
 * false is given with that alone resolved: the rest need not have a meaning.
 * What has no value is reported, and stays. */
const struct node *resolve(
    const struct resolver *resolver, const struct node *node);

/* An error inside of an expression's text, which stands at `node`. */
void resolve_report(const struct schema *schema, const struct node *node,
    const struct expression_problem *problem);

/* A condition that the instance decides: true, false, or $( ) that is one of
 * them. Returns false after reporting another. */
bool resolve_condition(
    const struct resolver *resolver, const struct node *node, bool *value);

#endif
