/* read_rulings.h - rulings: what a scenario flips of api/nt/rulings.def. */
#ifndef RUNNER_SCENARIO_READ_RULINGS_H
#define RUNNER_SCENARIO_READ_RULINGS_H

struct reader;

/* The defaults where there are none. */
void read_rulings(struct reader *reader);

#endif
