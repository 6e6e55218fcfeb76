/* stuck.h - where drivers' code was when a machine came to no end. */
#ifndef RUNNER_RUN_STUCK_H
#define RUNNER_RUN_STUCK_H

struct outcome;
struct run;

/* "; cpu 0 was at sampler.sys+0x1234 (Wait+0x12), called at ..." for each
 * thread that has its processor, or waits without one, what it waits for, and a
 * word for each request that is kept pending; lives as long as the run.
 * `outcome` is of the step that is said to have come to no end. */
char *stuck_places(struct run *run, const struct outcome *outcome);

#endif
