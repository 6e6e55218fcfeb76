/* read_memory.h - memory: blocks that last as long as the scenario. */
#ifndef RUNNER_SCENARIO_READ_MEMORY_H
#define RUNNER_SCENARIO_READ_MEMORY_H

struct reader;

void read_memory(struct reader *reader);

#endif
