/* instance_trace.h - the trace of an instance's run as text. */
#ifndef RUNNER_RUN_INSTANCE_TRACE_H
#define RUNNER_RUN_INSTANCE_TRACE_H

#include <stdio.h>

struct instance;
struct trace;

/* A line a record, under a head with the instance's id. */
void instance_trace_print(
    const struct instance *instance, const struct trace *trace, FILE *out);

#endif
