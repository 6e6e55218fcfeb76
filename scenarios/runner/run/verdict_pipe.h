/* verdict_pipe.h - a verdict as bytes from a worker, which came to it, to the
 * process that reports it. What is malformed is refused. */
#ifndef RUNNER_RUN_VERDICT_PIPE_H
#define RUNNER_RUN_VERDICT_PIPE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct instance;
struct requirements;
struct verdict;

enum {
    VERDICT_FAILURES = 4096,      /* more are not sent */
    VERDICT_TEXT_BYTES = 1 << 20, /* of each; the rest is not sent */
};

/* Writes the message. What went wrong is up to ferror() and fflush(). */
void verdict_send(FILE *out, const struct verdict *verdict);

/* Reads a message. The verdict is a child of `context` and has nothing of the
 * bytes. A failure's place is a node of the instance's scenario, the root where
 * the message names none. NULL when the message is malformed; then *problem
 * says how. */
struct verdict *verdict_receive(void *context, const struct instance *instance,
    const struct requirements *requirements, const uint8_t *bytes,
    size_t length, const char **problem);

#endif
