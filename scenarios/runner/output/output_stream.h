/* output_stream.h - a stream that remembers why it could not be written. What
 * it writes, and who reads that, it does not know. */
#ifndef RUNNER_OUTPUT_OUTPUT_STREAM_H
#define RUNNER_OUTPUT_OUTPUT_STREAM_H

#include <stdbool.h>
#include <stdio.h>

enum { OUTPUT_BUFFER_BYTES = 64 * 1024 };

struct output_stream {
    FILE *out;
    int file;  /* its descriptor */
    int error; /* of errno, of the first write that failed; 0: none has */
    char buffer[OUTPUT_BUFFER_BYTES]; /* the C library does not make it */
};

/* A stream to a descriptor, which stays open when it is closed. After a write
 * that failed nothing more is written, so that what is there has no gap. False
 * with errno set. `stream` outlives it. */
bool output_stream_open(struct output_stream *stream, int file);

/* Writes what is buffered. Returns why something could not be written, ever,
 * as errno has it; 0: all of it was. */
int output_stream_flush(struct output_stream *stream);

/* The same, and closes the stream; the descriptor stays open. */
int output_stream_close(struct output_stream *stream);

#endif
