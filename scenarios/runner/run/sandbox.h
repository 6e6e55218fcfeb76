/* sandbox.h - what a process that runs a driver's native code may still do:
 * compute for a while, and write to what is open. */
#ifndef RUNNER_RUN_SANDBOX_H
#define RUNNER_RUN_SANDBOX_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "scenarios/runner/run/syscall_filter.h"

struct sandbox_limits {
    uint64_t cpu_us;       /* of the processor's time; not 0 */
    uint64_t memory_bytes; /* of data; without effect under ASan */
    struct syscall_guest guest;
    bool debugged; /* another process may look into it */
};

/* Bounds this process's data, and that of what it starts; without effect under
 * ASan. False: the host refuses. */
bool sandbox_bound_memory(uint64_t bytes);

/* Confines this process, for good; it ends with `parent`. When the time is up
 * it gets SIGPROF, and should somebody catch that, a second or two later
 * SIGXCPU and then SIGKILL. Descriptors stay open; none can be added. Returns
 * NULL, or what the host refused, with errno set. */
const char *sandbox_apply(const struct sandbox_limits *limits, pid_t parent);

#endif
