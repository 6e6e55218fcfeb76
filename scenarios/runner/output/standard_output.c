/* standard_output.c - the program's standard output and error output: whether
 * all that was printed was written. */
#define _GNU_SOURCE
#include "scenarios/runner/output/standard_output.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "scenarios/runner/output/interruption.h"
#include "scenarios/runner/output/output_stream.h"

enum { STANDARD_LINE_BYTES = 4096 };

static struct output_stream standard;
static char line[STANDARD_LINE_BYTES]; /* of the error output */

void standard_output_open(void)
{
    /* Without memory it stays what it is, and only the reason is missing. */
    if (output_stream_open(&standard, STDOUT_FILENO)) {
        stdout = standard.out;
    }
    setvbuf(stderr, line, _IOLBF, sizeof(line));
}

bool standard_output_is_left(void)
{
    return standard.error == EPIPE;
}

bool standard_output_end(void)
{
    bool failed = fflush(stdout) != 0;
    int error = standard.out == NULL ? errno : standard.error;

    failed |= ferror(stdout) != 0;
    if (failed && (error != EPIPE || !interruption_by_pipe())) {
        fprintf(stderr, "ntpmu: cannot write to standard output: %s\n",
            strerror(error));
    }
    fflush(stderr);
    return !failed && !ferror(stderr);
}
