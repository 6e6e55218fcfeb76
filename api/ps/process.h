/* process.h - processes as objects: the system's, which all threads are of, and
 * that of idle processors. */
#ifndef API_PS_PROCESS_H
#define API_PS_PROCESS_H

#include <stdint.h>

#include "api/ob/handle.h"

struct kernel;
struct kthread;

enum { SYSTEM_PROCESS_ID = 4 }; /* TID-02 [C] */

struct ps_process {
    struct counted_object object; /* first; address 0: nobody has asked yet */
    uint64_t id;
};

struct ps_processes {
    struct ps_process system, idle;
};

/* The one that the thread is of. */
struct ps_process *ps_process_of(
    struct kernel *kernel, const struct kthread *thread);

#endif
