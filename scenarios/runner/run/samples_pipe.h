/* samples_pipe.h - samples as bytes from a child process to its parent, before
 * its verdict, in parts: a child that dies between two has sent the first. As
 * with a verdict, nothing in them is believed. */
#ifndef RUNNER_RUN_SAMPLES_PIPE_H
#define RUNNER_RUN_SAMPLES_PIPE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "scenarios/runner/run/samples.h"

enum { SAMPLES_TEXT_BYTES = 1 << 20 }; /* of a name or note; not cut: refused */

/* Writes what has come since the part before, all of them ended samples; one
 * part is the last. What went wrong is up to ferror() and fflush(). */
void samples_send(FILE *out, struct samples *samples, bool last);

/* Reads the samples that the bytes begin with; *taken is how many bytes they
 * are. Child of `context`, without figures. NULL when they are malformed; then
 * *problem says how. */
struct samples *samples_receive(void *context, const uint8_t *bytes,
    size_t length, size_t *taken, const char **problem);

/* The samples of the whole parts that the bytes begin with, maybe none. Child
 * of `context`. */
struct samples *samples_receive_cut(
    void *context, const uint8_t *bytes, size_t length);

#endif
