/* interruption.h - SIGINT, SIGTERM, SIGHUP, and the end of a pipe that we write
 * to: the program ends at once, unless it has results to keep. */
#ifndef RUNNER_OUTPUT_INTERRUPTION_H
#define RUNNER_OUTPUT_INTERRUPTION_H

#include <stdbool.h>

/* The program removes what is unfinished before one of the signals ends it.
 * One that whoever started it had it ignore stays ignored. */
void interruption_install(void);

/* From here on the first of the signals is noted, and ends nothing; the second
 * ends the program at once. Writing to a pipe that nobody reads is an error
 * like others. */
void interruption_defer(void);

/* From here on the signals end the program again; what was noted stays so. */
void interruption_allow(void);

/* The signal that was noted; 0: none. */
int interruption_noted(void);

/* Its name without SIG, as INT; NULL: none was noted. */
const char *interruption_name(void);

/* A descriptor that can be read once a signal was noted, for poll(), which
 * leaves out -1: none ever is. */
int interruption_descriptor(void);

/* Whether the end of a pipe ends this program, which is the usual. */
bool interruption_by_pipe(void);

/* For a process that was forked: the signals that come to all processes of the
 * terminal are its parent's to see. */
void interruption_ignore(void);

/* Ends the program by a signal, so that whoever waits for it sees what has
 * ended it. */
_Noreturn void interruption_end(int number);

#endif
