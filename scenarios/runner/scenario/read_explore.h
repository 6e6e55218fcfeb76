/* read_explore.h - explore: which schedules a scenario wants tried. */
#ifndef RUNNER_SCENARIO_READ_EXPLORE_H
#define RUNNER_SCENARIO_READ_EXPLORE_H

struct reader;

/* Reads it, or what holds without it, into the reader's scenario. */
void read_explore(struct reader *reader);

#endif
