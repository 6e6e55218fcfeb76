/* instance_trace.h - the trace of an instance's run as text: a line a record,
 * under a head with the instance's id. */
#ifndef RUNNER_RUN_INSTANCE_TRACE_H
#define RUNNER_RUN_INSTANCE_TRACE_H

#include <stdio.h>

struct instance;
struct trace;

/* Of a run that has ended. */
void instance_trace_print(
    const struct instance *instance, const struct trace *trace, FILE *out);

/* Of one that is to begin: records are printed as they come and not kept, but
 * as long as a step is open whose expectations look at them. */
void instance_trace_begin(
    const struct instance *instance, struct trace *trace, FILE *out);
void instance_trace_end(struct trace *trace);

#endif
