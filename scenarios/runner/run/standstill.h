/* standstill.h - a watch over a process that runs instances: one in which
 * nothing goes on any more, because the simulator itself goes round in circles,
 * fails like an assertion (crash_report.h), so that the others still run. */
#ifndef RUNNER_RUN_STANDSTILL_H
#define RUNNER_RUN_STANDSTILL_H

#include <stdint.h>

struct machine;

/* From now on, once in so many microseconds of the process's own processor
 * time, it is looked whether a step has begun or a processor's time has passed
 * since the last look: if not, the process fails. It has to last as long as the
 * process; children that are forked are not watched. */
void standstill_watch(const struct machine *machine, uint32_t us);

#endif
