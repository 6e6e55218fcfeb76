/* read_topology.h - cpus and groups of a machine: how many processors it has,
 * and which of them are a group. */
#ifndef RUNNER_SCENARIO_READ_TOPOLOGY_H
#define RUNNER_SCENARIO_READ_TOPOLOGY_H

struct node;
struct reader;

/* Into the scenario's machine, whose values are those that it has without these
 * keys. What is wrong, or what Windows does not run on, is reported. */
void read_topology(struct reader *reader, const struct node *machine);

#endif
