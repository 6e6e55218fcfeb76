/* node_number.h - the nodes of a scenario's trees as numbers, the same whenever
 * and wherever the instance is read. */
#ifndef RUNNER_SCENARIO_NODE_NUMBER_H
#define RUNNER_SCENARIO_NODE_NUMBER_H

#include <stdint.h>

struct node;
struct scenario;

/* Of a node that is in none of its trees. */
#define NODE_NUMBER_NONE UINT64_MAX

uint64_t node_number(const struct scenario *scenario, const struct node *node);

/* The node with that number; the root when there is none. */
const struct node *node_number_find(
    const struct scenario *scenario, uint64_t number);

#endif
