/* verdict_pipe.h - a verdict, and the trace as text, as bytes from a child
 * process to its parent. Who wrote them ran a driver's native code, so nothing
 * in them is believed. */
#ifndef RUNNER_RUN_VERDICT_PIPE_H
#define RUNNER_RUN_VERDICT_PIPE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct instance;
struct requirements;
struct trace;
struct verdict;

enum {
    VERDICT_FAILURES = 4096,      /* more are not sent */
    VERDICT_TEXT_BYTES = 1 << 20, /* of each; the rest is not sent */
};

/* Writes the message. `trace` NULL: without one, else what
 * instance_trace_print() prints. What went wrong is up to ferror() and
 * fflush(). */
void verdict_send(FILE *out, const struct instance *instance,
    const struct verdict *verdict, const struct trace *trace);

/* The text of a trace inside of a message's bytes. */
struct verdict_trace {
    const char *text;
    size_t length;
};

/* Reads a message. The verdict is a child of `context` and has nothing of the
 * bytes, except for what `trace` is set to. A failure's place is a node of the
 * instance's scenario, the root where the message names none. NULL when the
 * message is malformed; then *problem says how. */
struct verdict *verdict_receive(void *context, const struct instance *instance,
    const struct requirements *requirements, const uint8_t *bytes,
    size_t length, struct verdict_trace *trace, const char **problem);

#endif
