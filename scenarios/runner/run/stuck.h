/* stuck.h - where drivers' code was when a machine came to no end. */
#ifndef RUNNER_RUN_STUCK_H
#define RUNNER_RUN_STUCK_H

struct run;

/* "; cpu 0 was at sampler.sys+0x1234 (Wait+0x12)" for each strand with native
 * code that has its processor, or waits without one, and a word for each
 * request that is kept pending; lives as long as the run. */
char *stuck_places(struct run *run);

#endif
