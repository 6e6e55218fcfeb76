/* read_registry.h - registry: keys and values that are there before the first
 * step. */
#ifndef RUNNER_SCENARIO_READ_REGISTRY_H
#define RUNNER_SCENARIO_READ_REGISTRY_H

struct reader;

void read_registry(struct reader *reader);

#endif
