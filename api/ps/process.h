/* process.h - processes as objects: the system's, which drivers' threads are
 * of, that of idle processors, and programs in user mode. */
#ifndef API_PS_PROCESS_H
#define API_PS_PROCESS_H

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
    struct ps_process *next;      /* of the programs, the one known before */
};

struct ps_processes {
    struct ps_process system, idle;
    struct ps_process *programs;
};

/* The one that the thread is of. */
struct ps_process *ps_process_of(
    struct kernel *kernel, const struct kthread *thread);

#endif
