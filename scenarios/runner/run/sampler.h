/* sampler.h - a consumer that samples the counter sets while a scenario runs,
 * as the session asks. It is a strand of its own for each sample, on a
 * processor that has nothing else to do, if there is one. */
#ifndef RUNNER_RUN_SAMPLER_H
#define RUNNER_RUN_SAMPLER_H

struct run;

/* Before the first step. */
void sampler_begin(struct run *run);

/* Behind the last one: takes the last sample, if the machine still goes, and
 * closes its queries. What it has seen is the verdict's. */
void sampler_end(struct run *run);

#endif
