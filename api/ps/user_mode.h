/* user_mode.h - a program's thread on its way back to the program's code: user
 * APCs that are due there, and its end. */
#ifndef API_PS_USER_MODE_H
#define API_PS_USER_MODE_H

#include <stdbool.h>

struct kernel;
struct kthread;

/* The running thread is back in its program's code, or about to go there: what
 * is queued to it runs, and it ends where somebody has asked for that. Any
 * other thread takes its kernel APCs only. */
void user_mode_return(struct kernel *kernel);

/* Whether code of user mode runs, in a thread that somebody has asked for its
 * end: it does no more. */
bool user_mode_is_over(struct kernel *kernel);

#endif
