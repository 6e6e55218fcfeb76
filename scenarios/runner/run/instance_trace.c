/* instance_trace.c - the trace of an instance's run as text: a head with its
 * id, then a line a record. */
#include "scenarios/runner/run/instance_trace.h"

#include "scenarios/runner/scenario/instance.h"
#include "sim/base/trace.h"

enum { TRACE_LINE_BYTES = 2048 };

static void print_head(const struct instance *instance, FILE *out)
{
    fprintf(out, "# %s\n", instance->id);
}

static void print_records(const struct trace *trace, FILE *out)
{
    char line[TRACE_LINE_BYTES];

    for (size_t i = 0; i < trace->count; i++) {
        size_t length = trace_format(trace, i, line, sizeof(line));

        length = length < sizeof(line) ? length : sizeof(line) - 1;
        line[length] = '\n';
        fwrite(line, 1, length + 1, out);
    }
}

void instance_trace_print(
    const struct instance *instance, const struct trace *trace, FILE *out)
{
    print_head(instance, out);
    print_records(trace, out);
}

static void take(void *context, const struct trace *trace)
{
    print_records(trace, context);
}

void instance_trace_begin(
    const struct instance *instance, struct trace *trace, FILE *out)
{
    print_head(instance, out);
    trace->reader = (struct trace_reader){take, out};
}

void instance_trace_end(struct trace *trace)
{
    trace_hand_on(trace);
    trace->reader = (struct trace_reader){.take = NULL};
}
