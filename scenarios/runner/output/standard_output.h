/* standard_output.h - the program's standard output and error output: whether
 * all that was printed was written. */
#ifndef RUNNER_OUTPUT_STANDARD_OUTPUT_H
#define RUNNER_OUTPUT_STANDARD_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

/* From here on stdout is an output_stream, and the error output is written line
 * by line. */
void standard_output_open(void);

/* Whether nobody reads standard output any more, as behind `| head`, as far as
 * that has shown. */
bool standard_output_is_left(void);

/* Writes what is buffered, and says on the error output what could not be
 * written, but for the end of a pipe whose reader has left. False: something
 * was lost. */
bool standard_output_end(void);

#endif
