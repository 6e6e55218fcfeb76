/* terminate.h - the end of a program that somebody asks for, or its own code
 * comes to. */
#ifndef API_PS_TERMINATE_H
#define API_PS_TERMINATE_H

#include "api/nt/nt.h"

struct kernel;

/* The running thread, which is a program's, has raised in user mode what nobody
 * there handles: the program ends with all its threads, of which that is the
 * status (GEN-USER-01). Each ends where it is back in user mode. */
void ps_terminate_unhandled(struct kernel *kernel, NTSTATUS exception);

#endif
