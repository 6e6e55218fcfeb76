/* trap.h - the signals by which the host says that a driver's code cannot go
 * on by itself, and what happens then. */
#ifndef API_IMAGE_TRAP_H
#define API_IMAGE_TRAP_H

#include <signal.h>
#include <stdbool.h>

/* Installs the handlers, on the signal stack that the thread has, or on one of
 * ours where it has none: a driver's own may be used up. What is not
 * a driver's doing goes to the handlers before them. Returns false when the
 * host refuses. */
bool trap_install(void);

/* Puts back what was there before. */
void trap_remove(void);

/* Whether SIGPROF has come since the handlers were installed. */
extern volatile sig_atomic_t trap_time_is_up;

#endif
