/* output_stream.c - a stream that remembers why it could not be written: stdio
 * itself keeps no more than that something went wrong. */
#define _GNU_SOURCE
#include "scenarios/runner/output/output_stream.h"

#include <assert.h>
#include <errno.h>
#include <unistd.h>

/* Returns what was written; 0 says that it could not be. */
static ssize_t write_some(void *cookie, const char *bytes, size_t count)
{
    struct output_stream *stream = cookie;
    size_t done = 0;

    while (done < count && stream->error == 0) {
        ssize_t written =
            TEMP_FAILURE_RETRY(write(stream->file, bytes + done, count - done));

        if (written <= 0) {
            stream->error = written == 0 ? EIO : errno;
        } else {
            done += (size_t)written;
        }
    }
    errno = stream->error;
    return stream->error == 0 ? (ssize_t)count : 0;
}

bool output_stream_open(struct output_stream *stream, int file)
{
    const cookie_io_functions_t functions = {.write = write_some};

    stream->file = file; /* what is not used of the buffer is not touched */
    stream->error = 0;
    stream->out = fopencookie(stream, "w", functions);
    if (stream->out == NULL) {
        return false;
    }
    setvbuf(stream->out, stream->buffer, isatty(file) ? _IOLBF : _IOFBF,
        sizeof(stream->buffer));
    return true;
}

int output_stream_flush(struct output_stream *stream)
{
    assert(stream->out != NULL);
    fflush(stream->out); /* which has failed when there is an error */
    return stream->error;
}

int output_stream_close(struct output_stream *stream)
{
    int error = output_stream_flush(stream);

    fclose(stream->out);
    stream->out = NULL;
    return error;
}
