/* process.h - processes as objects: the system's, which drivers' threads are
 * of, that of idle processors, and programs in user mode. */
#ifndef API_PS_PROCESS_H
#define API_PS_PROCESS_H

#include <stdbool.h>
#include <stdint.h>

#include "api/ob/handle.h"

struct driver;
struct kernel;
struct kthread;

enum { SYSTEM_PROCESS_ID = 4 }; /* TID-02 [C] */

struct ps_process {
    struct counted_object object; /* first; address 0: nobody has asked yet */
    uint64_t id;
    const struct driver *program; /* NULL: the system's or an idle one */
    bool ended;
    struct ps_process *next; /* of the programs, the one known before */
};

/* Who plays programs has handles of his own for them: closes those of the
 * program that ends, in its last thread. */
struct ps_player {
    void (*close_handles)(void *context, const struct driver *program);
    void *context;
};

struct ps_processes {
    struct ps_process system, idle;
    struct ps_process *programs;
    struct ps_player player; /* close_handles NULL: there is none */
};

/* The one that the thread is of. */
struct ps_process *ps_process_of(
    struct kernel *kernel, const struct kthread *thread);

/* A program's thread, which runs, is about to end: with the last one its
 * process does. Every thread of a program that has any is known to be one by
 * then. */
void ps_process_thread_ends(
    struct kernel *kernel, const struct kthread *thread);

#endif
