/* creation.h - programs and threads of theirs begin while the machine runs. */
#ifndef API_PS_CREATION_H
#define API_PS_CREATION_H

#include "api/nt/nt.h"

struct driver;
struct kernel;
struct kthread;

/* The running thread makes a process of the program, with `first` as its first
 * thread: who has asked for it is told, and may refuse. Then the status is an
 * error's, and both have ended. */
NTSTATUS ps_create_process(
    struct kernel *kernel, const struct driver *program, struct kthread *first);

/* The running thread makes one more thread of a program. */
void ps_create_thread(struct kernel *kernel, struct kthread *thread);

#endif
