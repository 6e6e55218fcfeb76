/* process.h - processes as objects: the system's, which drivers' threads are
 * of, that of idle processors, and programs in user mode. */
#ifndef API_PS_PROCESS_H
#define API_PS_PROCESS_H

#include <stdbool.h>
#include <stdint.h>

#include "api/nt/nt.h"
#include "api/ob/handle.h"
#include "api/ps/notify.h"
#include "sim/base/record_pool.h"

struct driver;
struct kernel;
struct kthread;

struct ps_process {
    struct counted_object object; /* first; address 0: nobody has asked yet */
    uint64_t id;
    const struct driver *program; /* NULL: the system's or an idle one */
    uint64_t parent;              /* whose process made it; 0: nobody's */
    uint64_t created;             /* interrupt time; 0: with the machine */
    bool ended;
    struct ps_process *next; /* of the programs, the one known before */
};

/* Who plays programs: closes handles of his own for one that ends, in its last
 * thread, and lets a thread look whether it is to end, where it does nothing.
 */
struct ps_player {
    void (*close_handles)(void *context, const struct driver *program);
    void (*look)(void *context, const struct kthread *thread);
    void *context;
};

struct ps_processes {
    struct ps_process system, idle;
    struct ps_process *programs;
    struct record_pool thread_pool; /* ps_thread */
    struct ps_player player;        /* close_handles NULL: there is none */
    struct ps_notify notify;
};

/* The one that the thread is of, and the one in which it runs now (PROC-11). */
struct ps_process *ps_process_of(
    struct kernel *kernel, const struct kthread *thread);
struct ps_process *ps_process_current(struct kernel *kernel);

/* The system's, and a program's. */
struct ps_process *ps_process_of_system(struct kernel *kernel);

/* NULL: no process has that number. The idle one's is none. */
struct ps_process *ps_process_by_id(struct kernel *kernel, uint64_t id);

/* What the variable PsInitialSystemProcess points to. */
PVOID ps_process_initial(struct kernel *kernel);

/* What -1 and -2 are handles of: the current process and thread; NULL: another
 * handle (kernel_hooks). */
struct counted_object *ps_self_object(
    struct kernel *kernel, const void *handle);

/* The program of a process; NULL: the system's (kernel_hooks). */
const struct driver *ps_program_of(const struct counted_object *process);

/* A program's thread, which runs, is about to end: with the last one its
 * process does. Every thread of a program that has any is known to be one by
 * then. */
void ps_process_thread_ends(
    struct kernel *kernel, const struct kthread *thread);

/* A program's has no thread any more: it gives back what it has. */
void ps_process_end(struct kernel *kernel, struct ps_process *process);

#endif
