/* instances.h - the instances of a scenario, from its cases and matrix. */
#ifndef RUNNER_SCENARIO_INSTANCES_H
#define RUNNER_SCENARIO_INSTANCES_H

struct outline;

/* Makes them, and those ids that `requires` leaves out. What is wrong is
 * reported. */
void instances_make(struct outline *outline);

#endif
