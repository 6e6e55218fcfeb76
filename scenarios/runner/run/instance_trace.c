/* instance_trace.c - the trace of an instance's run as text: a head with its
 * id, then a line a record. */
#include "scenarios/runner/run/instance_trace.h"

#include "scenarios/runner/scenario/instance.h"
#include "sim/base/trace.h"

enum { TRACE_LINE_BYTES = 2048 };

void instance_trace_print(
    const struct instance *instance, const struct trace *trace, FILE *out)
{
    char line[TRACE_LINE_BYTES];

    fprintf(out, "# %s\n", instance->id);
    for (size_t i = 0; i < trace->count; i++) {
        trace_format(trace, i, line, sizeof(line));
        fprintf(out, "%s\n", line);
    }
}
