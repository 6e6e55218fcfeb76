/* node_number.c - a number for each node of a scenario's trees, by which one
 * process tells another where something stands. */
#include "scenarios/runner/scenario/node_number.h"

#include "scenarios/runner/scenario/scenario.h"

struct walk {
    const struct node *wanted; /* NULL: by number */
    uint64_t number;           /* of the next node */
    uint64_t end;
};

/* The node that the walk ends at; NULL: it goes on. */
static const struct node *walk_node(struct walk *walk, const struct node *node)
{
    const struct node *found = NULL;

    if (node == walk->wanted ||
        (walk->wanted == NULL && walk->number == walk->end)) {
        return node;
    }
    walk->number++;
    for (size_t i = 0;
         node->kind != NODE_SCALAR && i < node->count && found == NULL; i++) {
        if (node->kind == NODE_SEQUENCE) {
            found = walk_node(walk, node->item[i]);
            continue;
        }
        found = walk_node(walk, node->entry[i].key);
        if (found == NULL) {
            found = walk_node(walk, node->entry[i].value);
        }
    }
    return found;
}

static const struct node *walk_all(
    struct walk *walk, const struct scenario *scenario)
{
    const struct node *found = walk_node(walk, scenario->root);

    for (size_t i = 1; i < scenario->frame_count && found == NULL; i++) {
        found = walk_node(walk, scenario->frame[i].steps);
    }
    return found;
}

uint64_t node_number(const struct scenario *scenario, const struct node *node)
{
    struct walk walk = {.wanted = node};

    return walk_all(&walk, scenario) == NULL ? NODE_NUMBER_NONE : walk.number;
}

const struct node *node_number_find(
    const struct scenario *scenario, uint64_t number)
{
    struct walk walk = {.end = number};
    const struct node *found = walk_all(&walk, scenario);

    return found == NULL ? scenario->root : found;
}
